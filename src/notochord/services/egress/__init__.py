"""The one way out to any network."""
