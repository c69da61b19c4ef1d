"""Home as it is seen."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from notochord.core.sentences import Sentences
from notochord.ui.home.gem_card import GemCard
from notochord.ui.home.offer_row import OfferRow
from notochord.ui.home.page import HomePage
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.row_button import RowButton
from notochord.ui.kit.controls.skeleton import Skeleton
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.home.model import GemRow, OfferedGem, Reading
from notochord.viewmodels.samples.home import home
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.focus_walk import names_walked, shown


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
    button = page.findChildren(GemCard)[0].findChildren(QAbstractButton)[1]
    assert button.accessibleName() == "Show the tools of Sales summary"
    button.click()
    assert button.accessibleName() == "Hide the tools of Sales summary"


def test_the_gem_that_the_palette_chose_is_opened(kit: Kit, qtbot: QtBot) -> None:
    navigation = Navigation()
    page = HomePage(kit, home("en", navigation=navigation))
    shown(qtbot, page)
    navigation.go(Page.HOME, "invoices")
    opened = [card for card in page.findChildren(GemCard) if "Hide" in card.findChildren(QAbstractButton)[1].toolTip()]
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
    names = names_walked(page)
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


@pytest.mark.req("GEMUI-050", "GEMUI-052")
def test_a_gem_is_removed_after_a_question_that_names_what_is_destroyed(kit: Kit, qtbot: QtBot) -> None:
    model = home("en")
    removed: list[str] = []

    async def remove(gem: GemRow) -> None:
        removed.append(gem.id)

    model.remove = remove  # type: ignore[method-assign]
    page = HomePage(kit, model)
    shown(qtbot, page)
    card = page.findChildren(GemCard)[0]
    assert [entry.text for entry in card.entries()] == ["Delete…"]
    question = card.ask_to_remove()
    said = " ".join(label.text() for label in question.findChildren(Label))
    assert all(word in said for word in ("Sales summary", "code", "data", "key"))
    question.cancel.click()
    assert removed == []
    card.ask_to_remove().act.click()
    assert removed == ["sales-summary"]


def test_where_gems_are_offered_no_large_empty_state_stands_above_them(kit: Kit, qtbot: QtBot) -> None:
    page = HomePage(kit, home("en", gems=False))
    shown(qtbot, page)
    assert not [state for state in page.findChildren(State) if state.isVisible()]


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_a_gem_whose_files_changed_says_so_in_a_whole_sentence(kit: Kit, qtbot: QtBot, language: str) -> None:
    mine = replace(kit, sentences=Sentences.load(language))
    page = HomePage(mine, home(language))
    shown(qtbot, page)
    told = [label.text() for card in page.findChildren(GemCard) for label in card.findChildren(Label)]
    assert mine.text("window.home.files_changed") in told
    assert not [text for text in told if "(…)" in text or "（…）" in text]
