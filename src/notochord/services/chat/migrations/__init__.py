"""The schema of conversations, step by step."""
