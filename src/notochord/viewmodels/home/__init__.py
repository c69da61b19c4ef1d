"""What Home shows: the installed gems, and what waits for the user."""
