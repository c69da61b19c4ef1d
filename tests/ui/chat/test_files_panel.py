"""The panel of files on the real file service: the keyboard keeps its place, and the list what it is on."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from notochord.core.caller import Cause
from notochord.core.events import EventBus
from notochord.core.tasks import Lifetime
from notochord.services.chat.api import Chat, ChatChanged, ChatState
from notochord.ui.chat.files_panel import FilesPanel
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.files import FilesModel
from support.desks import FakeOpening
from support.file_services import Workshop, workshop_in
from support.windows import Presenter, destroyed, until_seen


@asynccontextmanager
async def panel_in(folder: Path, kit: Kit, *paths: str) -> AsyncIterator[tuple[FilesPanel, Workshop, EventBus]]:
    lifetime, events = Lifetime("window"), EventBus()
    async with workshop_in(folder) as shop:
        for path in paths:
            shop.put(path)
        chat = Chat("chat", "", False, shop.folder, True, "m", False, ChatState.IDLE, 0)
        model = FilesModel(
            chat, files=shop.files, versions=shop.files, opening=FakeOpening(), events=events, clock=shop.clock
        )
        await model.start()
        panel = FilesPanel(replace(kit, runner=Presenter().runner(lifetime)), model, lambda: None)
        panel.resize(400, 600)
        panel.show()
        await until_seen(panel.isActiveWindow)
        try:
            yield panel, shop, events
        finally:
            panel.close()
            panel.deleteLater()
            await model.close()
            await lifetime.close()
            destroyed()


def is_on(panel: FilesPanel, name: str) -> bool:
    return name in panel.lines and panel.lines[name].hasFocus()


async def test_the_keyboard_goes_into_folders_and_files_and_back_to_where_it_was(tmp_path: Path, kit: Kit) -> None:
    async with panel_in(tmp_path, kit, "out/a.csv", "out/b.csv", "z.txt") as (panel, _, _events):
        panel.lines["out"].setFocus()
        QTest.keyClick(panel.lines["out"], Qt.Key.Key_Return)
        await until_seen(lambda: is_on(panel, "a.csv"))
        panel.lines["b.csv"].setFocus()
        QTest.keyClick(panel.lines["b.csv"], Qt.Key.Key_Return)
        await until_seen(panel.back.hasFocus)
        QTest.keyClick(panel.back, Qt.Key.Key_Return)
        await until_seen(lambda: panel.list.isVisible() and panel.back.hasFocus())
        QTest.keyClick(panel.back, Qt.Key.Key_Return)
        await until_seen(lambda: is_on(panel, "out"))


async def test_the_keyboard_stays_on_its_file_while_an_answer_writes_others(tmp_path: Path, kit: Kit) -> None:
    async with panel_in(tmp_path, kit, "a.txt", "c.txt") as (panel, shop, events):
        panel.lines["c.txt"].setFocus()
        await shop.files.write(shop.root, "b.txt", b"1", Cause("chat", "branch", "turn"))
        events.publish(ChatChanged("chat"))
        await until_seen(lambda: "b.txt" in panel.lines)
        await until_seen(lambda: is_on(panel, "c.txt"))
