"""The frozen steps of the schema of `data.db`."""
