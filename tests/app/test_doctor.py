"""What `notochord doctor` finds."""

import shutil
from pathlib import Path

import pytest

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.adapters.locks.files import FileLocks
from notochord.app import doctor
from notochord.app.doctor import probes
from notochord.core.caller import Actor, Caller
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.keys import derived_key
from notochord.core.log import Redactor
from notochord.core.paths import Home
from notochord.core.sentences import LANGUAGES, Sentences
from notochord.headless.services import Finding, Health
from notochord.persistence import outbox
from notochord.persistence.database import Database
from notochord.services.data.api import Source
from notochord.services.data.service import DataService
from notochord.services.organizations.api import KeyPlace
from notochord.services.organizations.service import HomeOrganizations
from notochord.services.vault.component import COMPONENT as VAULT
from notochord.services.vault.service import StoredVault


class Bench:
    def __init__(self, home: Home) -> None:
        clock = SystemClock()
        self.home = home
        self.keychain = MemoryKeys()
        self.organizations = HomeOrganizations(
            home=home,
            key_stores={KeyPlace.MEMORY: self.keychain},
            locks=FileLocks(),
            clock=clock,
            ids=IdMaker(clock),
            redactor=Redactor(),
        )

    async def found(self) -> dict[str, Finding]:
        checks = probes(home=self.home, organizations=self.organizations, keychain=self.keychain)
        return {finding.subject: finding for check in checks for finding in await check.findings()}

    async def make(self) -> Path:
        """Make the organization acme with a database, and return the database's file."""
        made = await self.organizations.create("acme", KeyPlace.MEMORY)
        unlocked = await self.organizations.unlock(made.id)
        file = unlocked.folder.main_database
        database = await Database.open(file, derived_key(unlocked.key, file.name), (outbox.COMPONENT,))
        await database.close()
        await self.organizations.release(unlocked)
        return file


@pytest.fixture
async def bench(tmp_path: Path) -> Bench:
    made = Bench(Home(tmp_path / "home"))
    await made.organizations.start()
    return made


async def test_all_that_the_program_stands_on_is_named_with_its_version(bench: Bench) -> None:
    found = await bench.found()
    for subject in ("Notochord", "Python", "SQLCipher", "Deno"):
        assert found[subject].health is Health.GOOD
        assert str(found[subject].parameters["version"])[0].isdigit()


@pytest.mark.parametrize("language", LANGUAGES)
async def test_each_finding_has_a_sentence(bench: Bench, language: str) -> None:
    await bench.make()
    said = Sentences.load(language).sentence
    for finding in (await bench.found()).values():
        told = said(finding.sentence, **finding.parameters)
        assert told != finding.sentence
        assert "…" not in told


async def test_an_organization_in_order_is_told_with_its_databases(bench: Bench) -> None:
    await bench.make()
    finding = (await bench.found())["acme"]
    assert (finding.health, finding.parameters) == (Health.GOOD, {"count": 1})


async def test_a_damaged_page_is_found(bench: Bench) -> None:
    file = await bench.make()
    content = bytearray(file.read_bytes())
    content[-2000] ^= 1
    file.write_bytes(content)
    finding = (await bench.found())["acme"]
    assert (finding.health, finding.sentence) == (Health.BAD, "doctor.org.damaged")


async def test_the_stores_of_gems_are_looked_at_too(bench: Bench) -> None:
    await bench.make()
    made = await bench.organizations.find("acme")
    unlocked = await bench.organizations.unlock(made.id)
    key, clock = derived_key(unlocked.key, "main.db"), SystemClock()
    database = await Database.open(unlocked.folder.main_database, key, (outbox.COMPONENT, VAULT))
    vault = StoredVault(database=database, clock=clock, ids=IdMaker(clock), redactor=Redactor(), events=EventBus())
    data = DataService(vault=vault, clock=clock, device="here")
    store = await data.store(Source("gem:sums", unlocked.folder.gem_store("sums")))
    await store.kv_set("key", "value" * 1000, Caller(Actor.GEM, "sums"))
    await data.close()
    await database.close()
    await bench.organizations.release(unlocked)
    assert (await bench.found())["acme"].parameters == {"count": 2}
    file = unlocked.folder.gem_store("sums") / "data.db"
    content = bytearray(file.read_bytes())
    content[-2000] ^= 1
    file.write_bytes(content)
    finding = (await bench.found())["acme"]
    assert (finding.health, finding.parameters["file"]) == (Health.BAD, "sums/data.db")


async def test_looking_changes_nothing(bench: Bench) -> None:
    file = await bench.make()
    before = file.read_bytes()
    await bench.found()
    assert file.read_bytes() == before


async def test_an_organization_whose_key_is_lost_is_told(bench: Bench) -> None:
    await bench.make()
    await bench.keychain.delete((await bench.organizations.find("acme")).id)
    finding = (await bench.found())["acme"]
    assert (finding.health, finding.sentence) == (Health.BAD, "doctor.org.closed")
    assert "E_KEY_MISSING" in str(finding.parameters["problem"])


async def test_an_open_organization_is_no_fault(bench: Bench) -> None:
    await bench.make()
    held = await bench.organizations.unlock((await bench.organizations.find("acme")).id)
    try:
        finding = (await bench.found())["acme"]
    finally:
        await bench.organizations.release(held)
    assert (finding.health, finding.sentence) == (Health.NOTE, "doctor.org.held")


async def test_a_keychain_that_does_not_answer_is_a_note_with_what_to_do(bench: Bench) -> None:
    class NoKeychain(MemoryKeys):
        async def load(self, organization: str) -> bytes | None:
            raise NotochordError(Code.KEYCHAIN_UNAVAILABLE, Fault.SYSTEM, "none")

    bench.keychain = NoKeychain()
    finding = (await bench.found())["Keychain"]
    assert (finding.health, finding.sentence) == (Health.NOTE, "doctor.keychain.missing")


async def test_little_room_on_the_disk_is_a_fault(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = shutil.disk_usage("/")._replace(free=doctor.LOW_BYTES - 1)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    finding = (await bench.found())["Disk"]
    assert (finding.health, finding.sentence) == (Health.BAD, "doctor.disk.low")
