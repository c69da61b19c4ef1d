"""Set-up, connecting a model and trouble: what is shown, what can be pressed, and the way of the Tab key."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from notochord.core.codes import Code
from notochord.core.sentences import LANGUAGES, Sentences
from notochord.ui.kit.kit import Kit
from notochord.ui.start.connect_view import ConnectView
from notochord.ui.start.encryption_step import EncryptionStep
from notochord.ui.start.language_step import LanguageStep
from notochord.ui.start.setup_view import SetupView
from notochord.ui.start.trouble_view import TroubleView
from notochord.viewmodels.samples import settings
from notochord.viewmodels.samples import start as samples
from notochord.viewmodels.settings.provider_rows import TEMPLATES
from notochord.viewmodels.start.connect import Stage
from notochord.viewmodels.start.setup import Setup, Step
from notochord.viewmodels.start.trouble import Remedy


def setup_view(kit: Kit, qtbot: QtBot, setup: Setup, links: list[str] | None = None) -> SetupView:
    view = SetupView(kit, setup, {}, (links if links is not None else []).append)
    shown(qtbot, view)
    return view


def shown(qtbot: QtBot, view: QWidget) -> None:
    qtbot.addWidget(view)
    view.resize(1120, 760)
    view.show()
    view.activateWindow()


def tab_order(view: QWidget, first: QWidget) -> list[QWidget]:
    """Return what the Tab key goes to from here, until it comes round."""
    first.setFocus(Qt.FocusReason.TabFocusReason)
    found: list[QWidget] = []
    while (one := view.focusWidget()) is not None and one not in found:
        found.append(one)
        view.focusNextPrevChild(True)
    return found


def named(widgets: list[QWidget]) -> bool:
    return all(one.accessibleName() or getattr(one, "text", lambda: "")() for one in widgets)


@pytest.mark.req("SETUP-007")
def test_the_first_step_offers_every_language_and_data_from_elsewhere(kit: Kit, qtbot: QtBot) -> None:
    view = setup_view(kit, qtbot, samples.setup(Step.LANGUAGE, "en"))
    step = view.stack.shown
    assert isinstance(step, LanguageStep)
    assert [step.choice.itemText(at) for at in range(step.choice.count())] == ["English", "简体中文"]
    assert {step.choice.itemData(at) for at in range(step.choice.count())} == set(LANGUAGES)
    assert not view.back.isVisible()
    order = tab_order(view, step.choice)
    assert order == [step.choice, step.data, view.next]
    assert named(order)


def test_an_arrow_key_opens_the_list_of_languages_instead_of_choosing_one(
    kit: Kit, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = setup_view(kit, qtbot, samples.setup(Step.LANGUAGE, "en"))
    step = view.stack.shown
    assert isinstance(step, LanguageStep)
    opened: list[bool] = []
    monkeypatch.setattr(step.choice, "showPopup", lambda: opened.append(True))
    QTest.keyClick(step.choice, Qt.Key.Key_Down)
    assert (step.choice.currentData(), opened) == ("en", [True])


@pytest.mark.req("SETUP-011", "SETUP-022", "SETUP-023")
def test_the_second_step_offers_two_choices_and_waits_for_the_recovery_key(kit: Kit, qtbot: QtBot) -> None:
    setup = samples.setup(Step.ENCRYPTION, "en")
    view = setup_view(kit, qtbot, setup)
    step = view.stack.shown
    assert isinstance(step, EncryptionStep)
    assert (step.encrypt.text(), step.plain.text()) == ("Encrypt (recommended)", "Don't encrypt")
    assert step.encrypt.isChecked()
    assert not view.next.isEnabled()
    assert "somewhere other than this computer" in step.saved.text()
    setup.recovery_file.set(Path("stick/recovery.key"))
    setup.may_go_on.set(True)
    assert view.next.isEnabled()
    assert "recovery.key" in step.saved.text()
    assert named(tab_order(view, step.encrypt))


LIMIT = {
    "en": "If somebody takes full control of the computer, the data can still leak",
    "zh_CN": "电脑被人完全控制时，数据仍然可能泄露",
}


@pytest.mark.req("SETUP-019")
@pytest.mark.parametrize(("language", "limit"), LIMIT.items())
def test_the_second_step_says_what_encryption_does_not_protect_from(
    kit: Kit, qtbot: QtBot, language: str, limit: str
) -> None:
    told = replace(kit, sentences=Sentences.load(language))
    view = setup_view(told, qtbot, samples.setup(Step.ENCRYPTION, language))
    assert any(limit in label.text() for label in view.findChildren(QLabel) if label.isVisible())


def test_without_a_keychain_only_one_choice_can_be_made(kit: Kit, qtbot: QtBot) -> None:
    view = setup_view(kit, qtbot, samples.setup(Step.ENCRYPTION, "en", no_keychain=True))
    step = view.stack.shown
    assert isinstance(step, EncryptionStep)
    assert (step.encrypt.isEnabled(), step.plain.isChecked()) == (False, True)
    assert step.no_keychain.isVisible()
    assert not step.recovery.isVisible()


@pytest.mark.req("SETUP-041")
def test_the_last_step_links_to_three_pages(kit: Kit, qtbot: QtBot) -> None:
    links: list[str] = []
    view = setup_view(kit, qtbot, samples.setup(Step.DONE, "en"), links)
    for link in view.findChildren(QWidget):
        if link in getattr(view.stack.shown, "links", []):
            link.click()  # type: ignore[attr-defined]
    assert [link.rsplit("/", 1)[1] for link in links] == ["quickstart", "projects", "models"]
    assert view.next.text() == "Get started"


@pytest.mark.req("SETUP-030", "SETUP-031")
def test_connecting_offers_the_providers_and_asks_for_a_key_where_one_is_needed(kit: Kit, qtbot: QtBot) -> None:
    view = ConnectView(kit, samples.connect())
    shown(qtbot, view)
    names = [view.kind.itemText(at) for at in range(view.kind.count())]
    assert names[:5] == ["OpenAI", "Anthropic", "Google Gemini", "OpenRouter", "Ollama"]
    assert view.key_field.isVisible()
    view.kind.setCurrentIndex(names.index("Ollama"))
    assert not view.key_field.isVisible()
    view.kind.setCurrentIndex(len(TEMPLATES) - 1)
    view.address.setText("http://192.168.1.20:8000")
    assert view.plain.isVisible()
    view.address.setText("http://localhost:8000")
    assert not view.plain.isVisible()


@pytest.mark.req("SETUP-046")
@pytest.mark.parametrize("runs", [True, False])
def test_an_ollama_that_runs_is_offered_at_the_top(kit: Kit, qtbot: QtBot, runs: bool) -> None:
    view = ConnectView(kit, samples.connect(ollama=runs))
    shown(qtbot, view)
    assert view.ollama.isVisible() is runs
    if runs:
        assert view.use_ollama.text() == "Use it"
        assert (
            view.ollama.mapTo(view, view.ollama.rect().topLeft()).y() < view.kind.mapTo(view, view.rect().topLeft()).y()
        )


@pytest.mark.req("SETUP-045")
def test_the_second_stage_offers_the_models_and_finds_them_by_words(kit: Kit, qtbot: QtBot) -> None:
    view = ConnectView(kit, samples.connected())
    shown(qtbot, view)
    assert view.models.count() == len(samples.MODELS)
    assert view.begin_button.isEnabled()
    view.filter.setText("mini")
    assert {view.models.item(at).text() for at in range(view.models.count())} == {
        one for one in samples.MODELS if "mini" in one
    }
    view.filter.setText("nothing such")
    assert not view.begin_button.isEnabled()
    order = tab_order(view, view.filter)
    assert order[:3] == [view.filter, view.models, view.back]
    assert named(order)


@pytest.mark.req("SETUP-045")
def test_return_connects_and_the_models_then_have_the_keyboard(
    kit: Kit, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = samples.connect()

    async def answers(*_: object) -> None:
        model.offered.set(samples.MODELS)
        model.stage.set(Stage.MODEL)

    monkeypatch.setattr(model, "connect", answers)
    view = ConnectView(kit, model)
    shown(qtbot, view)
    QTest.keyClick(view.key, Qt.Key.Key_Return)
    assert view.focusWidget() is view.models


@pytest.mark.req("SETUP-048", "SETUP-049")
def test_the_bottom_leads_to_model_files_and_past_the_page(kit: Kit, qtbot: QtBot) -> None:
    view = ConnectView(kit, samples.connect())
    shown(qtbot, view)
    assert (view.file.text(), view.skip.text()) == ("Use a model file on this computer…", "Skip for now")
    order = tab_order(view, view.kind)
    assert order[-2:] == [view.file, view.skip] or {view.file, view.skip} <= set(order)
    assert named(order)


def test_what_a_provider_said_stands_in_place_and_the_key_stays(kit: Kit, qtbot: QtBot) -> None:
    view = ConnectView(kit, samples.connect())
    shown(qtbot, view)
    view.key.setText("typed")
    view.show_failure(settings.UNREACHABLE)
    assert "Office server" in view.error.text()
    assert (view.key.text(), view.stages.isEnabled()) == ("typed", True)


@pytest.mark.req("ORG-018", "ORG-019")
def test_a_missing_key_offers_the_recovery_key_file_first_and_a_new_organization(kit: Kit, qtbot: QtBot) -> None:
    view = TroubleView(kit, samples.trouble(Code.KEY_MISSING, others=(samples.WORK,)), lambda _: None, lambda: None)
    shown(qtbot, view)
    assert view.focusWidget() is view.remedies[Remedy.RECOVERY_KEY]
    assert next(iter(view.remedies)) is Remedy.RECOVERY_KEY
    assert view.new.isVisible()
    assert view.others.isVisible()
    assert not view.create_button.isEnabled()
    view.name.setText("New")
    assert view.create_button.isEnabled()
    order = tab_order(view, view.remedies[Remedy.RECOVERY_KEY])
    assert named(order)
    assert {view.choice, view.switch, view.name, view.create_button, view.quit} <= set(order)


def test_data_that_is_open_elsewhere_offers_nothing_that_would_make_other_data(kit: Kit, qtbot: QtBot) -> None:
    view = TroubleView(kit, samples.trouble(Code.ORG_OPEN, pid="4711"), lambda _: None, lambda: None)
    shown(qtbot, view)
    assert list(view.remedies) == [Remedy.RETRY]
    assert not view.new.isVisible()
    assert "4711" in view.told.text()


def test_a_second_organization_is_named_and_leads_back_to_the_one_before(kit: Kit, qtbot: QtBot) -> None:
    view = setup_view(kit, qtbot, samples.setup(Step.LANGUAGE, "en", name="Client", others=(samples.WORK,)))
    way_back = view.way_back
    assert "Client" in way_back.name.text()
    assert (way_back.back.isVisible(), way_back.others.isVisible()) == (True, False)
    assert way_back.back.text() == "Back to “Work”"
    assert way_back.back in tab_order(view, view.next)


def test_several_other_organizations_stand_in_a_menu_and_none_takes_no_room(kit: Kit, qtbot: QtBot) -> None:
    club = replace(samples.WORK, id="01m8q0wt5etwcwkth6zmr43c81", name="Club")
    view = setup_view(kit, qtbot, samples.setup(Step.LANGUAGE, "en", others=(samples.WORK, club)))
    assert (view.way_back.back.isVisible(), view.way_back.others.isVisible()) == (False, True)
    assert [entry.text for entry in view.way_back.entries()] == ["Work", "Club"]
    alone = setup_view(kit, qtbot, samples.setup(Step.LANGUAGE, "en"))
    assert not alone.way_back.isVisible()


@pytest.mark.req("SETUP-034", "SETUP-040")
@pytest.mark.parametrize("step", list(Step))
def test_connecting_a_model_and_choosing_roles_are_the_steps_that_can_be_skipped(
    kit: Kit, qtbot: QtBot, step: Step
) -> None:
    panes = {Step.MODEL: QWidget, Step.ROLES: QWidget}
    view = SetupView(kit, samples.setup(step, "en"), panes, lambda _: None)
    qtbot.addWidget(view)
    assert view.skip.isVisibleTo(view) is (step in (Step.MODEL, Step.ROLES))


@pytest.mark.parametrize(("step", "name"), [(Step.LANGUAGE, "choice"), (Step.ENCRYPTION, "encrypt")])
def test_a_step_begins_with_the_keyboard_at_its_first_control(kit: Kit, qtbot: QtBot, step: Step, name: str) -> None:
    view = setup_view(kit, qtbot, samples.setup(step, "en"))
    assert view.focusWidget() is getattr(view.stack.shown, name)


def end_of(part: QWidget, window: QWidget) -> int:
    return part.mapTo(window, part.rect().topRight()).x()


def test_the_buttons_stay_in_line_with_the_column_beside_a_scroll_bar(kit: Kit, qtbot: QtBot) -> None:
    view = setup_view(kit, qtbot, samples.setup(Step.ENCRYPTION, "en"))
    for height, scrolls in ((1100, False), (420, True)):
        view.resize(900, height)
        qtbot.waitUntil(partial(lambda scrolls: view.area.verticalScrollBar().isVisible() is scrolls, scrolls))
        qtbot.waitUntil(lambda: end_of(view.stack, view) == end_of(view.next, view))
