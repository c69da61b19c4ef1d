"""The first-run set-up: its steps, what each remembers, and what keeps the user from going on."""

from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import derived_key
from notochord.persistence.connection import connect
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.models.api import ModelRef, ModelRole, Models, Provider, ProviderKind
from notochord.services.organizations.api import KeyPlace, Organization
from notochord.services.organizations.opening import MAIN_DATABASE
from notochord.services.organizations.service import HomeOrganizations
from notochord.services.settings.api import Setting, Settings
from notochord.services.vault.api import KeyStore
from notochord.viewmodels.start.setup import Opened, Setup, Step, first_unfinished
from notochord.viewmodels.start.way_back import WayBack
from support.organizations import organizations_in


class SomeModels:
    """Providers and roles as they are at the moment."""

    def __init__(self) -> None:
        self.models: tuple[str, ...] = ()
        self.local: ModelRef | None = None

    async def providers(self) -> tuple[Provider, ...]:
        return (Provider("Ollama", ProviderKind.OLLAMA, "", "", self.models, True),)

    async def roles(self) -> tuple[ModelRole, ...]:
        return (ModelRole("chat", "", None, True), ModelRole("local", "", self.local, True))


class KeptSettings:
    def __init__(self) -> None:
        self.kept: dict[str, object] = {}

    async def change(self, setting: Setting[str], value: str) -> None:
        self.kept[setting.name] = value


class Desk:
    """The set-up of one organization, and what it asks of the session."""

    def __init__(self, folder: Path, keychain: KeyStore | None = None) -> None:
        self.organizations: HomeOrganizations = organizations_in(folder, keychain=keychain)
        self.models, self.settings = SomeModels(), KeptSettings()
        self.opened = 0
        self.reopened: list[str] = []
        self.finished = 0
        self.adopted: list[Organization] = []
        self.former = ""
        self.left: list[str] = []

    async def begin(self, at: Step | None = None) -> Setup:
        listed = await self.organizations.all()
        one = listed[0] if listed else await self.organizations.create("Personal", KeyPlace.UNDECIDED)
        setup = Setup(
            organizations=self.organizations,
            organization=one,
            language="en",
            open_organization=self._open,
            reopen=self.reopened.append,
            finished=self._finish,
            adopted=self.adopted.append,
            way_back=WayBack(
                organizations=self.organizations,
                organization=one.id,
                former=self.former,
                leave=self.left.append,
            ),
            at=at,
        )
        await setup.start()
        return setup

    async def _open(self) -> Opened:
        self.opened += 1
        return Opened(models=cast("Models", self.models), settings=cast("Settings", self.settings))

    def _finish(self) -> None:
        self.finished += 1

    async def organization(self) -> Organization:
        return await self.organizations.find()


def at(setup: Setup) -> Step:
    return setup.step.value


async def at_models(desk: Desk) -> Setup:
    setup = await desk.begin()
    await setup.next()
    await setup.choose_encryption(False)
    await setup.next()
    assert at(setup) is Step.MODEL
    return setup


