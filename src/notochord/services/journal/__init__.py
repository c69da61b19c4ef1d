"""Which stores a cause touched, what it changed there, and how to take it back."""
