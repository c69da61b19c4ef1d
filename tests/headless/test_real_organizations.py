"""`notochord org` with the real service, keys in files and in memory."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from notochord.adapters.control.absent import AbsentEndpoint
from notochord.adapters.keychain.memory import MemoryKeys
from notochord.adapters.locks.files import FileLocks
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.core.paths import Home
from notochord.headless.command import HomeCommand, HomeContext
from notochord.headless.commands.organizations import COMMANDS
from notochord.headless.parser import parse
from notochord.headless.services import Surroundings
from notochord.services.organizations.api import KeyPlace
from notochord.services.organizations.service import HomeOrganizations
from notochord.services.vault.key_file import KeyFiles
from support.exchanges import KeptExchange
from support.fakes.opener import FakeOpener
from support.fakes.organizations import FakeOrganizations
from support.workshops import made_packages, made_workshop


@dataclass
class Line:
    """Gives `notochord org …` in a home; the keychain is one in memory."""

    home: Home
    elsewhere: Path
    keychain: MemoryKeys
    organizations: HomeOrganizations

    async def give(self, *words: str, to: KeptExchange | None = None) -> KeptExchange:
        exchange = to or KeptExchange()
        parsed = parse(("org", *words), COMMANDS, exchange.sentences, self.elsewhere)
        surroundings = Surroundings(
            home=self.home,
            organizations=self.organizations,
            opener=FakeOpener(FakeOrganizations(self.home)),
            endpoint=AbsentEndpoint(),
            probes=(),
            workshop=made_workshop,
            packages=made_packages,
            clock=SystemClock(),
        )
        assert isinstance(parsed.command, HomeCommand)
        await parsed.command.run(HomeContext(exchange, surroundings), parsed.arguments)
        return exchange

    async def refused(self, *words: str, to: KeptExchange | None = None) -> Code:
        with pytest.raises(NotochordError) as failure:
            await self.give(*words, to=to)
        return failure.value.code


@pytest.fixture
async def line(tmp_path: Path) -> Line:
    home, clock, keychain = Home(tmp_path / "home"), SystemClock(), MemoryKeys()
    elsewhere = tmp_path / "stick"
    elsewhere.mkdir()
    organizations = HomeOrganizations(
        home=home,
        key_stores={
            KeyPlace.KEYCHAIN: keychain,
            KeyPlace.FILE: KeyFiles(lambda identifier: home.organization(identifier).key),
        },
        locks=FileLocks(),
        clock=clock,
        ids=IdMaker(clock),
        redactor=Redactor(),
    )
    await organizations.start()
    return Line(home, elsewhere, keychain, organizations)


@pytest.mark.req("ORG-021", "ORG-027")
async def test_the_first_organization_made_is_the_current_one(line: Line) -> None:
    await line.give("create", "Acme", "--no-encrypt")
    await line.give("create", "Beta", "--no-encrypt")
    assert ["Current" in row for row in (await line.give("list")).out.splitlines()] == [True, False]


@pytest.mark.req("SETUP-020", "SETUP-024")
@pytest.mark.parametrize(("words", "in_folder"), [((), False), (("--no-encrypt",), True)])
async def test_the_key_lies_beside_the_data_only_without_encryption(
    line: Line, words: tuple[str, ...], in_folder: bool
) -> None:
    await line.give("create", "Acme", *words)
    made = await line.organizations.find("Acme")
    assert line.home.organization(made.id).key.exists() is in_folder
    assert (await line.keychain.load(made.id) is None) is in_folder


@pytest.mark.req("SETUP-021")
async def test_the_recovery_key_opens_an_organization_whose_key_is_lost(line: Line) -> None:
    await line.give("create", "Acme", "--recovery-key", "acme.key")
    made = await line.organizations.find("Acme")
    await line.keychain.delete(made.id)
    assert await line.refused("unlock", "Acme") is Code.KEY_MISSING
    exchange = await line.give("unlock", "Acme", "--recovery-key", "acme.key")
    assert "opens with its key" in exchange.out
    await line.give("unlock", "Acme")


async def test_the_recovery_key_of_another_organization_changes_nothing(line: Line) -> None:
    await line.give("create", "Acme", "--recovery-key", "acme.key")
    await line.give("create", "Beta", "--recovery-key", "beta.key")
    beta = await line.organizations.find("Beta")
    before = await line.keychain.load(beta.id)
    assert await line.refused("unlock", "Beta", "--recovery-key", "acme.key") is Code.RECOVERY_OTHER_ORG
    assert await line.keychain.load(beta.id) == before


async def test_a_recovery_key_never_overwrites_a_file(line: Line) -> None:
    await line.give("create", "Acme")
    (line.elsewhere / "taken").write_text("mine")
    with pytest.raises(NotochordError):
        await line.give("recovery-key", "taken", "Acme")
    assert (line.elsewhere / "taken").read_text() == "mine"


@pytest.mark.req("ORG-032", "ORG-033", "ORG-035")
async def test_deleting_by_the_typed_name_destroys_key_and_data(line: Line) -> None:
    await line.give("create", "Acme")
    await line.give("create", "Beta")
    beta = await line.organizations.find("Beta")
    assert await line.refused("delete", "Beta", to=KeptExchange("beta")) is Code.INPUT_INVALID
    assert await line.keychain.load(beta.id) is not None
    await line.give("delete", "Beta", to=KeptExchange("Beta"))
    assert await line.keychain.load(beta.id) is None
    assert not line.home.organization(beta.id).folder.exists()


@pytest.mark.req("ORG-037")
async def test_the_last_organization_cannot_be_deleted(line: Line) -> None:
    await line.give("create", "Acme")
    assert await line.refused("delete", "Acme", to=KeptExchange("Acme")) is Code.ORG_LAST


@pytest.mark.req("ORG-036")
async def test_an_organization_in_use_cannot_be_deleted_until_another_is(line: Line) -> None:
    await line.give("create", "Acme")
    await line.give("create", "Beta")
    assert await line.refused("delete", "Acme", to=KeptExchange("Acme")) is Code.ORG_CURRENT
    await line.give("switch", "Beta")
    await line.give("delete", "Acme", to=KeptExchange("Acme"))
    assert [one.name for one in await line.organizations.all()] == ["Beta"]


@pytest.mark.req("ORG-024", "ORG-025")
async def test_renaming_keeps_the_id(line: Line) -> None:
    await line.give("create", "Acme")
    before = await line.organizations.find("Acme")
    await line.give("rename", "Acme", "Zenith")
    assert (await line.organizations.find("Zenith")).id == before.id
    assert await line.refused("rename", "Acme", "x") is Code.ORG_NOT_FOUND


async def test_an_empty_name_is_refused(line: Line) -> None:
    assert await line.refused("create", " ") is Code.INPUT_INVALID


@pytest.mark.parametrize(("place", "code"), [("there", Code.FILE_EXISTS), ("no/folder", Code.INPUT_INVALID)])
async def test_no_organization_is_made_if_its_recovery_key_cannot_be_saved(line: Line, place: str, code: Code) -> None:
    (line.elsewhere / "there").write_text("mine")
    assert await line.refused("create", "Acme", "--recovery-key", place) is code
    assert await line.organizations.all() == ()
    assert (line.elsewhere / "there").read_text() == "mine"


async def test_two_places_for_one_key_are_refused(line: Line) -> None:
    assert await line.refused("create", "Acme", "--key", "keychain", "--no-encrypt") is Code.INPUT_INVALID
    assert await line.organizations.all() == ()
