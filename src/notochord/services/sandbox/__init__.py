"""Guests: processes of untrusted code, what they may ask for, and what ends them."""
