"""The panel of files: looking, versions, going back, and opening nothing that could run."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.services.chat.api import Chat, ChatChanged, ChatState
from notochord.viewmodels.chat.files import MOST_ROWS, MOST_TEXT, FilesModel, Shown
from support.desks import FakeOpening
from support.eventually import until
from support.file_services import Workshop, workshop_in

AGENT = Cause("chat", "branch", "turn")


@asynccontextmanager
async def panel_in(folder: Path) -> AsyncIterator[tuple[FilesModel, Workshop, FakeOpening, EventBus]]:
    async with workshop_in(folder) as shop:
        chat = Chat("chat", "", False, shop.folder, True, "m", False, ChatState.IDLE, 0)
        opening, events = FakeOpening(), EventBus()
        panel = FilesModel(
            chat, files=shop.files, versions=shop.files, opening=opening, events=events, clock=shop.clock
        )
        await panel.start()
        try:
            yield panel, shop, opening, events
        finally:
            await panel.close()


async def test_folders_come_first_and_what_an_answer_wrote_appears_by_itself(tmp_path: Path) -> None:
    async with panel_in(tmp_path) as (panel, shop, _, events):
        assert not panel.entries
        for path in ("b.txt", "out/a.csv", ".hidden"):
            await shop.files.write(shop.root, path, b"1", AGENT)
        events.publish(ChatChanged("chat"))
        await until(lambda: [entry.name for entry in panel.entries] == ["out", "b.txt"])
        await panel.choose("out")
        assert [entry.name for entry in panel.entries] == ["a.csv"]
        await panel.up()
        assert panel.path.value == ""


@pytest.mark.parametrize(
    ("name", "content", "shown"),
    [
        ("a.txt", b"text", Shown.TEXT),
        ("a.md", b"# head", Shown.MARKDOWN),
        ("a.png", b"\x89PNG", Shown.IMAGE),
        ("a.bin", b"\xff\xfe\x00", Shown.NOTHING),
        ("a.log", b"a\0b", Shown.NOTHING),
        ("a.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\nstream\nx\x9c\x03\x08\xff\xe1", Shown.NOTHING),
        ("a.csv", b'x;y\n"1;2";3\n', Shown.TABLE),
    ],
)
async def test_a_file_is_previewed_by_its_kind(tmp_path: Path, name: str, content: bytes, shown: Shown) -> None:
    async with panel_in(tmp_path) as (panel, shop, _, _events):
        await shop.files.write(shop.root, name, content, AGENT)
        await panel.show(name)
        preview = panel.preview.value
        assert preview is not None
        assert preview.shown is shown
        if shown is Shown.TABLE:
            assert preview.rows == (("x", "y"), ("1;2", "3"))


async def test_what_is_too_large_is_not_read_and_a_long_table_is_cut(tmp_path: Path) -> None:
    async with panel_in(tmp_path) as (panel, shop, _, _events):
        await shop.files.write(shop.root, "big.txt", b"x" * (MOST_TEXT + 1), AGENT)
        await panel.show("big.txt")
        assert panel.preview.value is not None
        assert panel.preview.value.shown is Shown.NOTHING
        await shop.files.write(shop.root, "long.csv", b"a,b\n" * (MOST_ROWS + 5), AGENT)
        await panel.show("long.csv")
        assert panel.preview.value.cut
        assert len(panel.preview.value.rows) == MOST_ROWS


async def test_a_version_is_looked_at_and_put_back(tmp_path: Path) -> None:
    async with panel_in(tmp_path) as (panel, shop, _, _events):
        for content in (b"one", b"two"):
            await shop.files.write(shop.root, "a.txt", content, AGENT)
        await panel.show("a.txt")
        (version,) = panel.versions
        await panel.show_version(version.id)
        assert panel.preview.value is not None
        assert panel.preview.value.text == "one"
        await panel.restore(version.id)
        assert (shop.folder / "a.txt").read_bytes() == b"one"
        assert len(panel.versions) == 2
        assert panel.preview.value.version == ""


async def test_only_harmless_kinds_are_opened_and_no_link_is_followed(tmp_path: Path) -> None:
    async with panel_in(tmp_path) as (panel, shop, opening, _):
        (shop.folder / "link.txt").symlink_to("/etc/passwd")
        for name in ("a.pdf", "run.sh", "page.html", "link.txt", "../a.txt"):
            panel.open_file(name)
        assert opening.files == [shop.folder / "a.pdf"]
        assert len(opening.folders) == 4
        panel.open_folder()
        assert opening.folders[-1] == shop.folder


async def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    async with panel_in(tmp_path) as (panel, _, _opening, _events):
        await panel.go("nowhere")
        assert panel.problem.value is not None
        with pytest.raises(NotochordError) as caught:
            await panel.show("nothing.txt")
        assert caught.value.code is Code.FILE_MISSING


async def test_a_preview_follows_what_an_answer_does_with_the_file(tmp_path: Path) -> None:
    async with panel_in(tmp_path) as (panel, shop, _, events):
        await shop.files.write(shop.root, "a.csv", b"x,y\n1,2\n", AGENT)
        await panel.show("a.csv")
        seen: list[object] = []
        panel.preview.watch(seen.append)
        events.publish(ChatChanged("chat"))
        await shop.files.write(shop.root, "a.csv", b"x,y\n3,4\n", AGENT)
        events.publish(ChatChanged("chat"))
        await until(lambda: panel.preview.value is not None and panel.preview.value.rows == (("x", "y"), ("3", "4")))
        await until(lambda: len(panel.versions) == 1)
        assert len(seen) == 1
        await shop.files.delete(shop.root, "a.csv", AGENT)
        events.publish(ChatChanged("chat"))
        await until(lambda: panel.preview.value is None and not panel.entries)


async def test_a_list_in_which_nothing_changed_is_not_told_anew(tmp_path: Path) -> None:
    async with panel_in(tmp_path) as (panel, shop, _, events):
        await shop.files.write(shop.root, "a.csv", b"x", AGENT)
        await panel.go("")
        changes: list[object] = []
        panel.entries.watch(changes.append)
        events.publish(ChatChanged("chat"))
        await shop.files.write(shop.root, "b.csv", b"x", AGENT)
        await until(lambda: not panel._reading)
        events.publish(ChatChanged("chat"))
        await until(lambda: len(panel.entries) == 2)
        assert len(changes) == 1


@pytest.mark.parametrize("encoding", ["utf-8-sig", "gb18030", "utf-16"])
async def test_a_table_in_the_encoding_of_another_program_is_previewed(tmp_path: Path, encoding: str) -> None:
    async with panel_in(tmp_path) as (panel, shop, _, _events):
        await shop.files.write(shop.root, "a.csv", "姓名,金额\n李雷,5\n".encode(encoding), AGENT)
        await panel.show("a.csv")
        assert panel.preview.value is not None
        assert panel.preview.value.rows == (("姓名", "金额"), ("李雷", "5"))
