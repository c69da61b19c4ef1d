"""Changes of what is installed, in processes that are killed at a boundary."""

from collections.abc import Callable
from pathlib import Path

Change = Callable[[Path, str, str, str], int]
"""Organization's folder, "install" or "remove", the package or the gem, the boundary → how the process ended."""
