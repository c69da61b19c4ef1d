"""Every change is kept before it is made, and can be taken back unless something else changed the file since."""

import os
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.files import changing
from notochord.services.files.api import Root
from support.clocks import START
from support.file_services import FolderTrash, Workshop, workshop_in

FIRST = Cause(conversation="c", branch="b", turn="t1", step="s1")
SECOND = Cause(conversation="c", branch="b", turn="t2", step="s2")
SECRET = "the old content that nobody may read on the disk"


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop_in(tmp_path) as opened:
        yield opened


def snapshot(folder: Path) -> dict[str, tuple[bytes, int, int] | None]:
    """Return content, mode and time of every file, None for a folder."""
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode, path.stat().st_mtime_ns)
        if path.is_file()
        else None
        for path in folder.rglob("*")
    }


@pytest.mark.req("PERM-096", "PERM-097", "TOOL-053", "TOOL-054")
async def test_an_overwritten_version_is_kept_and_comes_back(shop: Workshop) -> None:
    shop.put("a.txt", "old").chmod(0o640)
    before = snapshot(shop.folder)
    await shop.files.write(shop.gem, "a.txt", b"new", FIRST)
    assert [change.what for change in await shop.journal.changes(FIRST)] == ["a.txt overwritten"]
    reverted = await shop.journal.revert(FIRST)
    assert [change.what for change in reverted.undone] == ["a.txt overwritten"]
    assert snapshot(shop.folder) == before
    assert await shop.journal.changes(FIRST) == ()


@pytest.mark.req("PERM-100", "PERM-107", "TOOL-060", "TOOL-063")
async def test_a_deleted_file_comes_back_where_there_is_no_trash(shop: Workshop) -> None:
    shop.put("sub/a.txt", "old")
    before = snapshot(shop.folder)
    await shop.files.delete(shop.gem, "sub/a.txt", FIRST)
    await shop.journal.revert(FIRST)
    assert snapshot(shop.folder) == before


@pytest.mark.req("TOOL-061")
async def test_a_deleted_folder_comes_back_file_by_file(tmp_path: Path) -> None:
    async with workshop_in(tmp_path, trash=FolderTrash(tmp_path / "trash")) as shop:
        shop.put("sub/deep/a.txt", "A")
        shop.put("sub/b.txt", "B")
        (shop.folder / "sub/empty").mkdir()
        before = snapshot(shop.folder)
        await shop.files.delete(shop.root, "sub", FIRST)
        assert snapshot(shop.folder) == {}
        await shop.journal.revert(FIRST)
        assert snapshot(shop.folder) == before


@pytest.mark.req("PERM-101")
async def test_a_move_copies_no_content_and_is_taken_back(shop: Workshop) -> None:
    shop.put("a.txt", "A")
    shop.put("sub/b.txt", "B")
    before = snapshot(shop.folder)
    await shop.files.move(shop.root, "a.txt", shop.root, "new/place/a.txt", FIRST)
    await shop.files.move(shop.root, "sub", shop.root, "new/sub", FIRST)
    assert shop.kept() == []
    reverted = await shop.journal.revert(FIRST)
    assert len(reverted.undone) == 2
    assert snapshot(shop.folder) == before


@pytest.mark.req("PERM-096")
async def test_what_was_made_is_gone_after_a_revert_with_the_folders_it_needed(shop: Workshop) -> None:
    shop.put("there/x.txt")
    before = snapshot(shop.folder)
    await shop.files.write(shop.gem, "there/new/deep/a.txt", b"new", FIRST)
    await shop.files.make_folder(shop.gem, "made/too", FIRST)
    assert len(await shop.journal.changes(FIRST)) == 2
    await shop.journal.revert(FIRST)
    assert snapshot(shop.folder) == before


async def test_a_chain_of_changes_goes_back_to_its_beginning(shop: Workshop) -> None:
    shop.put("a.txt", "0")
    shop.put("dir/b.txt", "b")
    before = snapshot(shop.folder)
    await shop.files.write(shop.root, "a.txt", b"1", FIRST)
    await shop.files.write(shop.root, "a.txt", b"2", FIRST)
    await shop.files.move(shop.root, "a.txt", shop.root, "dir/a.txt", FIRST)
    await shop.files.move(shop.root, "dir", shop.root, "moved", FIRST)
    await shop.files.write(shop.root, "moved/a.txt", b"3", FIRST)
    await shop.files.write(shop.root, "a.txt", b"another", FIRST)
    await shop.files.delete(shop.root, "moved", FIRST)
    reverted = await shop.journal.revert(FIRST)
    assert reverted.skipped == ()
    assert snapshot(shop.folder) == before


