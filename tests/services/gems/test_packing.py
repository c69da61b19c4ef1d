"""Packing: the same content gives the same bytes, and nothing goes in that could not come out."""

import os
import time
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.packing import pack
from support.gems import OFFICIAL, draft, manifest


def refusal(folder: Path) -> Code:
    with pytest.raises(NotochordError) as caught:
        pack(folder)
    return caught.value.code


def test_the_same_gem_packs_to_the_same_bytes_in_another_folder_at_another_time(tmp_path: Path) -> None:
    first = draft(tmp_path / "a")
    second = tmp_path / "b"
    second.mkdir()
    for path in sorted((path for path in first.rglob("*") if path.is_file()), reverse=True):
        copy = second / path.relative_to(first)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(path.read_bytes())
        copy.chmod(0o700)
        os.utime(copy, (time.time() - 10_000, 12_345))
    assert pack(first, key=OFFICIAL) == pack(second, key=OFFICIAL)


@pytest.mark.req("PKG-084")
def test_what_systems_leave_in_folders_is_not_packed(tmp_path: Path) -> None:
    folder = draft(tmp_path / "draft")
    before = pack(folder)
    for name in (".DS_Store", "tools/Thumbs.db", "tools/desktop.ini"):
        (folder / name).write_text("left")
    assert pack(folder) == before


@pytest.mark.req("AGENT-005")
@pytest.mark.parametrize("part", ["agents", "integrity"])
def test_a_generated_part_may_not_be_written_by_hand(tmp_path: Path, part: str) -> None:
    assert refusal(draft(tmp_path, manifest(**{part: []}))) is Code.PERM_INVALID


def test_a_folder_without_a_manifest_is_no_gem(tmp_path: Path) -> None:
    assert refusal(tmp_path) is Code.PERM_INVALID


@pytest.mark.parametrize("target", ["/etc/passwd", "greet.ts", "."])
def test_links_are_refused_not_followed(tmp_path: Path, target: str) -> None:
    folder = draft(tmp_path / "draft")
    (folder / "tools" / "link.ts").symlink_to(target)
    assert refusal(folder) is Code.PATH_TRAVERSAL


@pytest.mark.parametrize("name", ["nul.txt", "a:b", "A.TS"])
def test_names_that_some_computer_cannot_have_are_refused(tmp_path: Path, name: str) -> None:
    folder = draft(tmp_path / "draft")
    (folder / "a.ts").write_text("")
    (folder / name).write_text("")
    assert refusal(folder) is Code.PATH_TRAVERSAL
