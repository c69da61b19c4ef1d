"""The composition root: which part gets which."""
