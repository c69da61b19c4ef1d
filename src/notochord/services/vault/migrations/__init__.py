"""The schema of the vault, step by step."""
