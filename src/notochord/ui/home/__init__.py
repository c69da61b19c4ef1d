"""Home: installed gems, and what waits for the user."""
