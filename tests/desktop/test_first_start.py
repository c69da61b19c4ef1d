"""The first start: the set-up from its first step to Home, and what later starts show."""

import asyncio
import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from notochord.services.organizations.api import KeyPlace, Organization
from notochord.ui.shell.shell import Shell
from notochord.ui.start.encryption_step import EncryptionStep
from notochord.ui.start.language_step import LanguageStep
from notochord.ui.start.setup_view import SetupView
from notochord.viewmodels.shell.navigation import Page
from notochord.viewmodels.start.setup import Step
from support.desktops import Person, run_desktop
from support.organizations import organizations_in
from support.secret_service import SecretService, secret_service

__all__ = ["secret_service"]


def description(home: Path) -> dict[str, object]:
    (folder,) = (home / "organizations").iterdir()
    found: dict[str, object] = json.loads((folder / "organization.json").read_text())
    return found


async def at(person: Person, step: Step) -> SetupView:
    view = await person.sees(SetupView)
    await person.until(lambda: view.step is step and view.next.isEnabled(), f"step {step}")
    return view


async def set_up_plain(person: Person) -> None:
    view = await at(person, Step.LANGUAGE)
    await person.press(view.next)
    encryption = await shown(person, view, EncryptionStep)
    await person.until(encryption.plain.isEnabled, "the choice")
    encryption.plain.click()
    await person.press(view.next)
    await at(person, Step.MODEL)
    await person.press(view.skip)
    await at(person, Step.DONE)
    await person.press(view.next)


async def shown(person: Person, view: SetupView, kind: type[EncryptionStep]) -> EncryptionStep:
    await person.until(lambda: isinstance(view.stack.shown, kind), kind.__name__)
    found = view.stack.shown
    assert isinstance(found, kind)
    return found


@pytest.mark.req("SETUP-001", "SETUP-003", "SETUP-043", "ORG-001")
def test_the_first_start_sets_up_and_the_next_one_does_not(qapp: QApplication, tmp_path: Path) -> None:
    async def first(person: Person) -> None:
        await set_up_plain(person)
        shell = await person.sees(Shell)
        await person.reads("No gem is installed yet")
        assert shell.page(Page.HOME).isVisible()

    async def second(person: Person) -> None:
        shell = await person.sees(Shell)
        await person.reads("Notochord works with the model that you choose")
        shell._navigation.go(Page.SETTINGS, "accounts")
        await person.reads("This organization is not encrypted: whoever gets its folder can read them.")

    assert run_desktop(qapp, tmp_path, first) == 0
    found = description(tmp_path)
    assert (found["name"], found["key_place"], found["setup_step"]) == ("Personal", "file", 5)
    assert run_desktop(qapp, tmp_path, second) == 0


@pytest.mark.req("SETUP-002")
def test_a_second_organization_is_set_up_on_its_own_and_leads_back_to_the_first(
    qapp: QApplication, tmp_path: Path
) -> None:
    organizations = organizations_in(tmp_path)

    async def second_one() -> Organization:
        first = await organizations.find()
        await organizations.finish_setup_step(first.id, Step.DONE)
        made = await organizations.create("Client", KeyPlace.UNDECIDED)
        return await organizations.make_current(made.id)

    async def to_the_first(person: Person) -> None:
        view = await at(person, Step.LANGUAGE)
        await person.reads("Back to “Personal”")
        assert "Client" in view.way_back.name.text()
        await person.press(view.way_back.back)
        await person.sees(Shell)

    async def resumed(person: Person) -> None:
        await at(person, Step.LANGUAGE)

    asyncio.run(organizations.create("Personal", KeyPlace.FILE))
    made = asyncio.run(second_one())
    assert run_desktop(qapp, tmp_path, to_the_first) == 0
    listed = asyncio.run(organizations.all())
    assert {one.name: (one.current, one.setup_step) for one in listed} == {"Client": (False, 0), "Personal": (True, 5)}
    assert run_desktop(qapp, tmp_path, resumed, organization=made.id) == 0


@pytest.mark.req("SETUP-008", "SETUP-009")
def test_another_language_reopens_the_window_at_the_second_step(qapp: QApplication, tmp_path: Path) -> None:
    async def scenario(person: Person) -> None:
        view = await at(person, Step.LANGUAGE)
        before = person.stage.window
        step = view.stack.shown
        assert isinstance(step, LanguageStep)
        step.choice.setCurrentIndex(step.choice.findData("zh_CN"))
        step.choice.activated.emit(step.choice.currentIndex())
        await person.reads("要不要加密保存这台电脑上的数据")
        assert person.stage.window is not before

    run_desktop(qapp, tmp_path, scenario)
    assert description(tmp_path)["language"] == "zh_CN"
    assert description(tmp_path)["setup_step"] == 1


@pytest.mark.req("SETUP-022", "SETUP-020")
def test_encrypted_data_is_begun_only_after_its_recovery_key_is_saved(
    qapp: QApplication, tmp_path: Path, secret_service: SecretService
) -> None:
    secret_service.start(password="open")
    home, file = tmp_path / "home", tmp_path / "stick.key"

    async def scenario(person: Person) -> None:
        view = await at(person, Step.LANGUAGE)
        await person.press(view.next)
        encryption = await shown(person, view, EncryptionStep)
        await person.until(encryption.save.isEnabled, "saving")
        assert encryption.encrypt.isChecked()
        assert not view.next.isEnabled()
        view.save_recovery_key_as(file)
        await person.press(view.next)
        await at(person, Step.MODEL)

    run_desktop(qapp, home, scenario)
    assert description(home)["key_place"] == "keychain"
    assert not list(home.glob("organizations/*/key"))
    assert file.read_text().startswith("notochord-recovery-key")
