"""Gives tests that kill processes or write often a folder in memory, where the system has one.

A killed process loses nothing that the system has accepted, so what these tests prove does not depend on the disk;
that a write is flushed to it is proved in `tests/persistence`.
"""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    if not _MEMORY.is_dir():
        yield tmp_path
        return
    folder = Path(tempfile.mkdtemp(dir=_MEMORY))
    yield folder
    shutil.rmtree(folder)
