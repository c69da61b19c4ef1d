"""Home as it is seen."""

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from notochord.ui.home.gem_tile import GemTile
from notochord.ui.home.offer_row import OfferRow
from notochord.ui.home.page import HomePage
from notochord.ui.kit.controls.badges import Badge
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.controls.skeleton import Skeleton
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import OfferedGem, Reading
from notochord.viewmodels.samples.home import home
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.focus_walk import names_walked, shown


def test_each_gem_is_a_row_and_each_waiting_thing_leads_to_its_chat(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = HomePage(kit, home("en", navigation=navigation))
    shown(qtbot, page)
    assert len(page.findChildren(GemTile)) == 4
    rows = [row for row in page.findChildren(RowButton) if row.isVisible()]
    QTest.mouseClick(rows[1], Qt.MouseButton.LeftButton)
    assert navigation.place.value == Place(Page.CHAT, "c4")


@pytest.mark.req("HOME-003", "HOME-006")
def test_a_gem_is_opened_by_its_tile_with_mouse_and_keyboard(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = HomePage(kit, home("en", navigation=navigation))
    shown(qtbot, page)
    tiles = page.findChildren(GemTile)
    QTest.mouseClick(tiles[0], Qt.MouseButton.LeftButton)
    assert navigation.place.value == Place(Page.GEM, "invoices")
    tiles[2].setFocus()
    QTest.keyClick(tiles[2], Qt.Key.Key_Space)
    assert navigation.place.value == Place(Page.GEM, "sales-summary")


def test_a_tile_says_what_is_the_matter_to_eyes_and_ears(kit: Kit, qtbot: QtBot) -> None:
    page = HomePage(kit, home("en"))
    shown(qtbot, page)
    assert [tile.accessibleName() for tile in page.findChildren(GemTile)] == [
        "Invoices, Needs setup", "Meeting notes, Stopped", "Sales summary", "Weather, Update to 1.3.0",
    ]  # fmt: skip
    assert [badge.text for badge in page.findChildren(Badge)] == [
        "1 update",
        "Needs setup",
        "Stopped",
        "Update to 1.3.0",
    ]


def test_a_gem_is_pinned_from_the_menu_of_its_tile(kit: Kit, qtbot: QtBot) -> None:
    model = home("en")
    pinned: list[tuple[str, bool]] = []

    async def pin(gem: str, *, pinned: bool) -> None:
        asked.append((gem, pinned))

    asked = pinned
    model.pin = pin  # type: ignore[method-assign]
    page = HomePage(kit, model)
    shown(qtbot, page)
    first, second = page.findChildren(GemTile)[:2]
    for tile, name in ((first, "Unpin"), (second, "Pin to the front")):
        (entry,) = tile.entries()
        assert entry.text == name
        assert entry.act is not None
        entry.act()
    assert asked == [("invoices", False), ("notes", True)]


def test_tiles_stand_in_as_many_columns_as_there_is_room_for(kit: Kit, qtbot: QtBot) -> None:
    page = HomePage(kit, home("en", waits=False))
    shown(qtbot, page)
    tiles = page.findChildren(GemTile)
    assert len({tile.y() for tile in tiles}) == 2
    page.resize(420, 760)
    qtbot.waitUntil(lambda: len({tile.y() for tile in tiles}) == 4)
    qtbot.waitUntil(lambda: all(tile.mapTo(page, tile.rect().topRight()).x() <= page.width() for tile in tiles))


def test_only_packages_can_be_dropped_and_each_is_installed(kit: Kit, qtbot: QtBot) -> None:
    model = home("en")
    installed: list[Path] = []

    async def install(file: Path) -> None:
        installed.append(file)

    model.install_file = install  # type: ignore[method-assign]
    page = HomePage(kit, model)
    shown(qtbot, page)

    def drop(*addresses: str) -> bool:
        dragged = QMimeData()
        dragged.setUrls([QUrl(address) for address in addresses])
        where, left, none = QPoint(50, 50), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        entered = QDragEnterEvent(where, Qt.DropAction.CopyAction, dragged, left, none)
        entered.ignore()
        page.dragEnterEvent(entered)
        if entered.isAccepted():
            page.dropEvent(QDropEvent(QPointF(where), Qt.DropAction.CopyAction, dragged, left, none))
        return entered.isAccepted()

    assert drop("file:///downloads/a.gem", "file:///downloads/b.GEM")
    for refused in (("file:///a.zip",), ("https://example.com/a.gem",), ("file:///a.gem", "file:///a.txt"), ()):
        assert not drop(*refused)
    assert installed == [Path("/downloads/a.gem"), Path("/downloads/b.GEM")]


def test_a_file_is_chosen_for_installation(kit: Kit, qtbot: QtBot) -> None:
    model = home("en")
    installed: list[Path] = []

    async def install(file: Path) -> None:
        installed.append(file)

    model.install_file = install  # type: ignore[method-assign]
    page = HomePage(kit, model)
    shown(qtbot, page)
    dialog = page.ask_for_file()
    dialog.fileSelected.emit("/downloads/a.gem")
    dialog.close()
    assert installed == [Path("/downloads/a.gem")]


def test_loading_gives_way_to_what_was_read(kit: Kit, qtbot: QtBot) -> None:
    model = home("en", gems=False, reading=Reading.LOADING)
    page = HomePage(kit, model)
    shown(qtbot, page)
    assert [bar.isVisible() for bar in page.findChildren(Skeleton)] == [True]
    model.reading.set(Reading.DONE)
    assert not [bar for bar in page.findChildren(Skeleton) if bar.isVisible()]


def test_everything_on_home_is_reached_with_the_keyboard_from_top_to_bottom(kit: Kit, qtbot: QtBot) -> None:
    page = HomePage(kit, home("en"))
    shown(qtbot, page)
    names = names_walked(page)
    assert names[0] == "New chat"
    assert [name.split(",")[0] for name in names[1:4]] == [
        "Sales of the first quarter", "Holiday in the Alps", "Letter to the landlord",
    ]  # fmt: skip
    assert names[4:8] == ["Install from a file…", "Store, 1 update", "Invoices, Needs setup", "Position of Invoices"]
    assert names[-1] == "Position of Weather"


def test_a_gem_that_came_with_the_program_is_installed_by_its_button(kit: Kit, qtbot: QtBot) -> None:
    model = home("en", gems=False)
    installed: list[str] = []

    async def install(offer: OfferedGem) -> None:
        installed.append(offer.gem.id)

    model.install = install  # type: ignore[method-assign]
    page = HomePage(kit, model)
    shown(qtbot, page)
    button = page.findChildren(OfferRow)[0].button
    assert button.accessibleName() == "Install Sales summary"
    button.click()
    assert installed == ["sales-summary"]


def test_where_gems_are_offered_no_large_empty_state_stands_above_them(kit: Kit, qtbot: QtBot) -> None:
    page = HomePage(kit, home("en", gems=False))
    shown(qtbot, page)
    assert not [state for state in page.findChildren(State) if state.isVisible()]
