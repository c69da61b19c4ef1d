"""Files of a conversation: listed, read, written, moved and deleted below one folder, and never outside it."""

import asyncio
import os
import stat
import tempfile
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.files.api import EntryType, Root
from notochord.services.files.component import COMPONENT
from notochord.services.files.paths import MAX_DEPTH
from notochord.services.files.tables import METADATA
from support.file_services import FolderTrash, Workshop, workshop_in
from support.schemas import assert_same_schema

CAUSE = Cause(conversation="c", turn="t")


@pytest.fixture
async def shop(tmp_path: Path) -> AsyncIterator[Workshop]:
    async with workshop_in(tmp_path) as opened:
        yield opened


def plain(folder: Path) -> Root:
    return Root(folder, hide_dots=False, history=False)


def test_the_table_is_that_of_the_migrations() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("TOOL-043", "TOOL-066")
async def test_a_listing_names_type_size_and_time_and_no_absolute_path(shop: Workshop) -> None:
    shop.put("sub/inner.txt")
    os.utime(shop.put("report.md", "12345"), ns=(0, 1_700_000_000_123_456_789))
    folder, file = sorted(await shop.files.list(shop.root), key=lambda entry: entry.type.value, reverse=True)
    assert (folder.name, folder.type, folder.size) == ("sub", EntryType.FOLDER, 0)
    assert (file.name, file.type, file.size, file.modified) == ("report.md", EntryType.FILE, 5, 1_700_000_000_123)


@pytest.mark.req("PERM-093", "TOOL-069")
async def test_dot_entries_are_listed_for_an_agent_and_not_for_a_gem(shop: Workshop) -> None:
    shop.put(".env")
    shop.put("seen.txt")
    assert [entry.name for entry in await shop.files.list(shop.root)] == [".env", "seen.txt"]
    assert [entry.name for entry in await shop.files.list(shop.gem)] == ["seen.txt"]


@pytest.mark.req("TOOL-046", "TOOL-047")
async def test_stat_tells_of_one_item_and_none_for_what_is_not_there(shop: Workshop) -> None:
    shop.put("a/b.txt", "four")
    found = await shop.files.stat(shop.root, "a/b.txt")
    assert found is not None
    assert (found.name, found.size) == ("b.txt", 4)
    assert await shop.files.stat(shop.root, "a/none") is None
    assert await shop.files.stat(shop.root, "none/b.txt") is None
    assert await shop.files.stat(shop.root, "a/b.txt/below") is None


@pytest.mark.req("TOOL-048")
async def test_reading_returns_the_bytes(shop: Workshop) -> None:
    (shop.folder / "all").write_bytes(bytes(range(256)))
    assert await shop.files.read(shop.root, "all", max_bytes=256) == bytes(range(256))


@pytest.mark.req("TOOL-074")
async def test_a_file_over_the_limit_is_refused_whole(shop: Workshop) -> None:
    shop.put("long", "x" * 101)
    with pytest.raises(NotochordError) as caught:
        await shop.files.read(shop.root, "long", max_bytes=100)
    assert caught.value.code is Code.PAYLOAD_TOO_LARGE


@pytest.mark.parametrize(
    ("path", "code"), [("none", Code.FILE_MISSING), ("sub", Code.PATH_INVALID), ("pipe", Code.PATH_INVALID)]
)
async def test_what_is_no_file_is_not_read(shop: Workshop, path: str, code: Code) -> None:
    shop.put("sub/x")
    os.mkfifo(shop.folder / "pipe")
    with pytest.raises(NotochordError) as caught:
        await shop.files.read(shop.root, path, max_bytes=10)
    assert caught.value.code is code


@pytest.mark.req("TOOL-050", "TOOL-051")
async def test_writing_makes_the_missing_folders(shop: Workshop) -> None:
    await shop.files.write(shop.root, "a/b/c.txt", b"new", CAUSE)
    assert shop.text("a/b/c.txt") == "new"


async def test_an_overwritten_file_keeps_its_permissions_and_a_new_one_cannot_be_run(shop: Workshop) -> None:
    shop.put("run.sh").chmod(0o750)
    await shop.files.write(shop.root, "run.sh", b"new", CAUSE)
    await shop.files.write(shop.root, "new.sh", b"new", CAUSE)
    assert stat.S_IMODE((shop.folder / "run.sh").stat().st_mode) == 0o750
    assert not stat.S_IMODE((shop.folder / "new.sh").stat().st_mode) & 0o111


