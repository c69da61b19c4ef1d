"""What is looked at beside a text grows with it."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.chat.cards.card import Glyph
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.menus import Menu, MenuEntry
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.transcript.style import TranscriptStyle


@pytest.fixture
def large(kit: Kit) -> Iterator[Kit]:
    kit.theme.set_text_size(100)
    yield kit
    kit.theme.set_text_size(100)


def test_icons_grow_with_the_text_and_go_back(large: Kit, qtbot: QtBot) -> None:
    button, alone, glyph = (
        Button(large, "Files", icon_name="file"),
        IconButton(large, "file", "Files"),
        Glyph(large, "file"),
    )
    for widget in (button, alone, glyph):
        qtbot.addWidget(widget)

    def sides() -> list[int]:
        return [button.iconSize().width(), alone.iconSize().width(), glyph.width()]

    before, room = sides(), alone.sizeHint()
    large.theme.set_text_size(200)
    assert all(after >= 1.5 * side for after, side in zip(sides(), before, strict=True))
    assert button.icon().availableSizes()[0].width() == button.iconSize().width()
    assert alone.sizeHint().width() > room.width()
    large.theme.set_text_size(100)
    assert (sides(), alone.sizeHint()) == (before, room)


def test_the_entries_of_a_menu_make_room_for_their_larger_icons(large: Kit, qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    large.theme.set_text_size(200)
    menu = Menu(large, [MenuEntry("Rename this conversation", lambda: None, "edit")], holder)
    without = Menu(large, [MenuEntry("Rename this conversation", lambda: None)], holder)
    side = menu.actions()[0].icon().availableSizes()[0].width()
    assert side == large.theme.grown(16) > 16
    assert menu.sizeHint().width() >= without.sizeHint().width() + side


def test_a_conversation_of_large_text_has_as_many_words_in_a_line(large: Kit) -> None:
    usual = TranscriptStyle.of(large.theme)
    large.theme.set_text_size(200)
    assert TranscriptStyle.of(large.theme).column == large.theme.grown(usual.column) > 1.5 * usual.column
