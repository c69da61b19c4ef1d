"""Files that a person named: nobody waits for a pipe, and a command can always be stopped."""

import os
import sys
from pathlib import Path

import pytest

from notochord.persistence.given_files import open_given


def test_an_ordinary_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\x00\r\n\x1a")
    with open_given(tmp_path / "a") as file:
        assert file.read() == b"\x00\r\n\x1a"


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes of this kind")
def test_a_pipe_that_nobody_writes_to_is_refused_at_once(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for place in (tmp_path / "pipe", Path("/dev/null"), Path("/dev/tty"), tmp_path):
        with pytest.raises(OSError):  # noqa: PT011 - which one is the system's affair
            open_given(place)