@pytest.mark.req("TOOL-055")
async def test_making_a_folder_twice_is_fine_and_over_a_file_is_refused(shop: Workshop) -> None:
    await shop.files.make_folder(shop.root, "a/b", CAUSE)
    await shop.files.make_folder(shop.root, "a/b", CAUSE)
    assert (shop.folder / "a/b").is_dir()
    shop.put("file")
    with pytest.raises(NotochordError) as caught:
        await shop.files.make_folder(shop.root, "file", CAUSE)
    assert caught.value.code is Code.FILE_EXISTS


@pytest.mark.req("TOOL-056", "TOOL-057")
async def test_files_and_folders_move_within_a_root_and_between_two(shop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    shop.put("a.txt", "A")
    shop.put("sub/b.txt", "B")
    await shop.files.move(shop.root, "a.txt", shop.root, "new/a2.txt", CAUSE)
    await shop.files.move(shop.root, "sub", plain(tmp_path / "run"), "deep/sub", CAUSE)
    await shop.files.move(plain(tmp_path / "run"), "deep/sub/b.txt", shop.root, "b.txt", CAUSE)
    assert (shop.text("new/a2.txt"), shop.text("b.txt")) == ("A", "B")
    assert sorted(path.name for path in shop.folder.iterdir()) == ["b.txt", "new"]


@pytest.mark.req("PERM-102", "TOOL-058")
@pytest.mark.parametrize("source", ["file", "folder"])
@pytest.mark.parametrize("target", ["taken", "taken folder"])
async def test_a_move_overwrites_nothing(shop: Workshop, source: str, target: str) -> None:
    shop.put("file", "moving")
    shop.put("folder/x")
    shop.put("taken", "there")
    (shop.folder / "taken folder").mkdir()
    with pytest.raises(NotochordError) as caught:
        await shop.files.move(shop.root, source, shop.root, target, CAUSE)
    assert caught.value.code is Code.FILE_EXISTS
    assert (shop.text("file"), shop.text("taken")) == ("moving", "there")


async def test_moving_folders_into_each_other_ends_where_no_path_would_lead_any_more(shop: Workshop) -> None:
    """Each move could double the depth; what nobody can reach nobody can delete."""
    deep = "/".join("d" * (MAX_DEPTH - 1))
    await shop.files.make_folder(shop.root, f"a/{deep}", CAUSE)
    await shop.files.make_folder(shop.root, "b", CAUSE)
    with pytest.raises(NotochordError) as caught:
        await shop.files.move(shop.root, "a", shop.root, "b/a", CAUSE)
    assert caught.value.code is Code.PATH_INVALID
    await shop.files.move(shop.root, "a", shop.root, "c", CAUSE)
    assert (shop.folder / "c" / deep).is_dir()


async def test_a_folder_does_not_move_into_itself(shop: Workshop) -> None:
    shop.put("a/x")
    with pytest.raises(NotochordError) as caught:
        await shop.files.move(shop.root, "a", shop.root, "a/b", CAUSE)
    assert caught.value.code is Code.PATH_INVALID
    assert shop.text("a/x") == "text"


@pytest.fixture
def other_disk(tmp_path: Path) -> Iterator[Path]:
    memory = Path("/dev/shm")
    if not memory.is_dir() or memory.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no second disk")
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


@pytest.mark.parametrize("folder", [False, True])
async def test_a_move_to_another_disk_takes_everything_along(shop: Workshop, other_disk: Path, folder: bool) -> None:
    os.utime(shop.put("a/x.txt", "content"), ns=(0, 1_600_000_000_000_000_000))
    name = "a" if folder else "a/x.txt"
    await shop.files.move(shop.root, name, plain(other_disk), "moved", CAUSE)
    moved = other_disk / "moved" / "x.txt" if folder else other_disk / "moved"
    assert moved.read_text(encoding="utf-8") == "content"
    assert moved.stat().st_mtime_ns == 1_600_000_000_000_000_000
    assert not (shop.folder / name).exists()


@pytest.mark.req("PERM-099", "TOOL-059")
@pytest.mark.parametrize("name", ["file.txt", "folder"])
async def test_deleting_moves_to_the_trash(tmp_path: Path, name: str) -> None:
    trash = FolderTrash(tmp_path / "trash")
    async with workshop_in(tmp_path, trash=trash) as shop:
        shop.put("file.txt")
        shop.put("folder/x.txt")
        await shop.files.delete(shop.root, name, CAUSE)
        assert not (shop.folder / name).exists()
    assert trash.names() == [name]


@pytest.mark.req("PERM-106", "TOOL-062")
async def test_deleting_is_permanent_where_there_is_no_trash(shop: Workshop) -> None:
    shop.put("folder/sub/x.txt")
    await shop.files.delete(shop.root, "folder", CAUSE)
    assert list(shop.folder.iterdir()) == []


async def test_a_trash_that_refuses_leaves_the_file_where_it_was(tmp_path: Path) -> None:
    class Refusing:
        def discard(self, path: Path) -> None:
            raise PermissionError(13, "no trash on this disk")

    async with workshop_in(tmp_path, trash=Refusing()) as shop:
        shop.put("file.txt")
        with pytest.raises(NotochordError) as caught:
            await shop.files.delete(shop.root, "file.txt", CAUSE)
        assert caught.value.code is Code.PERM_DENIED
        assert shop.text("file.txt") == "text"


@pytest.mark.parametrize("path", ["", ".", "./"])
async def test_the_root_itself_is_not_changed(shop: Workshop, path: str) -> None:
    for change in (
        shop.files.write(shop.root, path, b"", CAUSE),
        shop.files.delete(shop.root, path, CAUSE),
        shop.files.move(shop.root, path, shop.root, "x", CAUSE),
        shop.files.make_folder(shop.root, path, CAUSE),
    ):
        with pytest.raises(NotochordError) as caught:
            await change
        assert caught.value.code is Code.PATH_INVALID


async def test_a_gem_neither_deletes_nor_moves_a_folder_with_dot_entries(shop: Workshop, tmp_path: Path) -> None:
    shop.put("project/.git/config")
    (tmp_path / "run").mkdir()
    for change in (
        shop.files.delete(shop.gem, "project", CAUSE),
        shop.files.move(shop.gem, "project", plain(tmp_path / "run"), "project", CAUSE),
    ):
        with pytest.raises(NotochordError) as caught:
            await change
        assert caught.value.code is Code.PATH_INVALID
    assert (shop.folder / "project/.git/config").exists()


async def test_a_gem_brings_no_dot_entries_in_with_a_folder(shop: Workshop, tmp_path: Path) -> None:
    (tmp_path / "run" / "made" / ".git").mkdir(parents=True)
    with pytest.raises(NotochordError) as caught:
        await shop.files.move(plain(tmp_path / "run"), "made", shop.gem, "made", CAUSE)
    assert caught.value.code is Code.PATH_INVALID


@pytest.mark.req("PERM-086")
async def test_files_that_are_taken_in_get_free_names(shop: Workshop, tmp_path: Path) -> None:
    source = tmp_path / "report.pdf"
    source.write_bytes(b"new")
    shop.put("report.pdf", "old")
    names = [await shop.files.take_in(shop.root, source, CAUSE) for _ in range(2)]
    assert names == ["report (2).pdf", "report (3).pdf"]
    assert (shop.text("report.pdf"), shop.text("report (3).pdf")) == ("old", "new")


async def test_a_file_that_is_taken_in_gets_a_name_that_can_be_said(shop: Workshop, tmp_path: Path) -> None:
    for name in (".env", "con", "a:b?.csv"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    names = [await shop.files.take_in(shop.gem, tmp_path / name, CAUSE) for name in (".env", "con", "a:b?.csv")]
    assert names == ["_.env", "_con", "a_b_.csv"]
    assert [entry.name for entry in await shop.files.list(shop.gem)] == sorted(names)


@pytest.mark.parametrize("name", ["none", "folder"])
async def test_only_a_file_is_taken_in(shop: Workshop, tmp_path: Path, name: str) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(NotochordError) as caught:
        await shop.files.take_in(shop.root, tmp_path / name, CAUSE)
    assert caught.value.code is Code.FILE_MISSING


async def test_changes_at_the_same_time_leave_one_of_them_whole(shop: Workshop) -> None:
    contents = [bytes([65 + number]) * 50_000 for number in range(8)]
    await asyncio.gather(*(shop.files.write(shop.root, "one.txt", content, CAUSE) for content in contents))
    assert (shop.folder / "one.txt").read_bytes() in contents
    assert os.listdir(shop.folder) == ["one.txt"]  # noqa: PTH208


async def test_a_cancelled_write_has_happened_whole_or_not_at_all(shop: Workshop) -> None:
    shop.put("one.txt", "old")
    for rounds in range(12):
        writing = asyncio.create_task(shop.files.write(shop.root, "one.txt", b"new" * 1000, CAUSE))
        for _ in range(rounds):
            await asyncio.sleep(0.001)
        writing.cancel()
        await asyncio.wait({writing})
        assert shop.text("one.txt") in ("old", "new" * 1000)
        assert os.listdir(shop.folder) == ["one.txt"]  # noqa: PTH208


async def test_unfinished_files_are_not_listed(shop: Workshop) -> None:
    shop.put(".notochord-0123456789abcdef.part")
    assert await shop.files.list(shop.root) == []
