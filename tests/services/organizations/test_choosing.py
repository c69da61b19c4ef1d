"""Whether an organization is encrypted is chosen once; until something is kept, the choice can be another."""

import json
import shutil
from pathlib import Path

import pytest

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import derived_key
from notochord.persistence.database import Database
from notochord.services.organizations.api import KeyPlace
from support.organizations import organizations_in


async def code_of(awaitable: object) -> Code:
    with pytest.raises(NotochordError) as caught:
        await awaitable  # type: ignore[misc]
    return caught.value.code


async def test_an_organization_whose_choice_is_open_has_neither_key_nor_store(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    made = await organizations.create("Personal", KeyPlace.UNDECIDED)
    folder = tmp_path / "organizations" / made.id
    assert sorted(file.name for file in folder.iterdir()) == ["organization.json"]
    assert await keychain.load(made.id) is None
    assert await code_of(organizations.unlock(made.id)) is Code.ORG_UNDECIDED
    assert await code_of(organizations.recover(made.id, folder)) is Code.ORG_UNDECIDED


@pytest.mark.req("SETUP-024", "SETUP-020")
@pytest.mark.parametrize("place", [KeyPlace.FILE, KeyPlace.KEYCHAIN])
async def test_the_chosen_place_is_where_the_key_lies(tmp_path: Path, place: KeyPlace) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    made = await organizations.create("Personal", KeyPlace.UNDECIDED)
    chosen = await organizations.choose_key_place(made.id, place)
    assert chosen.key_place is place
    assert (tmp_path / "organizations" / made.id / "key").exists() is (place is KeyPlace.FILE)
    assert (await keychain.load(made.id) is not None) is (place is KeyPlace.KEYCHAIN)
    await organizations.release(await organizations.unlock(made.id))


async def test_another_choice_makes_another_key_and_leaves_nothing_of_the_first(tmp_path: Path) -> None:
    keychain = MemoryKeys()
    organizations = organizations_in(tmp_path, keychain=keychain)
    made = await organizations.create("Personal", KeyPlace.UNDECIDED)
    first = await organizations.choose_key_place(made.id, KeyPlace.FILE)
    second = await organizations.choose_key_place(made.id, KeyPlace.KEYCHAIN)
    assert first.fingerprint != second.fingerprint
    assert not (tmp_path / "organizations" / made.id / "key").exists()
    assert await organizations.choose_key_place(made.id, KeyPlace.KEYCHAIN) == second
    await organizations.release(await organizations.unlock(made.id))


@pytest.mark.req("SETUP-028")
async def test_the_choice_stands_once_something_is_kept(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.FILE)
    unlocked = await organizations.unlock(made.id)
    database = await Database.open(unlocked.folder.main_database, derived_key(unlocked.key, "main.db"), ())
    await database.write(lambda connection: connection.exec_driver_sql("CREATE TABLE notes (body TEXT) STRICT"))
    await database.close()
    assert await code_of(organizations.choose_key_place(made.id, KeyPlace.KEYCHAIN)) is Code.ORG_DECIDED
    await organizations.release(unlocked)
    await organizations.release(await organizations.unlock(made.id))


class Refusing(MemoryKeys):
    """A keychain whose owner says no."""

    async def save(self, organization: str, key: bytes) -> None:
        raise NotochordError(Code.KEYCHAIN_REFUSED, Fault.USER)


async def test_a_keychain_that_refuses_leaves_the_choice_open(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path, keychain=Refusing())
    made = await organizations.create("Personal", KeyPlace.UNDECIDED)
    assert await code_of(organizations.choose_key_place(made.id, KeyPlace.KEYCHAIN)) is Code.KEYCHAIN_REFUSED
    assert (await organizations.find(made.id)).key_place is KeyPlace.UNDECIDED
    assert (await organizations.choose_key_place(made.id, KeyPlace.FILE)).key_place is KeyPlace.FILE


async def test_an_organization_without_a_choice_can_be_deleted(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    kept = await organizations.create("Kept", KeyPlace.FILE)
    made = await organizations.create("Personal", KeyPlace.UNDECIDED)
    await organizations.make_current(kept.id)
    await organizations.delete(made.id, "Personal")
    assert [one.id for one in await organizations.all()] == [kept.id]


async def test_a_reserved_organization_is_open_for_nobody_else(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.UNDECIDED)
    other = organizations_in(tmp_path)
    async with organizations.reserved(made.id):
        await organizations.choose_key_place(made.id, KeyPlace.FILE)
        assert await code_of(other.unlock(made.id)) is Code.ORG_OPEN
        assert await code_of(other.choose_key_place(made.id, KeyPlace.KEYCHAIN)) is Code.ORG_OPEN
    await other.release(await other.unlock(made.id))


@pytest.mark.req("SETUP-025")
@pytest.mark.parametrize("whole_home", [False, True], ids=["its folder", "the whole home"])
async def test_a_copied_folder_that_is_not_encrypted_is_adopted_and_opens(tmp_path: Path, whole_home: bool) -> None:
    old = organizations_in(tmp_path / "old")
    made = await old.create("Work", KeyPlace.FILE)
    source = tmp_path / "old" if whole_home else tmp_path / "renamed copy"
    if not whole_home:
        shutil.copytree(tmp_path / "old" / "organizations" / made.id, source)
    new = organizations_in(tmp_path / "new")
    adopted = await new.adopt(source)
    assert (adopted.id, adopted.name, adopted.current) == (made.id, "Work", True)
    await new.release(await new.unlock(made.id))
    assert await code_of(new.adopt(source)) is Code.ORG_EXISTS


@pytest.mark.req("SETUP-021", "ORG-016")
async def test_a_copied_folder_that_is_encrypted_opens_with_its_recovery_key_only(tmp_path: Path) -> None:
    old = organizations_in(tmp_path / "old")
    made = await old.create("Work", KeyPlace.KEYCHAIN)
    await old.save_recovery_key(made.id, tmp_path / "work.key")
    new = organizations_in(tmp_path / "new")
    await new.adopt(tmp_path / "old")
    assert await code_of(new.unlock(made.id)) is Code.KEY_MISSING
    await new.recover(made.id, tmp_path / "work.key")
    await new.release(await new.unlock(made.id))


async def test_what_is_no_organization_or_is_open_is_not_adopted(tmp_path: Path) -> None:
    old = organizations_in(tmp_path / "old")
    made = await old.create("Work", KeyPlace.FILE)
    new = organizations_in(tmp_path / "new")
    (tmp_path / "empty").mkdir()
    assert await code_of(new.adopt(tmp_path / "empty")) is Code.ORG_NO_DATA
    unlocked = await old.unlock(made.id)
    assert await code_of(new.adopt(tmp_path / "old")) is Code.ORG_OPEN
    await old.release(unlocked)
    description = tmp_path / "old" / "organizations" / made.id / "organization.json"
    description.write_text(json.dumps({**json.loads(description.read_text()), "name": 1}))
    assert await code_of(new.adopt(tmp_path / "old")) is Code.ORG_DAMAGED
    assert await new.all() == ()


async def test_links_of_a_copied_folder_are_not_followed(tmp_path: Path) -> None:
    old = organizations_in(tmp_path / "old")
    made = await old.create("Work", KeyPlace.FILE)
    (tmp_path / "secret").write_text("mine")
    (tmp_path / "old" / "organizations" / made.id / "link").symlink_to(tmp_path / "secret")
    await organizations_in(tmp_path / "new").adopt(tmp_path / "old")
    assert not (tmp_path / "new" / "organizations" / made.id / "link").exists()
