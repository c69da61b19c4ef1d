"""Organizations are made, opened, recovered and deleted, and no trouble with a key ends in lost or empty data."""

import json
import logging
import os
import shutil
from pathlib import Path

import pytest
from sqlalchemy import text

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import derived_key
from notochord.core.log import Redactor
from notochord.core.paths import Home
from notochord.persistence.database import Database
from notochord.services.organizations.api import KeyPlace, Unlocked
from notochord.services.organizations.service import HomeOrganizations
from support.canary import leaks_below, spellings_of
from support.organizations import organizations_in


async def failure(awaitable: object) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        await awaitable  # type: ignore[misc]
    return caught.value


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def without_locks(content: dict[str, bytes]) -> dict[str, bytes]:
    return {name: value for name, value in content.items() if not name.endswith("lock")}


async def note(unlocked: Unlocked, body: str) -> None:
    key = derived_key(unlocked.key, "main.db")
    database = await Database.open(unlocked.folder.main_database, key, ())
    await database.write(lambda connection: connection.execute(text("CREATE TABLE notes (body TEXT) STRICT")))
    await database.write(
        lambda connection: connection.execute(text("INSERT INTO notes VALUES (:body)"), {"body": body})
    )
    await database.close()


async def noted(unlocked: Unlocked) -> list[str]:
    key = derived_key(unlocked.key, "main.db")
    database = await Database.open(unlocked.folder.main_database, key, ())
    found = await database.read(lambda connection: connection.execute(text("SELECT body FROM notes")).scalars().all())
    await database.close()
    return list(found)


