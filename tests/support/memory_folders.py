"""Gives each test a folder in memory, where the system has room for that, or one on the disk.

A killed process loses nothing that the system has accepted, so what tests prove does not depend on the disk; that
writes are flushed to it is proved in `tests/persistence`, and what differs between disks in `tests/services/files`,
whose folders are on the disk. So are those of guests that read files: Deno gives what lies below /dev to nobody.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

_MEMORY = Path("/dev/shm")
_ROOM = 2 * 1024**3
"""Bytes free; containers often have no more than 64 MB."""


@cache
def memory() -> Path | None:
    """Return where folders in memory are made; None if there is no room, or where no program could be started."""
    if not _MEMORY.is_dir() or shutil.disk_usage(_MEMORY).free < _ROOM:
        return None
    return None if os.statvfs(_MEMORY).f_flag & os.ST_NOEXEC else _MEMORY.resolve()


@contextmanager
def folder_in_memory() -> Iterator[Path]:
    """Give an empty folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        yield Path(folder).resolve()


@pytest.fixture
def tmp_path() -> Iterator[Path]:
    """A folder in memory."""
    with folder_in_memory() as folder:
        yield folder


def on_disk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder on the disk: `tmp_path = pytest.fixture(on_disk)` in the conftest of a folder of tests."""
    return tmp_path_factory.mktemp("test", numbered=True)
