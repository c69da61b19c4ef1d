"""What can be set on the page of a gem: accounts, mailboxes, the knowledge base, models."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from notochord.ui.gem.accounts_group import AccountView
from notochord.ui.gem.models_group import AssistantView
from notochord.ui.gem.rights_groups import FolderChoice
from notochord.ui.kit.controls.choices import Switch
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.gem.accounts import NewAccount
from notochord.viewmodels.gem.values import Placement
from notochord.viewmodels.samples import gem as samples
from support.gem_screens import heard, page_of, seen


@pytest.mark.req("GEMUI-024", "GEMUI-025")
def test_an_account_is_chosen_and_holds_once_it_is_saved(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    saved = heard(model, "save_account")
    page = page_of(kit, qtbot, model)
    bank, rates = page.findChildren(AccountView)
    assert (bank.save.isEnabled(), bank.hint.text()) == (False, "Not connected. Whatever needs this account fails.")
    assert rates.hint.text() == "The gem reaches none of the websites of this account."
    bank.choice.setCurrentIndex(1)
    bank.choice.activated.emit(1)
    assert (bank.save.isEnabled(), bank.hint.isVisible(), saved) == (True, False, [])
    bank.save.click()
    assert saved == [("bank", "a1")]
    bank.save.setFocus()
    bank.choice.setCurrentIndex(0)
    bank.choice.activated.emit(0)
    assert page.focusWidget() is bank.choice


def test_a_choice_under_way_survives_what_happens_elsewhere(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    page = page_of(kit, qtbot, model)
    bank = page.findChildren(AccountView)[0]
    bank.choice.setCurrentIndex(1)
    bank.choice.activated.emit(1)
    model.accounts.options.set(model.accounts.options.value[:1])
    assert bank.choice.value == "a1"
    model.accounts.options.set(())
    assert bank.choice.value == ""


def test_a_new_account_is_sent_to_the_named_websites_only(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    made = heard(model, "create_account")
    page = page_of(kit, qtbot, model)
    sheet = page.findChildren(AccountView)[0].ask_for_new()
    assert (sheet.accept_button.isEnabled(), sheet.hosts.text()) == (False, "api.bank.example.com, rates.example.org")
    sheet.secret.setText("canary")
    sheet.hosts.setText("api.bank.example.com；  other.example.com")
    sheet.placement.show_choice(Placement.HEADER)
    sheet.placement.activated.emit(0)
    assert not sheet.accept_button.isEnabled()
    sheet.detail.setText("X-Api-Key")
    sheet.accept_button.click()
    (slot, account), *_ = made
    assert isinstance(account, NewAccount)
    assert (slot, account.hosts, account.field, account.placement) == (
        "bank", ("api.bank.example.com", "other.example.com"), "X-Api-Key", Placement.HEADER,
    )  # fmt: skip
    assert (account.secret.reveal(), "canary" in repr(account)) == ("canary", False)


@pytest.mark.req("GEMUI-026", "GEMUI-027", "GEMUI-028")
def test_mailboxes_are_off_and_switched_on_one_by_one_or_all_at_once(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    chosen = heard(model, "choose_mailboxes")
    page = page_of(kit, qtbot, model)
    every, anna, office = page.main.mailboxes.findChildren(Switch)
    assert [switch.isChecked() for switch in (every, anna, office)] == [False, False, False]
    anna.click()
    every.click()
    assert chosen == [(frozenset({"m1"}), False), (frozenset(), True)]
    assert model.shown.value is not None
    model.shown.set(replace(model.shown.value, every_mailbox=True))
    assert [(switch.isChecked(), switch.isEnabled()) for switch in (anna, office)] == [(True, False), (True, False)]


@pytest.mark.req("GEMUI-030")
def test_each_part_of_the_knowledge_base_is_switched_on_by_itself(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    allowed = heard(model, "allow_knowledge")
    page = page_of(kit, qtbot, model)
    food, people, diary = page.main.knowledge.findChildren(Switch)
    assert [switch.isChecked() for switch in (food, people, diary)] == [True, False, False]
    assert people.accessibleName() == "Look up people by name or email"
    people.click()
    food.click()
    assert allowed == [(samples.PEOPLE, True), (samples.FOOD, False)]


@pytest.mark.req("AGENT-036", "MODEL-110", "MODEL-117", "GEMUI-022")
def test_a_model_is_chosen_for_an_assistant_with_a_hint_below(kit: Kit, qtbot: QtBot) -> None:
    model = samples.full("en")
    chosen: list[tuple[str, str]] = []

    async def choose(agent: str, value: str) -> None:
        chosen.append((agent, value))

    model.assistants.choose = choose  # type: ignore[method-assign]
    page = page_of(kit, qtbot, model)
    (view,) = page.findChildren(AssistantView)
    assert view.row.hint.text() == "This model probably cannot do what the assistant has to do."
    entries = [view.choice.itemText(at) for at in range(view.choice.count())]
    assert entries[1] == "Chat"
    assert entries[-2:] == ["gpt-5 · OpenAI", "SmolLM2-135M-Instruct · Local"]
    view.choice.setCurrentIndex(1)
    view.choice.activated.emit(1)
    assert chosen == [("reader", "chat")]


@pytest.mark.req("GEMUI-031", "GEMUI-032")
def test_folders_are_checked_where_they_have_to_be_chosen_and_those_below_go_with_them(kit: Kit, qtbot: QtBot) -> None:
    model = samples.with_folders("en")
    asked = heard(model, "choose_folder")
    page = page_of(kit, qtbot, model)
    (choice,) = page.main.findChildren(FolderChoice)
    assert [(box.text(), box.isChecked(), box.isEnabled()) for box in choice.boxes.values()] == [
        ("Home", False, True), ("Work", False, True), ("Contracts", True, True), ("2026", True, False),
    ]  # fmt: skip
    choice.boxes["f1"].click()
    choice.boxes["f2"].click()
    permission = "collections.read:user-selected"
    assert asked == [(permission, "f1", True), (permission, "f2", False)]


@pytest.mark.req("GEMUI-030")
def test_where_there_is_nothing_to_choose_that_is_said_and_nothing_to_press_is_there_but_the_switch(
    kit: Kit, qtbot: QtBot
) -> None:
    page = page_of(kit, qtbot, samples.without_folders("en"))
    assert any(text.startswith("Nothing to choose yet: this version has no knowledge base.") for text in seen(page))
    assert page.main.findChildren(FolderChoice) == []


def test_folders_are_out_of_sight_while_their_permission_is_off(kit: Kit, qtbot: QtBot) -> None:
    model = samples.with_folders("en")
    page = page_of(kit, qtbot, model)
    (choice,) = page.main.findChildren(FolderChoice)
    assert choice.isVisible()
    found = model.shown.value
    assert found is not None
    model.shown.set(replace(found, knowledge=(replace(found.knowledge[0], allowed=False),)))
    assert not choice.isVisible()
