"""What keeps an organization from opening: each kind has its remedies, and none replaces existing data."""

from pathlib import Path

import pytest

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.organizations.api import KeyPlace, Organization
from notochord.services.organizations.service import HomeOrganizations
from notochord.viewmodels.start.trouble import Kind, Remedy, Trouble
from support.organizations import organizations_in


def trouble(
    organizations: HomeOrganizations, organization: Organization | None, code: Code, left: list[str]
) -> Trouble:
    return Trouble(
        organizations=organizations,
        organization=organization,
        error=NotochordError(code, Fault.USER),
        folder=Path("data"),
        leave=left.append,
    )


@pytest.mark.parametrize(
    ("code", "kind", "first"),
    [
        (Code.KEY_MISSING, Kind.KEY_MISSING, Remedy.RECOVERY_KEY),
        (Code.KEY_WRONG, Kind.KEY_WRONG, Remedy.RECOVERY_KEY),
        (Code.KEYCHAIN_LOCKED, Kind.KEYCHAIN, Remedy.RETRY),
        (Code.KEYCHAIN_TIMEOUT, Kind.KEYCHAIN, Remedy.RETRY),
        (Code.ORG_OPEN, Kind.HELD, Remedy.RETRY),
        (Code.ORG_MISMATCH, Kind.DAMAGED, Remedy.SHOW_FOLDER),
        (Code.STORE_NEWER, Kind.NEWER, Remedy.RETRY),
        (Code.DISK_FULL, Kind.DISK, Remedy.RETRY),
        (Code.INTERNAL, Kind.OTHER, Remedy.RETRY),
    ],
)
async def test_each_kind_of_trouble_has_a_screen_and_a_first_remedy(
    tmp_path: Path, code: Code, kind: Kind, first: Remedy
) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.FILE)
    found = trouble(organizations, made, code, [])
    assert (found.kind, found.remedies[0]) == (kind, first)


@pytest.mark.req("ORG-018", "ORG-016")
async def test_the_recovery_key_file_puts_a_missing_key_back(tmp_path: Path) -> None:
    made, file = await encrypted(tmp_path)
    organizations = organizations_in(tmp_path / "home", keychain=MemoryKeys())
    left: list[str] = []
    found = trouble(organizations, made, Code.KEY_MISSING, left)
    await found.recover(file)
    assert left == [made.id]
    await organizations.release(await organizations.unlock(made.id))


async def test_the_key_of_another_organization_is_told_from_a_damaged_file(tmp_path: Path) -> None:
    made, file = await encrypted(tmp_path)
    organizations = organizations_in(tmp_path / "home", keychain=MemoryKeys())
    other = await organizations.create("Other", KeyPlace.KEYCHAIN)
    left: list[str] = []
    with pytest.raises(NotochordError, match="E_RECOVERY_OTHER_ORG"):
        await trouble(organizations, other, Code.KEY_MISSING, left).recover(file)
    file.write_text("something else")
    with pytest.raises(NotochordError, match="E_RECOVERY_INVALID"):
        await trouble(organizations, made, Code.KEY_MISSING, left).recover(file)
    assert left == []


class Locked(MemoryKeys):
    async def load(self, organization: str) -> bytes | None:
        raise NotochordError(Code.KEYCHAIN_LOCKED, Fault.USER)

    async def save(self, organization: str, key: bytes) -> None:
        raise NotochordError(Code.KEYCHAIN_LOCKED, Fault.USER)


async def test_the_recovery_key_opens_the_data_for_once_where_no_keychain_keeps_it(tmp_path: Path) -> None:
    made, file = await encrypted(tmp_path)
    organizations = organizations_in(tmp_path / "home", keychain=Locked())
    left: list[str] = []
    await trouble(organizations, made, Code.KEYCHAIN_LOCKED, left).recover(file)
    assert left == [made.id]
    await organizations.release(await organizations.unlock(made.id))
    again = organizations_in(tmp_path / "home", keychain=Locked())
    with pytest.raises(NotochordError, match="E_KEYCHAIN_LOCKED"):
        await again.unlock(made.id)


@pytest.mark.req("ORG-019")
async def test_another_organization_can_be_made_and_the_data_stays(tmp_path: Path) -> None:
    made, _ = await encrypted(tmp_path)
    organizations = organizations_in(tmp_path / "home", keychain=MemoryKeys())
    before = {path: path.read_bytes() for path in (tmp_path / "home" / "organizations" / made.id).iterdir()}
    left: list[str] = []
    await trouble(organizations, made, Code.KEY_MISSING, left).create("New")
    assert left == [(await organizations.find("New")).id]
    assert {path: path.read_bytes() for path in before} == before


async def test_others_are_offered(tmp_path: Path) -> None:
    organizations = organizations_in(tmp_path)
    made = await organizations.create("Personal", KeyPlace.FILE)
    work = await organizations.create("Work", KeyPlace.FILE)
    left: list[str] = []
    found = trouble(organizations, made, Code.KEY_MISSING, left)
    await found.start()
    assert [one.id for one in found.others.value] == [work.id]
    await found.switch(work.id)
    assert left == [work.id]
    assert (await organizations.find()).id == work.id


async def encrypted(folder: Path) -> tuple[Organization, Path]:
    """Make an encrypted organization whose keychain is lost, and its recovery key file."""
    organizations = organizations_in(folder / "home", keychain=MemoryKeys())
    made = await organizations.create("Personal", KeyPlace.KEYCHAIN)
    file = folder / "recovery.key"
    await organizations.save_recovery_key(made.id, file)
    return made, file
