"""Whether the program starts when the user logs in."""