async def test_a_new_organization_is_listed_and_the_first_is_current(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    first = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    second = await organizations.create("Work", KeyPlace.FILE)
    assert [(one.name, one.current) for one in await organizations.all()] == [("Personal", True), ("Work", False)]
    assert (await organizations.find()).id == first.id
    assert (await organizations.find("Work")).id == second.id
    assert (await organizations.find(second.id)).name == "Work"


@pytest.mark.req("ORG-011", "ORG-025")
async def test_each_organization_has_a_folder_of_its_own_and_its_name_stays_here(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    ids = {(await organizations.create(name, KeyPlace.FILE)).id for name in ("One", "Two")}
    assert {folder.name for folder in (tmp_path / "organizations").iterdir()} == ids


@pytest.mark.req("ORG-024")
async def test_renaming_changes_the_name_and_nothing_else(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Old", KeyPlace.FILE)
    renamed = await organizations.rename(made.id, "New")
    assert (renamed.name, renamed.id, renamed.fingerprint) == ("New", made.id, made.fingerprint)
    assert (await organizations_in(tmp_path).find("New")).id == made.id


@pytest.mark.req("SETUP-010")
async def test_the_language_is_kept_and_must_look_like_one(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Acme", KeyPlace.FILE)
    await organizations.set_language(made.id, "zh_CN")
    assert (await organizations_in(tmp_path).find("Acme")).language == "zh_CN"
    assert (await failure(organizations.set_language(made.id, "../en"))).code is Code.INPUT_INVALID
    assert (await organizations.set_language(made.id, "")).language == ""


@pytest.mark.req("SETUP-009")
async def test_the_set_up_goes_on_where_it_was_and_never_back(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Acme", KeyPlace.FILE)
    await organizations.finish_setup_step(made.id, 2)
    await organizations.finish_setup_step(made.id, 1)
    found = await organizations_in(tmp_path).find("Acme")
    assert (found.setup_step, found.name, found.fingerprint) == (2, "Acme", made.fingerprint)


@pytest.mark.req("ORG-023", "ORG-027")
async def test_another_organization_can_be_made_the_current_one(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    await organizations.create("One", KeyPlace.FILE)
    second = await organizations.create("Two", KeyPlace.FILE)
    await organizations.make_current(second.id)
    assert (await organizations_in(tmp_path).find()).name == "Two"


@pytest.mark.parametrize("name", ["", "   ", "a\nb", "x" * 201])
async def test_a_name_that_shows_nothing_is_refused(tmp_path: Path, name: str) -> None:
    organizations = organizations_in(tmp_path)
    assert (await failure(organizations.create(name, KeyPlace.FILE))).code is Code.INPUT_INVALID
    assert await organizations.all() == ()


async def test_two_organizations_of_one_name_are_told_apart_by_id(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    await organizations.create("Same", KeyPlace.FILE)
    await organizations.create("Same", KeyPlace.FILE)
    assert (await failure(organizations.find("Same"))).code is Code.ORG_AMBIGUOUS


@pytest.mark.req("SETUP-020", "CRED-006", "ORG-015")
async def test_an_encrypted_organizations_key_is_in_the_keychain_and_in_no_file(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    made = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    key = await keychain.load(made.id)
    assert key is not None
    assert leaks_below(tmp_path, key) == []
    unlocked = await organizations.unlock(made.id)
    await note(unlocked, "kept")
    assert leaks_below(tmp_path, key) == []
    assert leaks_below(tmp_path, derived_key(key, "main.db")) == []
    await organizations.release(unlocked)


@pytest.mark.req("SETUP-018", "ORG-016", "DATA-485")
async def test_a_copy_of_the_files_alone_opens_nothing(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path / "home")
    unlocked = await organizations.unlock((await organizations.create("Personal", KeyPlace.KEYCHAIN)).id)
    await note(unlocked, "a marker that nobody may find")
    await organizations.release(unlocked)
    assert leaks_below(tmp_path, b"a marker that nobody may find") == []
    shutil.copytree(tmp_path / "home", tmp_path / "stolen")
    thief = organizations_in(tmp_path / "stolen")
    assert (await failure(thief.unlock(unlocked.organization.id))).code is Code.KEY_MISSING


@pytest.mark.req("SETUP-024", "SETUP-025", "SETUP-026", "ORG-020")
async def test_a_folder_with_its_key_opens_on_another_computer(tmp_path: Path) -> None:
    here = organizations_in(tmp_path / "here")
    unlocked = await here.unlock((await here.create("Personal", KeyPlace.FILE)).id)
    await note(unlocked, "kept")
    await here.release(unlocked)
    assert unlocked.folder.key.is_file()
    there = organizations_in(tmp_path / "there")
    await there.create("Other", KeyPlace.KEYCHAIN)
    shutil.copytree(unlocked.folder.folder, tmp_path / "there" / "organizations" / unlocked.organization.id)
    found = await there.find("Personal")
    opened = await there.unlock(found.id)
    assert await noted(opened) == ["kept"]
    await there.release(opened)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such modes")
async def test_the_key_file_and_the_folders_are_private(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path / "home")
    folder = Home(tmp_path / "home").organization((await organizations.create("Mine", KeyPlace.FILE)).id)
    assert folder.key.stat().st_mode & 0o777 == 0o600
    assert folder.folder.stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "home").stat().st_mode & 0o777 == 0o700


@pytest.mark.req("ORG-018", "SETUP-021")
async def test_a_missing_key_opens_no_empty_store_and_changes_nothing(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    made = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    await keychain.delete(made.id)
    before = content_of(tmp_path)
    assert (await failure(organizations.unlock(made.id))).code is Code.KEY_MISSING
    assert without_locks(content_of(tmp_path)) == without_locks(before)


@pytest.mark.req("ORG-019")
async def test_while_a_key_is_missing_a_new_organization_can_be_made_beside_it(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    old = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    await keychain.delete(old.id)
    before = content_of(tmp_path / "organizations" / old.id)
    new = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    await organizations.release(await organizations.unlock(new.id))
    assert content_of(tmp_path / "organizations" / old.id) == before


async def test_a_swapped_key_is_told_from_a_missing_one(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    made = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    await keychain.save(made.id, bytes(32))
    before = content_of(tmp_path)
    assert (await failure(organizations.unlock(made.id))).code is Code.KEY_WRONG
    assert without_locks(content_of(tmp_path)) == without_locks(before)


async def test_a_store_of_another_organization_is_told_from_a_wrong_key(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    one, two = [await organizations.create(name, KeyPlace.FILE) for name in ("One", "Two")]
    home = Home(tmp_path)
    shutil.copyfile(home.organization(two.id).main_database, home.organization(one.id).main_database)
    assert (await failure(organizations.unlock(one.id))).code is Code.ORG_MISMATCH


async def test_a_store_that_is_gone_is_not_made_anew(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.FILE)
    database = Home(tmp_path).organization(made.id).main_database
    database.unlink()
    assert (await failure(organizations.unlock(made.id))).code is Code.ORG_DAMAGED
    assert not database.exists()


class Troubled:
    """A keychain that fails in one way."""

    def __init__(self, code: Code) -> None:
        self._code = code

    async def load(self, organization: str) -> bytes | None:
        raise NotochordError(self._code, Fault.SYSTEM)

    async def save(self, organization: str, key: bytes) -> None:
        raise NotochordError(self._code, Fault.SYSTEM)

    async def delete(self, organization: str) -> None:
        raise NotochordError(self._code, Fault.SYSTEM)


TROUBLES = [Code.KEYCHAIN_UNAVAILABLE, Code.KEYCHAIN_LOCKED, Code.KEYCHAIN_REFUSED, Code.KEYCHAIN_TIMEOUT]


@pytest.mark.parametrize("code", TROUBLES)
async def test_a_troubled_keychain_is_told_as_it_is_and_the_lock_is_given_back(tmp_path: Path, code: Code) -> None:
    keychain = MemoryKeys()
    made = await organizations_in(tmp_path, keychain=keychain).create("Personal", KeyPlace.KEYCHAIN)
    troubled = organizations_in(tmp_path, keychain=Troubled(code))
    before = content_of(tmp_path)
    assert (await failure(troubled.unlock(made.id))).code is code
    assert without_locks(content_of(tmp_path)) == without_locks(before)
    healthy = organizations_in(tmp_path, keychain=keychain)
    await healthy.release(await healthy.unlock(made.id))


@pytest.mark.parametrize("code", TROUBLES)
async def test_without_a_usable_keychain_no_organization_and_no_key_file_is_made(tmp_path: Path, code: Code) -> None:
    organizations = organizations_in(tmp_path, keychain=Troubled(code))
    assert (await failure(organizations.create("Personal", KeyPlace.KEYCHAIN))).code is code
    assert await organizations.all() == ()
    assert "key" not in {Path(name).name for name in content_of(tmp_path)}


@pytest.mark.parametrize("code", [Code.KEYCHAIN_UNAVAILABLE, Code.KEYCHAIN_LOCKED, Code.KEYCHAIN_REFUSED])
async def test_what_a_keychain_kept_no_key_for_is_removed_at_once(tmp_path: Path, code: Code) -> None:
    await failure(organizations_in(tmp_path, keychain=Troubled(code)).create("Personal", KeyPlace.KEYCHAIN))
    assert list((tmp_path / "organizations").iterdir()) == []


class Slow(Troubled):
    """A keychain that keeps a key only after it was given up."""

    def __init__(self, keys: MemoryKeys) -> None:
        super().__init__(Code.KEYCHAIN_TIMEOUT)
        self._keys = keys

    async def save(self, organization: str, key: bytes) -> None:
        await self._keys.save(organization, key)
        await super().save(organization, key)


async def test_a_key_that_was_kept_late_is_removed_with_the_half_made_organization_at_a_later_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    keychain = MemoryKeys()
    slow = organizations_in(tmp_path, keychain=Slow(keychain))
    await failure(slow.create("Personal", KeyPlace.KEYCHAIN))
    [left] = (tmp_path / "organizations").iterdir()
    await slow.start()
    assert await keychain.load(left.name) is not None
    assert [record for record in caplog.records if record.levelno >= logging.WARNING] == []
    await organizations_in(tmp_path, keychain=keychain).start()
    assert await keychain.load(left.name) is None
    assert not left.exists()


@pytest.mark.req("ORG-028")
async def test_a_held_organization_is_told_with_the_process_id(tmp_path: Path) -> None:
    first, second = organizations_in(tmp_path), organizations_in(tmp_path)
    made = await first.create("Personal", KeyPlace.FILE)
    unlocked = await first.unlock(made.id)
    told = await failure(second.unlock(made.id))
    assert (told.code, told.parameters["pid"]) == (Code.ORG_OPEN, os.getpid())
    await first.release(unlocked)
    await second.release(await second.unlock(made.id))


async def test_no_text_shows_the_key(tmp_path: Path) -> None:
    redactor = Redactor()
    organizations = organizations_in(tmp_path, redactor=redactor)
    unlocked = await organizations.unlock((await organizations.create("Personal", KeyPlace.FILE)).id)
    shown = f"{unlocked!r} {unlocked} {[unlocked]}"
    assert not [name for name, form in spellings_of(unlocked.key).items() if form.decode("latin-1") in shown]
    assert repr(unlocked.key) not in shown
    assert unlocked.key.hex() not in redactor.clean(f"key {unlocked.key.hex()}")
    await organizations.release(unlocked)


async def organization_with_recovery(folder: Path, organizations: HomeOrganizations, name: str) -> tuple[str, Path]:
    made = await organizations.create(name, KeyPlace.KEYCHAIN)
    file = folder / f"{name}.key"
    await organizations.save_recovery_key(made.id, file)
    return made.id, file


@pytest.mark.req("SETUP-021", "ORG-016", "ORG-017")
async def test_the_recovery_file_opens_a_copied_folder_and_the_key_is_kept_there(tmp_path: Path) -> None:
    here = organizations_in(tmp_path / "here")
    identifier, file = await organization_with_recovery(tmp_path, here, "Personal")
    unlocked = await here.unlock(identifier)
    await note(unlocked, "kept")
    await here.release(unlocked)
    shutil.copytree(unlocked.folder.folder, tmp_path / "there" / "organizations" / identifier)
    keychain = MemoryKeys()
    there = organizations_in(tmp_path / "there", keychain=keychain)
    await there.recover(identifier, file)
    assert await keychain.load(identifier) == unlocked.key
    opened = await there.unlock(identifier)
    assert await noted(opened) == ["kept"]
    await there.release(opened)


async def test_a_recovery_file_of_another_organization_is_told_and_changes_nothing(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path / "home", keychain=keychain)
    one, _ = await organization_with_recovery(tmp_path, organizations, "One")
    two, file = await organization_with_recovery(tmp_path, organizations, "Two")
    await keychain.delete(one)
    told = await failure(organizations.recover(one, file))
    assert (told.code, told.parameters["organization"]) == (Code.RECOVERY_OTHER_ORG, two)
    assert await keychain.load(one) is None


async def test_a_recovery_file_with_an_outdated_key_is_a_wrong_key(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path / "home", keychain=keychain)
    identifier, file = await organization_with_recovery(tmp_path, organizations, "One")
    description = Home(tmp_path / "home").organization(identifier).description
    content = json.loads(description.read_text())
    description.write_text(json.dumps({**content, "fingerprint": "0" * 32}))
    await keychain.delete(identifier)
    assert (await failure(organizations.recover(identifier, file))).code is Code.KEY_WRONG
    assert await keychain.load(identifier) is None


@pytest.mark.parametrize("code", TROUBLES)
async def test_recovery_into_a_troubled_keychain_is_told(tmp_path: Path, code: Code) -> None:
    identifier, file = await organization_with_recovery(tmp_path, organizations_in(tmp_path / "home"), "One")
    troubled = organizations_in(tmp_path / "home", keychain=Troubled(code))
    assert (await failure(troubled.recover(identifier, file))).code is code


@pytest.mark.parametrize("place", ["home/recovery.key", "home/organizations/recovery.key", "link/recovery.key"])
async def test_a_recovery_file_is_not_written_beside_the_data(tmp_path: Path, place: str) -> None:
    organizations = organizations_in(tmp_path / "home")
    made = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    (tmp_path / "link").symlink_to(tmp_path / "home" / "organizations")
    assert (await failure(organizations.save_recovery_key(made.id, tmp_path / place))).code is Code.INPUT_INVALID
    assert not (tmp_path / place).exists()


async def test_a_recovery_file_overwrites_nothing(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path / "home")
    made = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    taken = tmp_path / "taken.key"
    taken.write_text("precious")
    assert (await failure(organizations.save_recovery_key(made.id, taken))).code is Code.FILE_EXISTS
    assert taken.read_text() == "precious"


@pytest.mark.req("ORG-026", "ORG-032", "ORG-033")
async def test_deleting_destroys_the_key_and_removes_everything(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    await organizations.create("Stays", KeyPlace.KEYCHAIN)
    made = await organizations.create("Goes", KeyPlace.KEYCHAIN)
    package = Home(tmp_path).organization(made.id).packages / "gem" / "1.0.0"
    package.mkdir(parents=True)
    (package / "main.js").write_text("code")
    (package / "main.js").chmod(0o444)
    package.chmod(0o555)
    await organizations.delete(made.id, "Goes")
    assert await keychain.load(made.id) is None
    assert [one.name for one in await organizations.all()] == ["Stays"]
    assert [folder.name for folder in (tmp_path / "organizations").iterdir()] != []
    assert not (tmp_path / "organizations" / made.id).exists()


async def test_deleting_follows_no_link_out_of_the_folder(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path / "home")
    await organizations.create("Stays", KeyPlace.FILE)
    made = await organizations.create("Goes", KeyPlace.FILE)
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "precious").write_text("kept")
    folder = Home(tmp_path / "home").organization(made.id).folder
    (folder / "chats").mkdir()
    (folder / "chats" / "link").symlink_to(outside)
    (folder / "link").symlink_to(outside)
    await organizations.delete(made.id, "Goes")
    assert not folder.exists()
    assert (outside / "precious").read_text() == "kept"


@pytest.mark.req("ORG-035", "ORG-036", "ORG-037")
async def test_deleting_needs_the_exact_name_another_current_one_and_one_that_stays(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    first = await organizations.create("First", KeyPlace.FILE)
    assert (await failure(organizations.delete(first.id, "First"))).code is Code.ORG_LAST
    second = await organizations.create("Second", KeyPlace.FILE)
    assert (await failure(organizations.delete(first.id, "First"))).code is Code.ORG_CURRENT
    for wrong in ("second", "Second ", ""):
        assert (await failure(organizations.delete(second.id, wrong))).code is Code.INPUT_INVALID
    assert len(await organizations.all()) == 2


async def test_an_organization_that_another_process_holds_is_not_deleted(tmp_path: Path) -> None:
    organizations, other = organizations_in(tmp_path), organizations_in(tmp_path)
    await organizations.create("First", KeyPlace.FILE)
    second = await organizations.create("Second", KeyPlace.FILE)
    unlocked = await other.unlock(second.id)
    assert (await failure(organizations.delete(second.id, "Second"))).code is Code.ORG_OPEN
    assert unlocked.folder.key.exists()
    await other.release(unlocked)


@pytest.mark.parametrize("code", TROUBLES)
async def test_what_cannot_lose_its_key_is_not_deleted(tmp_path: Path, code: Code) -> None:
    healthy = organizations_in(tmp_path)
    await healthy.create("First", KeyPlace.FILE)
    second = await healthy.create("Second", KeyPlace.KEYCHAIN)
    troubled = organizations_in(tmp_path, keychain=Troubled(code))
    assert (await failure(troubled.delete(second.id, "Second"))).code is code
    await healthy.release(await healthy.unlock(second.id))


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"format": 1}', "{}", "\x00" * 10, '{"format": true}'])
async def test_a_damaged_description_is_told_and_never_replaced(tmp_path: Path, damage: str) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.FILE)
    description = Home(tmp_path).organization(made.id).description
    description.write_text(damage)
    for name in (made.id, "Personal", ""):
        assert (await failure(organizations.find(name))).code is Code.ORG_DAMAGED
    assert (await failure(organizations.unlock(made.id))).code is Code.ORG_DAMAGED
    await organizations.create("Other", KeyPlace.FILE)
    assert (await failure(organizations.find())).code is Code.ORG_DAMAGED
    assert description.read_text() == damage


async def test_a_description_of_a_newer_program_is_told_and_kept(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.FILE)
    description = Home(tmp_path).organization(made.id).description
    description.write_text(json.dumps({"format": 2, "id": made.id}))
    assert (await failure(organizations.unlock(made.id))).code is Code.STORE_NEWER


async def test_a_damaged_index_costs_only_the_choice(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    for name in ("One", "Two"):
        await organizations.create(name, KeyPlace.FILE)
    Home(tmp_path).index.write_text("{")
    assert [one.name for one in await organizations.all()] == ["One", "Two"]
    assert (await failure(organizations.find())).code is Code.ORG_NOT_FOUND
    await organizations.make_current((await organizations.find("Two")).id)
    assert (await organizations.find()).name == "Two"


@pytest.mark.parametrize("name", ["../x", "/etc", "", "no such", "0" * 26])
async def test_an_id_that_is_none_reaches_no_folder(tmp_path: Path, name: str) -> None:
    organizations = organizations_in(tmp_path)
    await organizations.create("One", KeyPlace.FILE)
    assert (await failure(organizations.unlock(name))).code is Code.ORG_NOT_FOUND
    assert (await failure(organizations.make_current(name))).code is Code.ORG_NOT_FOUND
