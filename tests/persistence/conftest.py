"""Folders on the disk for these tests."""

import pytest

from support.memory_folders import on_disk

tmp_path = pytest.fixture(on_disk)