@pytest.mark.req("PERM-105")
async def test_what_something_else_changed_since_is_left_alone_and_named(shop: Workshop) -> None:
    shop.put("mine.txt", "old")
    await shop.files.write(shop.gem, "mine.txt", b"gem", FIRST)
    await shop.files.write(shop.gem, "theirs.txt", b"gem", FIRST)
    await shop.files.delete(shop.gem, "mine.txt", FIRST)
    shop.put("theirs.txt", "edited by the user")
    shop.put("mine.txt", "made anew by the user")
    reverted = await shop.journal.revert(FIRST)
    assert (shop.text("theirs.txt"), shop.text("mine.txt")) == ("edited by the user", "made anew by the user")
    assert reverted.undone == ()
    assert {change.subject for change in reverted.skipped} == {"mine.txt", "theirs.txt"}


@pytest.mark.req("PERM-105")
async def test_a_file_that_was_edited_after_its_move_stays_where_it_is(shop: Workshop) -> None:
    shop.put("a.txt", "A")
    await shop.files.move(shop.root, "a.txt", shop.root, "b.txt", FIRST)
    shop.put("b.txt", "edited by the user")
    reverted = await shop.journal.revert(FIRST)
    assert len(reverted.skipped) == 1
    assert shop.text("b.txt") == "edited by the user"


@pytest.mark.req("PERM-103", "PERM-104")
async def test_only_the_changes_of_the_named_turn_go_back(shop: Workshop) -> None:
    shop.put("a.txt", "old")
    shop.put("b.txt", "old")
    await shop.files.write(shop.root, "a.txt", b"first", FIRST)
    await shop.files.write(shop.root, "b.txt", b"second", SECOND)
    await shop.journal.revert(Cause(conversation="c", turn="t2"))
    assert (shop.text("a.txt"), shop.text("b.txt")) == ("first", "old")


async def test_a_turn_that_a_later_one_built_on_is_left_alone(shop: Workshop) -> None:
    await shop.files.write(shop.root, "a.txt", b"first", FIRST)
    await shop.files.write(shop.root, "a.txt", b"second", SECOND)
    assert len((await shop.journal.revert(FIRST)).skipped) == 1
    assert shop.text("a.txt") == "second"


async def test_what_the_user_edited_between_two_changes_comes_back(shop: Workshop) -> None:
    shop.put("a.txt", "old")
    await shop.files.write(shop.root, "a.txt", b"first", FIRST)
    shop.put("a.txt", "edited by the user")
    await shop.files.write(shop.root, "a.txt", b"again", FIRST)
    await shop.journal.revert(FIRST)
    assert shop.text("a.txt") == "edited by the user"


async def test_a_file_that_the_user_gave_stays_when_the_turn_goes_back(shop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "given.csv").write_text("x", encoding="utf-8")
    await shop.files.take_in(shop.root, tmp_path / "given.csv", FIRST)
    assert [change.what for change in await shop.journal.changes(FIRST)] == ["given.csv taken in"]
    reverted = await shop.journal.revert(FIRST)
    assert (reverted.undone, reverted.skipped) == ((), ())
    assert shop.text("given.csv") == "x"


async def test_a_revert_keeps_what_it_replaces(shop: Workshop) -> None:
    shop.put("a.txt", "old")
    await shop.files.write(shop.root, "a.txt", b"new", FIRST)
    assert len(shop.kept()) == 1
    await shop.journal.revert(FIRST)
    assert len(shop.kept()) == 2


