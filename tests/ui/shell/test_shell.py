"""The shell: sidebar, pages and palette, with the mouse and without."""

from dataclasses import dataclass, replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.sentences import Sentences
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.shell import Shell
from notochord.ui.shell.sidebar import COLLAPSED, DEPTH, FOLD_AFTER, WIDE
from notochord.viewmodels.samples import shell as samples
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.focus_walk import names_walked, shown


@dataclass
class Scenery:
    """A shell with plain pages, and what was built for it."""

    shell: Shell
    navigation: Navigation
    built: list[str]


def a_page(name: str) -> QWidget:
    page = QWidget()
    QVBoxLayout(page).addWidget(QPushButton(f"{name} action"))
    return page


def make(kit: Kit, qtbot: QtBot, *, connected: bool = True, waits: bool = True) -> Scenery:
    kit.theme.set_reduced_motion(True)
    navigation, built = Navigation(), list[str]()
    navigation.model_connected.set(connected)

    def build(name: str) -> QWidget:
        built.append(name)
        return a_page(name)

    def chat_list() -> QWidget:
        built.append("list")
        return QLabel("Chats")

    shell = Shell(
        kit, navigation,
        {page: lambda page=page: build(page.value) for page in Page},  # type: ignore[misc]
        attention=samples.attention(navigation, "en", waits=waits), chat_entry=samples.chat_entry(navigation),
        palette=samples.palette(kit.sentences), text_size=samples.text_size(), chat_list=chat_list,
        quit_program=lambda: built.append("quit"),
    )  # fmt: skip
    shown(qtbot, shell)
    return Scenery(shell, navigation, built)


