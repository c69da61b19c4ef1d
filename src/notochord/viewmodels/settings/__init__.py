"""Settings, section by section: what the page shows and what it can be asked to do."""
