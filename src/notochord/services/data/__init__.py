"""The data store of a gem."""
