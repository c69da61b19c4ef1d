"""The window follows the settings of the open organization."""

import asyncio
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QRect
from PySide6.QtWidgets import QApplication

from notochord.app.desktop.application import QtTexts
from notochord.app.desktop.preferences import Preferences
from notochord.app.desktop.stage import Stage
from notochord.core.events import EventBus
from notochord.core.paths import Home
from notochord.ui.kit.last_folders import Purpose, documents
from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from support.settings import MemorySettings


async def test_the_folders_of_dialogs_are_kept_with_the_organization(qapp: QApplication, tmp_path: Path) -> None:
    events = EventBus()
    settings = MemorySettings(events)
    stage = Stage(theme=Theme(qapp, ThemeChoice.LIGHT), texts=QtTexts(qapp), home=Home(tmp_path / "home"))
    stage.speak("en")
    first = Preferences(stage=stage, settings=settings, events=events)
    await first.start()
    stage.kit.folders.remember(Purpose.ATTACH, tmp_path)
    for _ in range(5):
        await asyncio.sleep(0)
    await first.close()
    assert stage.kit.folders.of(Purpose.ATTACH) == documents()
    second = Preferences(stage=stage, settings=settings, events=events)
    await second.start()
    assert stage.kit.folders.of(Purpose.ATTACH) == tmp_path
    await second.close()
    await stage.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@pytest.mark.req("SETUP-008")
async def test_a_window_in_another_language_opens_where_the_user_put_the_former_one(
    qapp: QApplication, tmp_path: Path
) -> None:
    stage = Stage(theme=Theme(qapp, ThemeChoice.LIGHT), texts=QtTexts(qapp), home=Home(tmp_path / "home"))
    stage.speak("en")
    assert stage.window is not None
    stage.window.setGeometry(30, 40, 700, 520)
    stage.speak("zh_CN")
    assert stage.window.geometry() == QRect(30, 40, 700, 520)
    await stage.close()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
