"""Removing folders: whatever somebody put into one, it can be got rid of."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from notochord.persistence.folders import remove_folder

DEPTH = 1_500


def nested(top: Path, depth: int) -> None:
    """Make folders in each other, deeper than any path can say, with a file at the bottom."""
    top.mkdir()
    descriptor = os.open(top, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("d" * 20, dir_fd=descriptor)
        inner = os.open("d" * 20, os.O_RDONLY, dir_fd=descriptor)
        os.close(descriptor)
        descriptor = inner
    os.close(os.open("bottom", os.O_CREAT | os.O_WRONLY, dir_fd=descriptor))
    os.close(descriptor)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no paths of this depth")
def test_folders_nested_more_deeply_than_any_path_are_removed(tmp_path: Path) -> None:
    nested(tmp_path / "deep", DEPTH)
    remove_folder(tmp_path / "deep")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no paths of this depth")
def test_control_the_librarys_own_removal_gives_up_on_them(tmp_path: Path) -> None:
    nested(tmp_path / "deep", DEPTH)
    with pytest.raises((RecursionError, OSError)):
        shutil.rmtree(tmp_path / "deep")
    remove_folder(tmp_path / "deep")


def test_links_are_removed_and_what_they_lead_to_stays(tmp_path: Path) -> None:
    (tmp_path / "outside" / "kept").mkdir(parents=True)
    (tmp_path / "outside").chmod(0o755)
    (tmp_path / "gone" / "inner").mkdir(parents=True)
    (tmp_path / "gone" / "inner" / "link").symlink_to(tmp_path / "outside")
    (tmp_path / "gone" / "dangling").symlink_to("nowhere")
    (tmp_path / "gone" / "0.lifted").mkdir()
    remove_folder(tmp_path / "gone")
    assert (tmp_path / "outside" / "kept").is_dir()
    assert [path.name for path in tmp_path.iterdir()] == ["outside"]


def test_a_link_in_the_place_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside" / "kept").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError, match="link"):
        remove_folder(tmp_path / "link")
    assert (tmp_path / "outside" / "kept").is_dir()


def test_what_is_not_there_is_removed_already(tmp_path: Path) -> None:
    remove_folder(tmp_path / "nothing")


REMOVE_AS_SOMEBODY = """
import os, sys
from pathlib import Path
from notochord.persistence.folders import remove_folder
if os.getuid() == 0:
    os.setuid(65534)  # the rights of files mean nothing to root
remove_folder(Path(sys.argv[1]))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="rights of this kind are POSIX's")
def test_read_only_folders_are_removed() -> None:
    with tempfile.TemporaryDirectory() as place:
        top = Path(place) / "top"
        (top / "a" / "b" / "c").mkdir(parents=True)
        (top / "a" / "b" / "file").write_text("x")
        folders = (top / "a" / "b" / "c", top / "a" / "b", top / "a", top)
        for folder in folders:
            folder.chmod(0o555)
        if os.getuid() == 0:
            for each in (Path(place), *folders, top / "a" / "b" / "file"):
                os.chown(each, 65534, 65534)
        command = [sys.executable, "-c", REMOVE_AS_SOMEBODY, str(top)]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert not top.exists()
