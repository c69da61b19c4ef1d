"""Notochord: a private AI team on one's own computer."""

__version__ = "0.1.0"
