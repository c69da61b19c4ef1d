"""The real library puts files into the real trash of freedesktop.org, in a home of the test's own."""

import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

PROGRAM = (
    "from pathlib import Path; from notochord.adapters.trash import SystemTrash; SystemTrash().discard(Path({!r}))"
)


def discard(path: Path, home: Path) -> subprocess.CompletedProcess[str]:
    home.mkdir()
    environment = {
        **os.environ,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    command = [sys.executable, "-c", PROGRAM.format(str(path))]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="their trash cannot be moved into a test's folder")
@pytest.mark.req("PERM-099", "TOOL-059")
@pytest.mark.parametrize("name", ["report.md", "报告 (2).md", "folder"])
def test_what_is_discarded_lies_in_the_trash_and_knows_where_it_was(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "folder":
        path.mkdir()
    else:
        path.write_text("text", encoding="utf-8")
    done = discard(path, tmp_path / "home")
    assert (done.returncode, done.stderr) == (0, "")
    assert not path.exists()
    trash = tmp_path / "home" / "data" / "Trash"
    assert [found.name for found in (trash / "files").iterdir()] == [name]
    [info] = (trash / "info").iterdir()
    assert str(path) in unquote(info.read_text(encoding="utf-8"))


def test_what_is_not_there_cannot_be_discarded(tmp_path: Path) -> None:
    done = discard(tmp_path / "none", tmp_path / "home")
    assert done.returncode == 1
    assert "Error" in done.stderr
