"""Packages: checking, installing, integrity, what the AI sees of a gem, and its calls."""
