"""The loop in which a model and tools take turns."""
