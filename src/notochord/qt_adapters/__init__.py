"""Ports that only Qt can serve: opening files and links, notifications, the clipboard."""
