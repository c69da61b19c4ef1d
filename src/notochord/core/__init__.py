"""Shared vocabulary, standard library only."""
