"""No link leads out of a root: not at the end, not on the way, not while somebody swaps folders for links."""

import os
import shutil
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.files import places, reading
from notochord.services.files.api import Root
from notochord.services.files.changing import discard
from notochord.services.files.places import HOLDS_FOLDERS, Place, at
from support.file_services import FolderTrash, Workshop, workshop_in

CAUSE = Cause(conversation="c")
Attack = Callable[[Workshop], Coroutine[Any, Any, object]]

ATTACKS: dict[str, Attack] = {
    "list": lambda shop: shop.files.list(shop.root, "link"),
    "list below": lambda shop: shop.files.list(shop.root, "link/sub"),
    "stat": lambda shop: shop.files.stat(shop.root, "link/secret.txt"),
    "read": lambda shop: shop.files.read(shop.root, "link/secret.txt", max_bytes=100),
    "read a linked file": lambda shop: shop.files.read(shop.root, "file link", max_bytes=100),
    "write": lambda shop: shop.files.write(shop.root, "link/planted.txt", b"planted", CAUSE),
    "write over a link": lambda shop: shop.files.write(shop.root, "file link", b"planted", CAUSE),
    "make a folder": lambda shop: shop.files.make_folder(shop.root, "link/made", CAUSE),
    "move in": lambda shop: shop.files.move(shop.root, "mine.txt", shop.root, "link/mine.txt", CAUSE),
    "move out": lambda shop: shop.files.move(shop.root, "link/secret.txt", shop.root, "got.txt", CAUSE),
    "move a link": lambda shop: shop.files.move(shop.root, "link", shop.root, "deep/link", CAUSE),
    "delete": lambda shop: shop.files.delete(shop.root, "link/secret.txt", CAUSE),
    "delete a link": lambda shop: shop.files.delete(shop.root, "link", CAUSE),
    "deep": lambda shop: shop.files.read(shop.root, "deep/down/link/secret.txt", max_bytes=100),
}


@pytest.fixture(params=["held folders", "checked paths"])
async def shop(
    tmp_path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Workshop]:
    """A conversation folder with links in it, reached in the way of each system."""
    if request.param == "checked paths":
        monkeypatch.setattr(places, "HOLDS_FOLDERS", False)
    outside = tmp_path / "outside"
    (outside / "sub").mkdir(parents=True)
    (outside / "secret.txt").write_text("secret", encoding="utf-8")
    async with workshop_in(tmp_path) as opened:
        opened.put("mine.txt")
        opened.put("deep/down/x")
        (opened.folder / "link").symlink_to(outside)
        (opened.folder / "file link").symlink_to(outside / "secret.txt")
        (opened.folder / "deep/down/link").symlink_to("../../../outside")
        yield opened


def outside_of(shop: Workshop) -> dict[str, str]:
    outside = shop.folder.parent / "outside"
    return {
        str(path.relative_to(outside)): path.read_text(encoding="utf-8") if path.is_file() else ""
        for path in outside.rglob("*")
    }


@pytest.mark.req("TOOL-068", "PERM-058", "PERM-059")
@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
async def test_a_link_leads_nowhere(shop: Workshop, attack: Attack) -> None:
    before = outside_of(shop)
    with pytest.raises(NotochordError) as caught:
        await attack(shop)
    assert caught.value.code is Code.PATH_OUTSIDE
    assert outside_of(shop) == before
    assert (shop.folder / "mine.txt").exists()


def as_it_comes(path: Path) -> Place:
    return Place(None, str(path), path)


@contextmanager
def links_are_followed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patch:
        patch.setattr(places, "_checked", lambda root, parts, make: as_it_comes(root.joinpath(*parts)))
        patch.setattr(places, "look", lambda place: os.stat(place.name, dir_fd=place.folder))
        for flags in ("_CLOSED", "_READ", "_CREATE"):
            patch.setattr(places, flags, getattr(places, flags) & ~os.O_NOFOLLOW)
        yield


async def test_without_the_barrier_the_link_leads_out(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    with links_are_followed(monkeypatch):
        monkeypatch.setattr(reading, "look", places.look)
        assert await shop.files.read(shop.root, "link/secret.txt", max_bytes=100) == b"secret"


async def test_links_are_not_listed(shop: Workshop) -> None:
    assert [entry.name for entry in await shop.files.list(shop.root)] == ["deep", "mine.txt"]


async def test_links_inside_a_deleted_folder_are_deleted_and_not_followed(shop: Workshop) -> None:
    before = outside_of(shop)
    await shop.files.delete(shop.root, "deep", CAUSE)
    assert outside_of(shop) == before
    assert not (shop.folder / "deep").exists()


async def test_searching_follows_no_link(shop: Workshop) -> None:
    assert (await shop.files.search(shop.root, "", "secret")).hits == ()


def put_in_place(source: Path, target: Path) -> None:
    """Rename, also where a folder stands that the service made in the meantime."""
    while True:
        try:
            source.rename(target)
            return
        except OSError:
            shutil.rmtree(target, ignore_errors=True)


async def test_a_folder_that_is_swapped_for_a_link_all_the_time_never_leads_out(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "x.txt").write_text("secret", encoding="utf-8")
    stopped = threading.Event()
    async with workshop_in(tmp_path) as shop:
        shop.put("sub/x.txt", "mine")
        root = Root(shop.folder, hide_dots=False, history=False)

        def swap() -> None:
            sub, aside, link = shop.folder / "sub", shop.folder / "aside", shop.folder / "link"
            link.symlink_to(outside)
            while not stopped.is_set():
                sub.rename(aside)
                put_in_place(link, sub)
                put_in_place(sub, link)
                put_in_place(aside, sub)

        swapping = threading.Thread(target=swap)
        swapping.start()
        read = set()
        try:
            for _ in range(300):
                try:
                    read.add(await shop.files.read(root, "sub/x.txt", max_bytes=100))
                    await shop.files.write(root, "sub/x.txt", b"mine", CAUSE)
                except NotochordError as error:
                    read.add(error.code.value.encode())
        finally:
            stopped.set()
            swapping.join()
    assert b"mine" in read
    assert b"secret" not in read
    assert (outside / "x.txt").read_text(encoding="utf-8") == "secret"
    assert [path.name for path in outside.iterdir()] == ["x.txt"]


@pytest.mark.skipif(not HOLDS_FOLDERS, reason="folders are held open on POSIX only")
@pytest.mark.parametrize("swapped", [True, False])
def test_nothing_outside_goes_to_the_trash_when_a_folder_became_a_link(tmp_path: Path, swapped: bool) -> None:
    inside, elsewhere = tmp_path / "root" / "folder", tmp_path / "elsewhere"
    for folder in (inside, elsewhere):
        folder.mkdir(parents=True)
        (folder / "file.txt").write_text("text")
    trash = FolderTrash(tmp_path / "trash")
    with at(tmp_path / "root", ("folder", "file.txt")) as place:
        if swapped:
            inside.rename(tmp_path / "root" / "before")
            inside.symlink_to(elsewhere)
            with pytest.raises(NotochordError):
                discard(trash, place)
        else:
            discard(trash, place)
    assert (elsewhere / "file.txt").exists()
    assert trash.names() == ([] if swapped else ["file.txt"])
