"""Folders in memory for these tests."""

from support.memory_folders import tmp_path

__all__ = ["tmp_path"]
