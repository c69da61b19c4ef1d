"""A file that is replaced holds the old content or the new, whatever stops the replacing."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from notochord.persistence.atomic_files import write_atomically
from persistence.atomic_work import NEW, OLD
from support.faults import KILL, Nursery, nursery


@pytest.fixture(scope="module")
def children() -> Iterator[Nursery]:
    with nursery("persistence.atomic_work:replace_file") as opened:
        yield opened


@pytest.mark.parametrize("fault", [KILL, "error=EIO", "error=ENOSPC"])
@pytest.mark.parametrize("call", ["write", "fsync", "rename"])
def test_the_content_is_the_old_or_the_new_and_a_told_success_lasts(
    children: Nursery, tmp_path: Path, call: str, fault: str
) -> None:
    for number in range(1, 20):
        write_atomically(tmp_path / "file", OLD)
        run = children.run(tmp_path, call, fault, number)
        content = (tmp_path / "file").read_bytes()
        assert content in (OLD, NEW)
        assert content == NEW or "replaced" not in run.said
        if not run.killed:
            assert [path.name for path in tmp_path.iterdir()] == ["file"]
        for leftover in tmp_path.glob(".*.part"):
            leftover.unlink()
        if not run.hit:
            assert run.said == ("replaced", "closed")
            return
    raise AssertionError("more calls than a replacement has")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
def test_a_new_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    write_atomically(tmp_path / "file", b"x")
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o600


def test_a_link_is_replaced_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"precious")
    (tmp_path / "file").symlink_to(tmp_path / "target")
    write_atomically(tmp_path / "file", b"new")
    assert (tmp_path / "target").read_bytes() == b"precious"
    assert not (tmp_path / "file").is_symlink()
