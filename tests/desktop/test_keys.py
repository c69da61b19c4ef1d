"""Starts that find the key missing, the keychain shut or the data brought from elsewhere."""

import asyncio
import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.services.organizations.api import KeyPlace
from notochord.ui.shell.shell import Shell
from notochord.ui.start.setup_view import SetupView
from notochord.ui.start.trouble_view import TroubleView
from notochord.viewmodels.start.setup import Step
from notochord.viewmodels.start.trouble import Kind, Remedy
from support.desktops import Person, run_desktop
from support.organizations import organizations_in
from support.secret_service import SecretService, secret_service

__all__ = ["secret_service"]


def encrypted(home: Path, file: Path, *, name: str = "Work") -> str:
    """Make an organization that is set up and encrypted, on a computer that is gone, with its recovery key file."""

    async def make() -> str:
        organizations = organizations_in(home, keychain=MemoryKeys())
        made = await organizations.create(name, KeyPlace.KEYCHAIN)
        await organizations.save_recovery_key(made.id, file)
        await organizations.finish_setup_step(made.id, Step.DONE)
        return made.id

    return asyncio.run(make())


async def trouble(person: Person, kind: Kind) -> TroubleView:
    view = await person.sees(TroubleView)
    await person.until(lambda: view.trouble.kind is kind, kind)
    return view


@pytest.mark.req("ORG-018", "SETUP-021", "ORG-016")
def test_data_from_another_computer_opens_with_its_recovery_key_and_then_without(
    qapp: QApplication, tmp_path: Path, secret_service: SecretService
) -> None:
    secret_service.start(password="open")
    home, file = tmp_path / "home", tmp_path / "work.key"
    identifier = encrypted(tmp_path / "old", file)
    other = tmp_path / "other.key"
    encrypted(tmp_path / "else", other, name="Else")
    copied = tmp_path / "copied"
    shutil.copytree(tmp_path / "old" / "organizations" / identifier, copied)

    async def first(person: Person) -> None:
        setup = await person.sees(SetupView)
        await person.until(setup.next.isEnabled, "the set-up")
        setup.adopt(copied)
        view = await trouble(person, Kind.KEY_MISSING)
        view.recover(other)
        await person.reads("E_RECOVERY_OTHER_ORG")
        view.recover(file)
        await person.sees(Shell)

    async def second(person: Person) -> None:
        await person.sees(Shell)

    run_desktop(qapp, home, first)
    run_desktop(qapp, home, second)


@pytest.mark.req("SETUP-025", "SETUP-026")
def test_a_copied_folder_that_is_not_encrypted_opens_at_once(qapp: QApplication, tmp_path: Path) -> None:
    async def make() -> None:
        organizations = organizations_in(tmp_path / "old")
        made = await organizations.create("Work", KeyPlace.FILE)
        await organizations.finish_setup_step(made.id, Step.DONE)

    async def scenario(person: Person) -> None:
        setup = await person.sees(SetupView)
        await person.until(setup.next.isEnabled, "the set-up")
        setup.adopt(tmp_path / "old")
        await person.sees(Shell)

    asyncio.run(make())
    run_desktop(qapp, tmp_path / "home", scenario)
    names = [one.name for one in asyncio.run(organizations_in(tmp_path / "home").all())]
    assert names == ["Work"]


@pytest.mark.req("ORG-019")
def test_a_locked_keychain_is_tried_again_first_and_a_new_organization_can_be_made(
    qapp: QApplication, tmp_path: Path, secret_service: SecretService
) -> None:
    secret_service.start(password=None)
    home = tmp_path / "home"
    encrypted(home, tmp_path / "work.key")

    async def scenario(person: Person) -> None:
        view = await trouble(person, Kind.KEYCHAIN)
        assert next(iter(view.remedies)) is Remedy.RETRY
        view.name.setText("New")
        await person.press(view.create_button)
        setup = await person.sees(SetupView)
        assert setup.step is Step.LANGUAGE

    run_desktop(qapp, home, scenario)
    assert {one.name for one in asyncio.run(organizations_in(home).all())} == {"Work", "New"}


def test_damaged_data_is_told_and_nothing_is_changed(qapp: QApplication, tmp_path: Path) -> None:
    async def make() -> Path:
        organizations = organizations_in(tmp_path)
        made = await organizations.create("Work", KeyPlace.FILE)
        await organizations.finish_setup_step(made.id, Step.DONE)
        return tmp_path / "organizations" / made.id / "main.db"

    database = asyncio.run(make())
    database.write_bytes(database.read_bytes()[:100])

    async def scenario(person: Person) -> None:
        view = await trouble(person, Kind.DAMAGED)
        assert Remedy.SHOW_FOLDER in view.remedies
        await person.press(view.remedies[Remedy.RETRY])
        await person.until(lambda: person.content is not view, "another try")
        await trouble(person, Kind.DAMAGED)

    run_desktop(qapp, tmp_path, scenario)
    assert len(database.read_bytes()) == 100
