"""Kept copies come back as they were, or not at all."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis.strategies import binary, lists

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.ids import IdMaker
from notochord.services.files import kept
from notochord.services.files.kept import KeptCopies
from support.clocks import HandClock

KEY = bytes(range(32))


def copies_in(folder: Path, key: bytes = KEY, seed: int = 0) -> KeptCopies:
    clock = HandClock(seed=seed)
    return KeptCopies(folder, key, ids=IdMaker(clock), chance=clock.random_bytes)


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 128, 1000])
def test_a_copy_comes_back_at_every_size_around_a_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(kept, "CHUNK", 64)
    content = random.Random(size).randbytes(size)
    copies = copies_in(tmp_path)
    assert b"".join(copies.read(copies.save([content]))) == content


@given(pieces=lists(binary(max_size=50), max_size=8))
def test_how_the_content_was_cut_does_not_matter(tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes]) -> None:
    copies = copies_in(tmp_path_factory.mktemp("kept"))
    assert b"".join(copies.read(copies.save(pieces))) == b"".join(pieces)


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "cut off after a box": lambda whole: whole[: 32 + 2 * 80],
    "cut off inside a box": lambda whole: whole[:-1],
    "boxes exchanged": lambda whole: whole[:32] + whole[112:192] + whole[32:112] + whole[192:],
    "a bit changed": lambda whole: whole[:40] + bytes([whole[40] ^ 1]) + whole[41:],
    "another prefix": lambda whole: whole[:16] + bytes(16) + whole[32:],
    "another form": lambda whole: b"x" + whole[1:],
    "empty": lambda whole: b"",
    "something after it": lambda whole: whole + b"x",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_copy_that_is_not_as_it_was_kept_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(kept, "CHUNK", 64)
    copies = copies_in(tmp_path)
    name = copies.save([random.Random(0).randbytes(200)])
    (tmp_path / name).write_bytes(damage((tmp_path / name).read_bytes()))
    with pytest.raises(NotochordError) as caught:
        list(copies.read(name))
    assert caught.value.code is Code.STORE_DAMAGED


def test_another_key_reads_nothing(tmp_path: Path) -> None:
    name = copies_in(tmp_path).save([b"secret"])
    with pytest.raises(NotochordError):
        list(copies_in(tmp_path, bytes(32)).read(name))


def test_a_content_that_fails_while_it_is_read_leaves_no_copy(tmp_path: Path) -> None:
    def failing() -> object:
        yield b"some"
        raise OSError(5, "the disk failed")

    with pytest.raises(OSError, match="the disk failed"):
        copies_in(tmp_path).save(failing())  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []
