"""The settings in the smallest window: nothing of a section lies beyond its edge."""

import pytest
from PySide6.QtWidgets import QScrollArea
from pytestqt.qtbot import QtBot

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.page import SettingsPage
from notochord.ui.settings.scenes import SCENES

SMALLEST, SIDEBAR = 640, 56
BY_NAME = {scene.name: scene for scene in SCENES}
SECTIONS = (
    "providers-normal", "roles-waiting", "agents", "system",
    "network-refused", "accounts", "organization", "statistics",
)  # fmt: skip


@pytest.fixture
def room(kit: Kit, qtbot: QtBot) -> int:
    """How wide a section is beside the list of sections."""
    page = BY_NAME["settings-page"].build(kit)
    qtbot.addWidget(page)
    assert isinstance(page, SettingsPage)
    page.resize(SMALLEST - SIDEBAR, 480)
    page.show()
    qtbot.waitUntil(lambda: 0 < page.stack.width() < page.width())
    return page.stack.width()


@pytest.mark.parametrize("name", SECTIONS)
def test_a_section_fits_into_the_smallest_window(kit: Kit, qtbot: QtBot, room: int, name: str) -> None:
    section = BY_NAME[f"settings-{name}"].build(kit)
    qtbot.addWidget(section)
    assert isinstance(section, QScrollArea)
    section.resize(room, 480)
    section.show()
    content = section.widget()
    assert content is not None
    qtbot.waitUntil(lambda: content.width() <= section.viewport().width())
