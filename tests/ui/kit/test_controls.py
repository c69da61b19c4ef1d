"""The shared controls: by mouse, by keyboard, in another theme and size."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible, QColor, QImage, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notochord.ui.kit.controls.badges import Badge
from notochord.ui.kit.controls.buttons import Button, Ground, IconButton
from notochord.ui.kit.controls.choices import Segmented, Switch
from notochord.ui.kit.controls.confirm import Confirm
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.menus import Menu, MenuEntry
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.controls.search_field import SearchField
from notochord.ui.kit.controls.sections import FormRow
from notochord.ui.kit.controls.wrap import Wrap
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.draw_buttons import as_seen
from notochord.ui.kit.theme.theme import ThemeChoice
from support.focus_walk import shown


def picture_of(widget: QWidget) -> QImage:
    return widget.grab().toImage()


def test_a_name_must_be_typed_before_what_it_names_can_be_destroyed(kit: Kit, qtbot: QtBot) -> None:
    page, done = QWidget(), list[str]()
    shown(qtbot, page)
    asked = Confirm(kit, page, "Delete?", "All of it.", "Delete", lambda: done.append("deleted"), typed="Family")
    asked.open()
    assert asked.field is not None
    QTest.keyClicks(asked.field, "Famil")
    assert not asked.act.isEnabled()
    QTest.keyClicks(asked.field, "y")
    asked.destroyed.connect(lambda: done.append("gone"))
    asked.act.click()
    qtbot.waitUntil(lambda: done == ["deleted", "gone"])


def test_the_harmless_answer_has_the_keyboard_and_escape_means_it(kit: Kit, qtbot: QtBot) -> None:
    page, done = QWidget(), list[str]()
    shown(qtbot, page)
    asked = Confirm(kit, page, "Delete?", "All of it.", "Delete", lambda: done.append("deleted"))
    asked.open()
    assert asked.focusWidget() is asked.cancel
    asked.destroyed.connect(lambda: done.append("gone"))
    QTest.keyClick(asked, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: done == ["gone"])


def test_a_switch_is_turned_by_key_and_tells_it_once(kit: Kit, qtbot: QtBot) -> None:
    told: list[bool] = []
    switch = Switch(kit, "Notify", on_change=told.append)
    shown(qtbot, switch)
    QTest.keyClick(switch, Qt.Key.Key_Space)
    assert (switch.isChecked(), told) == (True, [True])


def test_one_of_a_few_words_is_chosen_with_the_mouse_and_shown_without_telling(kit: Kit, qtbot: QtBot) -> None:
    told: list[str] = []
    choice = Segmented(kit, "Theme", (("light", "Light"), ("dark", "Dark")), "light", told.append)
    shown(qtbot, choice)
    QTest.mouseClick(choice.findChildren(QWidget)[-1], Qt.MouseButton.LeftButton)
    choice.choose("light")
    assert (choice.value, told) == ("light", ["dark"])


def test_escape_empties_the_search_before_it_means_anything_else(kit: Kit, qtbot: QtBot) -> None:
    told: list[str] = []
    field = SearchField(kit, "Search", told.append)
    shown(qtbot, field)
    QTest.keyClicks(field, "ab")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert told == ["a", "ab", ""]


def test_a_text_without_room_is_whole_in_the_tool_tip(kit: Kit, qtbot: QtBot) -> None:
    label = ElidedLabel(kit, "A long title\nof a chat " * 4)
    shown(qtbot, label, 80, 24)
    label.grab()
    assert label.toolTip() == label.text() == " ".join(("A long title of a chat " * 4).split())


def test_an_ampersand_in_a_title_is_no_mnemonic(kit: Kit, qtbot: QtBot) -> None:
    page = QWidget()
    shown(qtbot, page)
    menu = Menu(kit, [MenuEntry("Q&A", shortcut="Ctrl+N")], page)
    assert menu.actions()[0].text().startswith("Q&&A\t")


def test_the_control_of_a_row_is_read_out_with_the_name_of_the_row(kit: Kit, qtbot: QtBot) -> None:
    button = QPushButton("Choose")
    row = FormRow(kit, "Language", button, explanation="Opens anew.")
    qtbot.addWidget(row)
    assert (button.accessibleName(), button.accessibleDescription()) == ("Language", "Opens anew.")


def test_another_theme_repaints_everything_that_is_shown(kit: Kit, qtbot: QtBot) -> None:
    page = QWidget()
    column = QVBoxLayout(page)
    parts = [
        Label(kit, "Text"), Button(kit, "Ordinary"), Button(kit, "Primary", primary=True), Badge(kit, "New", "accent"),
        Switch(kit, "On", on=True), ElidedLabel(kit, "Path"), SearchField(kit, "Search"),
        Segmented(kit, "Theme", (("a", "A"), ("b", "B")), "a"),
    ]  # fmt: skip
    for part in parts:
        column.addWidget(part)
    shown(qtbot, page, 300, 400)
    before = [picture_of(part) for part in parts]
    kit.theme.choose(ThemeChoice.DARK)
    after = [picture_of(part) for part in parts]
    assert all(light != dark for light, dark in zip(before, after, strict=True))
    kit.theme.choose(ThemeChoice.LIGHT)
    assert [picture_of(part) for part in parts] == before


@pytest.mark.parametrize("flat", [False, True])
def test_a_ring_is_seen_only_by_those_who_go_by_keyboard(kit: Kit, qtbot: QtBot, flat: bool) -> None:
    page = QWidget()
    button, other = Button(kit, "One", parent=page), Button(kit, "Other", parent=page)
    button.setFlat(flat)
    other.move(0, 60)
    shown(qtbot, page, 200, 120)
    button.setFocus(Qt.FocusReason.MouseFocusReason)
    focus = QColor(kit.theme.colours.focus)

    def ringed() -> bool:
        image = picture_of(button)
        return image.pixelColor(image.width() // 2, 1) == focus

    assert not ringed()
    QTest.keyClick(page, Qt.Key.Key_Tab)
    QTest.keyClick(page, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    assert button.hasFocus()
    assert ringed()


def test_hovering_changes_no_size(kit: Kit, qtbot: QtBot) -> None:
    button = Button(kit, "One")
    shown(qtbot, button, 120, 40)
    before = button.sizeHint()
    QTest.mouseMove(button)
    assert button.sizeHint() == before


def test_larger_text_makes_labels_and_buttons_larger(kit: Kit, qtbot: QtBot) -> None:
    label, button = Label(kit, "Text"), Button(kit, "Button")
    for part in (label, button):
        shown(qtbot, part)
    before = [part.sizeHint().height() for part in (label, button)]
    kit.theme.set_text_size(200)

    def larger() -> bool:
        after = [part.sizeHint().height() for part in (label, button)]
        return all(now > was * 1.4 for now, was in zip(after, before, strict=True))

    try:
        qtbot.waitUntil(larger)
    finally:
        kit.theme.set_text_size(100)


def test_a_button_that_gives_way_ends_in_an_ellipsis_and_is_whole_in_the_tool_tip(kit: Kit, qtbot: QtBot) -> None:
    button = Button(kit, "A name that is far too long for this place", gives_way=True)
    shown(qtbot, button, 90, 32)
    assert (button.width(), button.toolTip()) == (90, button.text())
    button.resize(600, 32)
    assert button.toolTip() == ""


def test_enter_presses_a_button_once_however_long_it_is_held(kit: Kit, qtbot: QtBot) -> None:
    pressed: list[str] = []
    owner = QWidget()
    column = QVBoxLayout(owner)
    buttons = [
        Button(kit, "a", lambda: pressed.append("a")),
        IconButton(kit, "close", "b", lambda: pressed.append("b")),
        RowButton(kit, "file", "c", "", lambda: pressed.append("c")),
        Ground("d", lambda: pressed.append("d")),
    ]
    for button in buttons:
        column.addWidget(button)
    shown(qtbot, owner)
    for button in buttons:
        QTest.keyClick(button, Qt.Key.Key_Return)
        held = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "", True)
        QApplication.sendEvent(button, held)
        QTest.keyClick(button, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert pressed == ["a", "b", "c", "d"]


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
def test_what_has_no_room_in_a_line_begins_the_next_and_none_is_squeezed(
    kit: Kit, qtbot: QtBot, direction: Qt.LayoutDirection
) -> None:
    owner = QWidget()
    owner.setLayoutDirection(direction)
    row = Wrap(owner, gap=8)
    buttons = [Button(kit, f"a file of some length {number}.txt", gives_way=True) for number in range(7)]
    for button in buttons:
        row.addWidget(button)
    hidden = Button(kit, "not there")
    row.addWidget(hidden)
    hidden.hide()
    shown(qtbot, owner, 500, row.heightForWidth(500))
    lines = {button.y() for button in buttons}
    assert len(lines) > 1
    assert all(button.width() == button.sizeHint().width() for button in buttons)
    assert all(owner.rect().contains(button.geometry()) for button in buttons)
    first = buttons[0].geometry()
    assert (first.right() == owner.width() - 1) == (direction is Qt.LayoutDirection.RightToLeft)
    row.removeWidget(hidden)
    hidden.deleteLater()
    owner.resize(120, 600)
    assert {button.width() for button in buttons} == {120}


def test_a_menu_without_room_below_its_button_opens_over_it(kit: Kit, qtbot: QtBot) -> None:
    owner = QWidget()
    column = QVBoxLayout(owner)
    entries = [MenuEntry("one"), MenuEntry("two")]
    upper, lower = Button(kit, "upper"), Button(kit, "lower")
    column.addWidget(upper)
    column.addStretch(1)
    column.addWidget(lower)
    screen = owner.screen().availableGeometry()
    shown(qtbot, owner, 300, screen.height())
    qtbot.waitUntil(lambda: lower.mapToGlobal(QPoint(0, 0)).y() > screen.bottom() - 80)
    for button, below in ((upper, True), (lower, False)):
        menu, place = Menu(kit, entries, button), QRect(button.mapToGlobal(QPoint(0, 0)), button.size())
        opened = QRect(menu.place_at(button), menu.sizeHint())
        assert (opened.top() > place.bottom()) is below
        assert not opened.intersects(place)
        assert screen.contains(opened)


def test_an_ampersand_in_the_text_of_a_button_is_seen_and_read_out(kit: Kit, qtbot: QtBot) -> None:
    button = Button(kit, "Back to “Home & Garden”")
    qtbot.addWidget(button)
    assert button.text() == "Back to “Home & Garden”"
    assert QAccessible.queryAccessibleInterface(button).text(QAccessible.Text.Name) == "Back to “Home & Garden”"
    wide = button.sizeHint().width()
    button.setText("Back to “Home  Garden”")
    assert button.sizeHint().width() < wide
    assert picture_of(Button(kit, "A & B")) != picture_of(Button(kit, "A  B"))
    assert as_seen("&Qt's && own") == "Qt's & own"
