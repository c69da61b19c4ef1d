"""The frozen steps that lead to the tables of `files`."""
