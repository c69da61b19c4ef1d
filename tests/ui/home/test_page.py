"""Home as it is seen."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from notochord.ui.home.gem_card import GemCard
from notochord.ui.home.offer_row import OfferRow
from notochord.ui.home.page import HomePage
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.controls.skeleton import Skeleton
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import OfferedGem, Reading
from notochord.viewmodels.samples.home import home
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.tab_walk import shown, walk


def test_each_gem_is_a_row_and_each_waiting_thing_leads_to_its_chat(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = HomePage(kit, home("en", navigation=navigation))
    shown(qtbot, page)
    assert len(page.findChildren(GemCard)) == 3
    rows = [row for row in page.findChildren(RowButton) if row.isVisible()]
    QTest.mouseClick(rows[1], Qt.MouseButton.LeftButton)
    assert navigation.place.value == Place(Page.CHAT, "c4")


def test_the_tools_of_a_gem_are_opened_and_closed_by_its_button(kit: Kit, qtbot: QtBot) -> None:
    page = HomePage(kit, home("en"))
    shown(qtbot, page)
    button = page.findChildren(GemCard)[0].findChildren(QAbstractButton)[0]
    assert button.accessibleName() == "Show the tools of Sales summary"
    button.click()
    assert button.accessibleName() == "Hide the tools of Sales summary"


def test_the_gem_that_the_palette_chose_is_opened(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = HomePage(kit, home("en", navigation=navigation))
    shown(qtbot, page)
    navigation.go(Page.HOME, "invoices")
    opened = [card for card in page.findChildren(GemCard) if "Hide" in card.findChildren(QAbstractButton)[0].toolTip()]
    assert len(opened) == 1
    qtbot.wait(1)


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
    names = walk(page)
    assert names[0] == "New chat"
    assert [name.split(",")[0] for name in names[1:4]] == [
        "Sales of the first quarter", "Holiday in the Alps", "Letter to the landlord",
    ]  # fmt: skip
    assert names[-1] == "Show the tools of Meeting notes"


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
