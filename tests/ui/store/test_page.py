"""The store as it is seen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from notochord.ui.home.gem_tile import StoreTile
from notochord.ui.home.page import HomePage
from notochord.ui.kit.controls.choices import Segmented
from notochord.ui.kit.kit import Kit
from notochord.ui.store.page import StorePage
from notochord.viewmodels.samples import store as samples
from notochord.viewmodels.samples.home import home
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.focus_walk import names_walked, shown


def no_link(_: str) -> None:
    """Nothing is opened here."""


@pytest.mark.req("HOME-004", "HOME-005")
def test_the_first_tile_of_home_leads_to_the_store(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = HomePage(kit, home("en", navigation=navigation))
    shown(qtbot, page)
    QTest.mouseClick(page.findChildren(StoreTile)[0], Qt.MouseButton.LeftButton)
    assert navigation.place.value == Place(Page.STORE)


def test_a_card_leads_to_the_introduction_of_its_gem(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = StorePage(kit, samples.listed("en", navigation), no_link)
    shown(qtbot, page)
    card = page.list.cards[0]
    card.setFocus()
    QTest.keyClick(card, Qt.Key.Key_Space)
    assert navigation.place.value == Place(Page.STORE, "invoices")


@pytest.mark.req("GEMUI-006")
def test_the_button_of_a_card_installs_without_asking(kit: Kit, qtbot: QtBot) -> None:
    model = samples.listed("en")
    asked: list[str] = []

    def install(gem: str) -> None:
        asked.append(gem)

    model.install = install  # type: ignore[method-assign]
    page = StorePage(kit, model, no_link)
    shown(qtbot, page)
    QTest.mouseClick(page.list.cards[0].actions_row.install, Qt.MouseButton.LeftButton)
    assert asked == ["invoices"]


def test_the_list_is_walked_with_the_keyboard(kit: Kit, qtbot: QtBot) -> None:
    page = StorePage(kit, samples.listed("en"), no_link)
    shown(qtbot, page)
    names = names_walked(page)
    assert "Install Invoices" in names
    assert "Update Weather" in names
    assert all(names)


@pytest.mark.req("GEMUI-007", "DOCS-014", "DOCS-016")
def test_a_gem_tells_its_maker_and_has_tabs_for_prompts_and_examples(kit: Kit, qtbot: QtBot) -> None:
    page = StorePage(kit, samples.prompts("en"), no_link)
    shown(qtbot, page)
    assert "example.finance" in page.gem._maker.text()
    (tabs,) = page.gem.findChildren(Segmented)
    assert [button.text() for button in tabs.findChildren(QAbstractButton)] == [
        "What it can do", "Overview", "Prompts", "Examples",
    ]  # fmt: skip
    page.gem.bring_forward("prompt")
    assert page.gem.attempt.isVisible()


def test_the_store_leads_to_the_setting_of_where_its_list_comes_from(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = StorePage(kit, samples.listed("en", navigation), no_link)
    shown(qtbot, page)
    page.list.source.click()
    assert navigation.place.value == Place(Page.SETTINGS, "network")


@pytest.mark.req("SOP-150", "SOP-151")
@pytest.mark.parametrize("more", [True, False])
def test_the_details_of_an_update_say_whether_it_asks_for_more(kit: Kit, qtbot: QtBot, more: bool) -> None:
    page = StorePage(kit, samples.update("en") if more else samples.gem("en"), no_link)
    shown(qtbot, page)
    assert page.gem.more.isVisible() is more
