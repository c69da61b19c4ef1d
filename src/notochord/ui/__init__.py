"""The windows: views that show view-models, and nothing else."""