def test_a_page_is_built_at_its_first_visit_and_kept(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    assert scenery.built == ["home"]
    for page in (Page.SETTINGS, Page.HOME, Page.SETTINGS):
        scenery.navigation.go(page)
    assert scenery.built == ["home", "settings"]


@pytest.mark.req("HOME-011", "CHAT-002")
def test_the_sidebar_is_a_column_of_icons_without_chats(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    assert scenery.shell.sidebar.width() == COLLAPSED
    assert "list" not in scenery.built


@pytest.mark.req("HOME-012", "CHAT-002")
def test_the_mouse_over_the_sidebar_widens_it_and_shows_the_chats(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    sidebar = scenery.shell.sidebar
    QTest.mouseMove(sidebar.entries[Page.HOME])
    qtbot.waitUntil(lambda: sidebar.width() == WIDE)
    (chats,) = sidebar.findChildren(QLabel)
    assert chats.isVisible()
    QTest.mouseMove(scenery.shell, scenery.shell.rect().center())
    sidebar.fold()
    qtbot.waitUntil(lambda: sidebar.width() == COLLAPSED)
    assert not chats.isVisible()


def test_a_click_on_an_entry_does_not_hold_the_sidebar_open(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    sidebar = scenery.shell.sidebar
    for entry in (sidebar.entries[Page.SETTINGS], sidebar.entries[Page.HOME]):
        QTest.mouseMove(entry)
        qtbot.waitUntil(lambda: sidebar.width() == WIDE)
        QTest.mouseClick(entry, Qt.MouseButton.LeftButton)
        entry.setFocus(Qt.FocusReason.OtherFocusReason)
        QTest.mouseMove(scenery.shell, scenery.shell.rect().center())
        qtbot.waitUntil(lambda: sidebar.width() == COLLAPSED)


def test_a_click_on_settings_uncovers_their_sections_while_the_mouse_stays(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    sidebar = scenery.shell.sidebar
    QTest.mouseMove(sidebar.entries[Page.SETTINGS])
    qtbot.waitUntil(lambda: sidebar.width() == WIDE)
    QTest.mouseClick(sidebar.entries[Page.SETTINGS], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: sidebar.width() == COLLAPSED)
    qtbot.wait(FOLD_AFTER + 400)
    assert sidebar.width() == COLLAPSED


def test_the_sidebar_folds_when_the_leaving_of_the_pointer_was_missed(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    sidebar = scenery.shell.sidebar
    QTest.mouseMove(sidebar.entries[Page.HOME])
    qtbot.waitUntil(lambda: sidebar.width() == WIDE)
    QCursor.setPos(scenery.shell.mapToGlobal(scenery.shell.rect().center()))
    qtbot.waitUntil(lambda: sidebar.width() == COLLAPSED)


def test_a_field_that_is_typed_into_holds_the_sidebar_open(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    sidebar = scenery.shell.sidebar
    field = QLineEdit(sidebar)
    sidebar.widen()
    field.show()
    field.setFocus(Qt.FocusReason.MouseFocusReason)
    sidebar.fold()
    qtbot.wait(FOLD_AFTER + 50)
    assert sidebar.width() == WIDE


def test_the_shadow_of_the_sidebar_takes_no_clicks(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    for width in (COLLAPSED, WIDE):
        beside = scenery.shell.childAt(width + DEPTH // 2, scenery.shell.height() - 2)
        page = scenery.shell.page(Page.HOME)
        assert beside is not None
        assert beside is page or page.isAncestorOf(beside)
        scenery.shell.sidebar.widen()


def test_widening_moves_nothing_of_the_page(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    page = scenery.shell.page(Page.HOME)
    before = page.geometry()
    scenery.shell.sidebar.widen()
    assert page.geometry() == before


@pytest.mark.req("CHAT-008", "CHAT-009")
def test_everything_of_the_shell_is_reached_with_the_keyboard(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    names = names_walked(scenery.shell)
    wanted = [
        "Search and commands",
        "Home",
        "Chat",
        "New chat",
        "Start a chat around a folder",
        "Settings",
        "home action",
    ]
    assert [name for name in names if name in wanted] == wanted


def test_the_page_has_the_keyboard_when_the_window_opens_and_what_the_user_went_to_when_it_comes_back(
    kit: Kit, qtbot: QtBot
) -> None:
    scenery = make(kit, qtbot)
    page = scenery.shell.page(Page.HOME)
    assert scenery.shell.focusWidget() is page
    (button,) = page.findChildren(QPushButton)
    button.setFocus()
    scenery.shell.hide()
    scenery.shell.show()
    assert scenery.shell.focusWidget() is button


def test_the_keyboard_in_the_sidebar_widens_it_and_escape_leaves_for_the_page(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    home = scenery.shell.sidebar.entries[Page.HOME]
    while not home.hasFocus():
        QTest.keyClick(scenery.shell.focusWidget(), Qt.Key.Key_Tab)
    assert scenery.shell.sidebar.width() == WIDE
    QTest.keyClick(home, Qt.Key.Key_Escape)
    focused = scenery.shell.focusWidget()
    assert focused is not None
    assert not scenery.shell.sidebar.isAncestorOf(focused)


@pytest.mark.req("SETUP-050", "SETUP-051", "CHAT-012")
def test_without_a_model_chat_is_grey_and_leads_to_connecting_one(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot, connected=False)
    chat = scenery.shell.sidebar.entries[Page.CHAT]
    assert (chat.grey, chat.isEnabled()) == (True, True)
    QTest.mouseClick(chat, Qt.MouseButton.LeftButton)
    assert scenery.navigation.place.value == Place(Page.CONNECT_MODEL)
    scenery.navigation.model_connected.set(True)
    assert not chat.grey


def test_what_waits_is_counted_and_read_out(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    assert scenery.shell.sidebar.entries[Page.HOME].accessibleDescription() == "3 things are waiting for you"


@pytest.mark.parametrize(
    ("key", "place"),
    [(Qt.Key.Key_N, Place(Page.CHAT)), (Qt.Key.Key_Comma, Place(Page.SETTINGS))],
)
def test_standard_keys_go_to_places(kit: Kit, qtbot: QtBot, key: Qt.Key, place: Place) -> None:
    scenery = make(kit, qtbot)
    QTest.keyClick(scenery.shell, key, Qt.KeyboardModifier.ControlModifier)
    assert scenery.navigation.place.value == place


def test_no_two_commands_have_the_same_key(kit: Kit, qtbot: QtBot) -> None:
    keys = [key for command in make(kit, qtbot).shell.commands for key in command.keys]
    assert len(keys) == len(set(keys))


def test_the_palette_is_opened_searched_and_used_without_a_mouse(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    before = scenery.shell.page(Page.HOME).findChildren(QPushButton)[0]
    before.setFocus()
    QTest.keyClick(before, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    view = scenery.shell.palette_view
    assert view.isVisible()
    assert view.field.hasFocus()
    QTest.keyClicks(view.field, "settings")
    QTest.keyClick(view.field, Qt.Key.Key_Return)
    assert not view.isVisible()
    assert scenery.navigation.place.value == Place(Page.SETTINGS)


def test_escape_closes_the_palette_and_gives_the_keyboard_back(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    before = scenery.shell.page(Page.HOME).findChildren(QPushButton)[0]
    before.setFocus()
    scenery.shell.open_palette()
    QTest.keyClick(scenery.shell.palette_view.field, Qt.Key.Key_Escape)
    assert not scenery.shell.palette_view.isVisible()
    assert before.hasFocus()


def test_arrow_keys_choose_in_the_palette_while_the_field_keeps_the_keyboard(kit: Kit, qtbot: QtBot) -> None:
    view = make(kit, qtbot).shell.palette_view
    view.parentWidget().open_palette()  # type: ignore[union-attr]
    for key, row in ((Qt.Key.Key_Down, 1), (Qt.Key.Key_Up, 0), (Qt.Key.Key_PageDown, 8)):
        QTest.keyClick(view.field, key)
        assert view.list.currentIndex().row() == row
    assert view.field.hasFocus()


@pytest.mark.parametrize("count", [1, 2, 5])
def test_the_palette_is_as_high_as_what_was_found(kit: Kit, qtbot: QtBot, count: int) -> None:
    view = make(kit, qtbot).shell.palette_view
    view.parentWidget().open_palette()  # type: ignore[union-attr]
    view._palette.found.reset(view._palette.found[:count])
    qtbot.waitUntil(lambda: view.list.viewport().height() == count * view.list.sizeHintForRow(0))


def test_from_right_to_left_the_sidebar_is_at_the_other_edge_and_the_page_beside_it(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(kit, qtbot)
    scenery.shell.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    scenery.shell.sidebar.follow()
    edge, page = scenery.shell.width() - 1, scenery.shell.page(Page.HOME)
    qtbot.waitUntil(lambda: scenery.shell.sidebar.geometry().right() == edge)
    qtbot.waitUntil(lambda: page.mapTo(scenery.shell, page.rect().topRight()).x() == edge - COLLAPSED)


def test_the_shell_speaks_chinese(kit: Kit, qtbot: QtBot) -> None:
    scenery = make(replace(kit, sentences=Sentences.load("zh_CN")), qtbot)
    texts = [entry.text() for entry in scenery.shell.sidebar.entries.values()]
    assert texts == ["首页", "对话", "设置"]
