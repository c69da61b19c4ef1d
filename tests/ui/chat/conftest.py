"""Folders in memory for these tests, and the application's own style on its controls."""

from support.memory_folders import tmp_path

__all__ = ["tmp_path"]
