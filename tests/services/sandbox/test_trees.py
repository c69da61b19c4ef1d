"""Links and special files in a guest's folders are found (known fault V1)."""

import os
import socket
from pathlib import Path

import pytest

from notochord.services.sandbox.trees import find_foreign


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "gem"
    (root / "tools" / "deep").mkdir(parents=True)
    (root / "tools" / "deep" / "a.ts").write_text("1")
    return root


def test_plain_files_and_folders_pass(tree: Path) -> None:
    assert find_foreign(tree) is None


@pytest.mark.parametrize("target", ["/etc/passwd", "../../etc", "a.ts", "nowhere"])
def test_a_symbolic_link_is_found_wherever_it_points(tree: Path, target: str) -> None:
    (tree / "tools" / "deep" / "link").symlink_to(target)
    assert find_foreign(tree) == str(Path("tools", "deep", "link"))


def test_a_second_name_of_a_file_outside_is_found(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tree / "secret").hardlink_to(tmp_path / "secret")
    assert find_foreign(tree) == "secret"


def test_a_named_pipe_and_a_socket_are_found(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(tree / "pipe")
    assert find_foreign(tree) == "pipe"
    (tree / "pipe").unlink()
    monkeypatch.chdir(tree)  # the path of a socket may have 108 bytes
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("s")
        assert find_foreign(tree) == "s"


def test_the_folder_itself_may_be_no_link(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "gem-link").symlink_to(tree)
    assert find_foreign(tmp_path / "gem-link") == "."