@pytest.mark.req("SETUP-004", "SETUP-005", "SETUP-027", "SETUP-042")
async def test_next_goes_through_the_five_steps_and_remembers_each(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.models.models = ("qwen3",)
    setup = await desk.begin()
    seen = [setup.step.value]
    await setup.next()
    await setup.choose_encryption(False)
    while setup.step.value is not Step.DONE:
        seen.append(setup.step.value)
        await setup.next()
        assert (await desk.organization()).setup_step == seen[-1]
    assert [*seen, setup.step.value] == list(Step)
    await setup.get_started()
    assert desk.finished == 1
    assert first_unfinished(await desk.organization()) is None


@pytest.mark.req("SETUP-006")
async def test_back_goes_to_the_preceding_step_and_asks_nothing_again(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    setup = await at_models(desk)
    await setup.back()
    assert (setup.step.value, setup.decided.value, setup.may_go_on.value) == (Step.ENCRYPTION, True, True)
    await setup.choose_encryption(True)
    assert setup.encrypt.value is False
    await setup.back()
    assert at(setup) is Step.LANGUAGE
    await setup.back()
    assert at(setup) is Step.LANGUAGE
    assert desk.opened == 1


@pytest.mark.req("SETUP-008", "SETUP-009")
async def test_another_language_reopens_the_window_once_the_choice_is_kept(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    setup = await desk.begin()
    await setup.choose_language("en")
    assert desk.reopened == []
    await setup.choose_language("zh_CN")
    assert desk.reopened == ["zh_CN"]
    organization = await desk.organization()
    assert (organization.language, first_unfinished(organization)) == ("zh_CN", Step.ENCRYPTION)


@pytest.mark.req("SETUP-022")
async def test_encrypted_data_waits_for_its_recovery_key_file(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "home", MemoryKeys())
    setup = await desk.begin()
    await setup.next()
    assert (setup.encrypt.value, setup.may_go_on.value) == (True, False)
    await setup.next()
    assert at(setup) is Step.ENCRYPTION
    await setup.save_recovery_key(tmp_path / "recovery.key")
    assert setup.may_go_on.value
    await setup.next()
    assert at(setup) is Step.MODEL
    assert (await desk.organization()).key_place is KeyPlace.KEYCHAIN


async def test_a_file_that_is_there_is_not_written_over_and_the_step_waits(tmp_path: Path) -> None:
    desk = Desk(tmp_path / "home")
    setup = await desk.begin()
    await setup.next()
    (tmp_path / "recovery.key").write_text("mine")
    with pytest.raises(NotochordError, match="E_FILE_EXISTS"):
        await setup.save_recovery_key(tmp_path / "recovery.key")
    assert not setup.may_go_on.value
    await setup.save_recovery_key(tmp_path / "other.key")
    assert setup.may_go_on.value


class NoKeychain(MemoryKeys):
    async def load(self, organization: str) -> bytes | None:
        raise NotochordError(Code.KEYCHAIN_UNAVAILABLE, Fault.SYSTEM)


async def test_without_a_keychain_nothing_can_be_encrypted_and_no_file_takes_its_place_unasked(tmp_path: Path) -> None:
    desk = Desk(tmp_path, NoKeychain())
    setup = await desk.begin()
    assert setup.keychain.value is not None
    await setup.choose_encryption(True)
    assert setup.encrypt.value is False
    assert (await desk.organization()).key_place is KeyPlace.UNDECIDED


@pytest.mark.req("SETUP-034")
@pytest.mark.parametrize("how", ["skip", "next"])
async def test_without_a_model_the_last_step_follows_the_third(tmp_path: Path, how: str) -> None:
    desk = Desk(tmp_path)
    setup = await at_models(desk)
    await (setup.skip() if how == "skip" else setup.next())
    assert at(setup) is Step.DONE
    await setup.back()
    assert at(setup) is Step.MODEL


@pytest.mark.req("SETUP-038", "SETUP-037", "SETUP-040")
@pytest.mark.parametrize(
    ("local", "how", "kept"),
    [
        (ModelRef("Ollama", "qwen3"), "next", {model_setting(BuiltInAgent.BACKGROUND).name: "local"}),
        (ModelRef("Ollama", "qwen3"), "skip", {}),
        (None, "next", {}),
    ],
    ids=["next with a local model", "skip", "next without one"],
)
async def test_background_tasks_stay_here_if_a_local_model_was_chosen(
    tmp_path: Path, local: ModelRef | None, how: str, kept: dict[str, str]
) -> None:
    desk = Desk(tmp_path)
    desk.models.models, desk.models.local = ("qwen3",), local
    setup = await at_models(desk)
    await setup.next()
    assert at(setup) is Step.ROLES
    await (setup.skip() if how == "skip" else setup.next())
    assert at(setup) is Step.DONE
    assert desk.settings.kept == kept


async def test_the_set_up_goes_on_where_it_was_left(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await at_models(desk)
    later = await desk.begin()
    assert (later.step.value, later.decided.value) == (Step.MODEL, True)
    assert later.opened.value is not None


@pytest.mark.req("SETUP-028")
@pytest.mark.parametrize("place", [KeyPlace.KEYCHAIN, KeyPlace.FILE])
async def test_the_choice_of_an_organization_that_was_in_use_already_stands_and_the_set_up_goes_on(
    tmp_path: Path, place: KeyPlace
) -> None:
    desk = Desk(tmp_path)
    made = await desk.organizations.create("Office", place)
    unlocked = await desk.organizations.unlock(made.id)
    with closing(connect(unlocked.folder.main_database, derived_key(unlocked.key, MAIN_DATABASE))) as kept:
        kept.execute("CREATE TABLE notes (text TEXT)")
        kept.execute("CREATE TABLE more (text TEXT)")
    await desk.organizations.release(unlocked)
    setup = await desk.begin()
    assert (setup.decided.value, setup.encrypt.value, desk.opened) == (True, place is KeyPlace.KEYCHAIN, 1)
    await setup.choose_encryption(place is KeyPlace.FILE)
    assert setup.encrypt.value is (place is KeyPlace.KEYCHAIN)
    await setup.next()
    await setup.next()
    assert (at(setup), desk.opened, (await desk.organization()).key_place) == (Step.MODEL, 1, place)


async def test_an_organization_that_was_made_and_never_used_may_still_be_encrypted_or_not(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.organizations.create("Office", KeyPlace.KEYCHAIN)
    setup = await desk.begin()
    assert not setup.decided.value
    await setup.next()
    await setup.choose_encryption(False)
    await setup.next()
    assert (at(setup), (await desk.organizations.all())[0].key_place) == (Step.MODEL, KeyPlace.FILE)


async def test_data_that_was_copied_is_opened_instead(tmp_path: Path) -> None:
    other = organizations_in(tmp_path / "old")
    made = await other.create("Work", KeyPlace.FILE)
    desk = Desk(tmp_path / "new")
    setup = await desk.begin()
    await setup.adopt(tmp_path / "old")
    assert [one.id for one in desk.adopted] == [made.id]
    assert (await desk.organization()).id == made.id


async def test_from_a_set_up_one_gets_back_to_the_organization_that_was_open_before(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    begun, work, club = [await desk.organizations.create(name, KeyPlace.UNDECIDED) for name in ("A", "Work", "Club")]
    desk.former = work.id
    setup = await desk.begin()
    assert setup.organization.id == begun.id
    assert [one.id for one in setup.way_back.others.value] == [work.id]
    await setup.way_back.go(work.id)
    assert desk.left == [work.id]
    assert (await desk.organization()).id == work.id
    left = await desk.organizations.find(begun.id)
    assert first_unfinished(left) is Step.LANGUAGE
    desk.former = ""
    again = await desk.begin()
    assert [one.id for one in again.way_back.others.value] == [club.id, work.id]
