"""Names and titles from outside are shown in the order of their letters, in every control that shows one."""

import json
from collections.abc import Callable

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from notochord.core.observable import ObservableList
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.menus import Menu, MenuEntry
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.item_model import ItemModel
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import escaped, shown

NAME = "report\u202efdp.exe"
SEEN = "report⇠fdp.exe"


def in_menu(kit: Kit, text: str, parent: QWidget) -> str:
    return Menu(kit, [MenuEntry(text, lambda: None)], parent).actions()[0].text()


def in_list(text: str, parent: QObject) -> str:
    model = ItemModel(ObservableList([text]), {Qt.ItemDataRole.DisplayRole: str}, parent)
    return str(model.index(0).data())


SHOWS: dict[str, Callable[[Kit, str, QWidget], str]] = {
    "label": lambda kit, text, parent: Label(kit, text, parent).text(),
    "elided label": lambda kit, text, parent: ElidedLabel(kit, text, parent).text(),
    "button": lambda kit, text, parent: Button(kit, text, None, parent).text(),
    "row": lambda kit, text, parent: RowButton(kit, "file", text, "", lambda: None, parent).text(),
    "menu": in_menu,
    "list": lambda _, text, parent: in_list(text, parent),
}


@pytest.mark.parametrize("control", SHOWS)
def test_a_name_that_would_read_backwards_shows_that_it_would(kit: Kit, qtbot: QtBot, control: str) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    assert SHOWS[control](kit, NAME, parent) == SEEN


@pytest.mark.parametrize(
    "text", ["plain", "שלום עולם", "سلام", "نمی\u200cخواهم", "👩\u200d💻", "two\nlines\tand", "a\u200fb"]
)
def test_prose_of_any_language_is_shown_as_it_is(text: str) -> None:
    assert shown(text) == text


def test_json_with_escapes_means_the_same() -> None:
    value = {"url": "https://a.example/\u202e\u2066x\u200b", "name": "字"}
    text = escaped(json.dumps(value, ensure_ascii=False, indent=2))
    assert r"\u202e\u2066x\u200b" in text
    assert "字" in text
    assert json.loads(text) == value