async def test_the_history_is_there_after_a_restart(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        shop.put("a.txt", "old")
        await shop.files.write(shop.root, "a.txt", b"new", FIRST)
    async with workshop_in(tmp_path) as shop:
        await shop.journal.revert(FIRST)
        assert shop.text("a.txt") == "old"


async def test_copies_that_no_record_knows_are_swept_at_the_start(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        shop.put("a.txt", "old")
        await shop.files.write(shop.root, "a.txt", b"new", FIRST)
        known = shop.kept()
        (shop.history / ("0" * 26)).write_bytes(b"left by a kill")
    async with workshop_in(tmp_path) as shop:
        assert shop.kept() == known


async def test_kept_copies_are_unreadable_without_the_key(shop: Workshop) -> None:
    shop.put("a.txt", SECRET)
    await shop.files.write(shop.root, "a.txt", b"new", FIRST)
    [kept] = shop.kept()
    assert SECRET.encode() not in kept.read_bytes()
    assert kept.stat().st_mode & 0o077 == 0
    await shop.journal.revert(FIRST)
    assert shop.text("a.txt") == SECRET


async def test_a_damaged_copy_is_not_put_back(shop: Workshop) -> None:
    shop.put("a.txt", "old")
    await shop.files.write(shop.root, "a.txt", b"new", FIRST)
    [kept] = shop.kept()
    content = bytearray(kept.read_bytes())
    content[-1] ^= 1
    kept.write_bytes(content)
    assert len((await shop.journal.revert(FIRST)).skipped) == 1
    assert shop.text("a.txt") == "new"


async def test_the_history_of_a_deleted_conversation_is_gone(shop: Workshop) -> None:
    shop.put("a.txt", "old")
    await shop.files.write(shop.root, "a.txt", b"new", FIRST)
    await shop.files.write(shop.root, "a.txt", b"newer", Cause(conversation="other"))
    await shop.files.forget("c")
    assert len(shop.kept()) == 1
    assert await shop.journal.changes(FIRST) == ()
    assert len(await shop.journal.changes(Cause(conversation="other"))) == 1


@pytest.mark.req("PERM-098")
async def test_a_large_file_goes_to_the_trash_before_it_is_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changing, "KEPT_BYTES", 10)
    trash = FolderTrash(tmp_path / "trash")
    async with workshop_in(tmp_path, trash=trash) as shop:
        shop.put("large.txt", "more than ten")
        shop.put("small.txt", "ten bytes!")
        await shop.files.write(shop.gem, "large.txt", b"new", FIRST)
        await shop.files.write(shop.gem, "small.txt", b"new", FIRST)
        assert trash.names() == ["large.txt"]
        assert (len(shop.kept()), shop.text("large.txt")) == (1, "new")
        reverted = await shop.journal.revert(FIRST)
        assert [change.subject for change in reverted.skipped] == ["large.txt"]


async def test_a_large_file_is_kept_where_there_is_no_trash(shop: Workshop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(changing, "KEPT_BYTES", 10)
    shop.put("large.txt", "more than ten")
    await shop.files.write(shop.gem, "large.txt", b"new", FIRST)
    await shop.journal.revert(FIRST)
    assert shop.text("large.txt") == "more than ten"


async def test_a_root_without_history_keeps_nothing(shop: Workshop) -> None:
    shop.put("a.txt", "old")
    await shop.files.write(Root(shop.folder, hide_dots=False, history=False), "a.txt", b"new", FIRST)
    assert shop.kept() == []
    assert await shop.journal.changes(FIRST) == ()


async def test_a_file_that_changes_while_it_is_kept_is_kept_again(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop.put("a.txt", "old")
    keep, times = changing.Changing.keep, iter(range(9))

    def keep_and_edit(self: changing.Changing, root: Root, parts: tuple[str, ...]) -> changing.Before:
        before = keep(self, root, parts)
        if next(times) == 0:
            shop.put("a.txt", "edited meanwhile")
        return before

    monkeypatch.setattr(changing.Changing, "keep", keep_and_edit)
    await shop.files.write(shop.root, "a.txt", b"new", FIRST)
    assert shop.text("a.txt") == "new"
    await shop.journal.revert(FIRST)
    assert shop.text("a.txt") == "edited meanwhile"


async def test_a_file_that_never_stops_changing_is_not_overwritten(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = shop.put("a.txt", "old")
    keep = changing.Changing.keep

    def keep_and_edit(self: changing.Changing, root: Root, parts: tuple[str, ...]) -> changing.Before:
        before = keep(self, root, parts)
        path.write_text(path.read_text(encoding="utf-8") + "+", encoding="utf-8")
        return before

    monkeypatch.setattr(changing.Changing, "keep", keep_and_edit)
    with pytest.raises(NotochordError) as caught:
        await shop.files.write(shop.root, "a.txt", b"new", FIRST)
    assert caught.value.code is Code.FILE_BUSY
    assert shop.text("a.txt").startswith("old+")
    assert os.listdir(shop.folder) == ["a.txt"]  # noqa: PTH208


async def test_changes_go_back_in_their_order_though_the_clock_was_set_back_in_between(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        shop.put("a.txt", "before")
        await shop.files.write(shop.root, "a.txt", b"first", Cause(conversation="c", turn="1"))
    async with workshop_in(tmp_path, start=START - timedelta(days=400)) as shop:
        await shop.files.write(shop.root, "a.txt", b"second", Cause(conversation="c", turn="2"))
        reverted = await shop.files.revert(Cause(conversation="c"))
        assert (len(reverted.undone), reverted.skipped) == (2, ())
        assert shop.text("a.txt") == "before"
