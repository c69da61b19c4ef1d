"""Starts the program at login, in the way of each system."""
