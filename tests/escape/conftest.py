"""Folders on the disk for these tests: Deno gives what lies below /dev to nobody."""

import pytest

from support.memory_folders import on_disk

tmp_path = pytest.fixture(on_disk)
