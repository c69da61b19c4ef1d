"""Files are marked as come from elsewhere where the disk can hold the mark."""

import os
import sys
from pathlib import Path

import pytest

from notochord.adapters.origin import LINUX_ATTRIBUTE, LINUX_ORIGIN, SystemOriginMark


@pytest.mark.skipif(sys.platform != "linux", reason="this is the mark of Linux")
def test_a_file_is_marked_and_stays_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text("text", encoding="utf-8")
    try:
        os.setxattr(path, "user.test", b"x")
    except OSError:
        pytest.skip("this disk holds no such marks")
    before = path.stat()
    SystemOriginMark().mark(path)
    assert os.getxattr(path, LINUX_ATTRIBUTE) == LINUX_ORIGIN
    assert (path.read_text(encoding="utf-8"), path.stat().st_mtime_ns) == ("text", before.st_mtime_ns)


def test_what_cannot_be_marked_is_left(tmp_path: Path) -> None:
    SystemOriginMark().mark(tmp_path / "none")
