"""Frozen steps of the tables for models."""
