"""A page of a gem in the window."""
