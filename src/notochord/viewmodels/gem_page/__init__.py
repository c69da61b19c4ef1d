"""A page of a gem: its state, and what it may say to the program."""
