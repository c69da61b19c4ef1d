"""What the tools of gems wrote to their consoles, for the user to read."""
