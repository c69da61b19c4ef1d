"""Settings › Gem developers as it is seen."""

from typing import Any

from pytestqt.qtbot import QtBot

from notochord.ui.kit.kit import Kit
from notochord.ui.settings.developers_section import DeveloperCard, DeveloperSheet, DevelopersSection
from notochord.ui.settings.sheet import Confirmation
from notochord.viewmodels.samples.settings import developers
from support.focus_walk import shown


def section_of(kit: Kit, qtbot: QtBot, *, empty: bool = False) -> DevelopersSection:
    section = DevelopersSection(kit, developers(empty=empty))
    shown(qtbot, section, 860, 600)
    return section


def heard(model: Any, name: str) -> list[Any]:
    calls: list[Any] = []

    async def note(*given: Any) -> None:
        calls.append(given)

    setattr(model, name, note)
    return calls


def test_each_key_is_shown_with_what_it_speaks_for(kit: Kit, qtbot: QtBot) -> None:
    section = section_of(kit, qtbot)
    cards = section.findChildren(DeveloperCard)
    assert [card.name.text() for card in cards] == ["anna", "workshop-berlin"]
    assert "For all gems of this publisher" in cards[0].facts.text()
    assert "begin with de.workshop" in cards[1].facts.text()
    assert not section.empty.isVisible()


def test_without_a_key_that_is_said(kit: Kit, qtbot: QtBot) -> None:
    section = section_of(kit, qtbot, empty=True)
    assert section.empty.isVisible()
    assert section.findChildren(DeveloperCard) == []


def test_a_key_is_added_with_its_publisher(kit: Kit, qtbot: QtBot) -> None:
    section = section_of(kit, qtbot)
    added = heard(section._model, "add")
    section.add.click()
    (sheet,) = section.findChildren(DeveloperSheet)
    for name, text in (("publisher", "anna"), ("prefix", "org.anna"), ("key", "ab" * 32)):
        sheet.fields[name].setText(text)
    sheet.accept_button.click()
    assert added == [("ab" * 32, "anna", "org.anna")]
    assert not sheet.isVisible()


def test_before_a_key_is_removed_the_gems_are_named_that_it_updates(kit: Kit, qtbot: QtBot) -> None:
    section = section_of(kit, qtbot)
    removed = heard(section._model, "remove")
    section.findChildren(DeveloperCard)[0].remove.click()
    (question,) = section.findChildren(Confirmation)
    said = "\n".join(label.text() for label in question.findChildren(type(section.empty)))
    assert "org.anna.receipts can no longer be updated with this key." in said
    assert removed == []
    question.accept_button.click()
    assert [row.publisher for (row,) in removed] == ["anna"]
