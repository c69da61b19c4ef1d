"""Requests for consent that survive a restart and never become yes by waiting."""
