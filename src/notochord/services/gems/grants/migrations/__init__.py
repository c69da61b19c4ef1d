"""The frozen steps of the table of what gems are allowed."""
