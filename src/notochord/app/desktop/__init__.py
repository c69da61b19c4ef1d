"""The desktop's root: finds out whether windows can be shown, builds them, and runs their loop."""
