"""Speaks to providers through their official clients, which are imported when the first call needs them."""
