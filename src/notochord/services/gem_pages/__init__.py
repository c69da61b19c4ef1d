"""The pages of gems: the door that the window shows them through."""
