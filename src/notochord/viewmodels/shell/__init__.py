"""What the main window shows around the pages."""
