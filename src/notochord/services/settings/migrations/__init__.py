"""The schema of settings, step by step."""
