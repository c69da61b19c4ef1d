"""Developers whose gems the user trusts: the door that settings and commands manage them through."""
