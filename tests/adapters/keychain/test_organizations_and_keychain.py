"""Organizations on a real Secret Service: whatever happens to the keyring, the data stays and the way back is told."""

import shutil
from pathlib import Path

import pytest

from notochord.adapters.keychain.system import SystemKeychain
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.organizations.api import KeyPlace
from notochord.services.organizations.service import HomeOrganizations
from support.canary import leaks_below
from support.organizations import organizations_in
from support.secret_service import SecretService, secret_service

__all__ = ["secret_service"]


def organizations(home: Path, patience: float = 20.0) -> HomeOrganizations:
    return organizations_in(home, keychain=SystemKeychain(clock=SystemClock(), patience_seconds=patience))


@pytest.mark.req("SETUP-020", "SETUP-021", "ORG-015", "ORG-018")
async def test_an_emptied_and_another_keyring_lead_to_the_recovery_file_and_overwrite_nothing(
    secret_service: SecretService, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    secret_service.start(password="first")
    made = await organizations(home).create("Personal", KeyPlace.KEYCHAIN)
    await organizations(home).save_recovery_key(made.id, tmp_path / "recovery.key")
    unlocked = await organizations(home).unlock(made.id)
    assert leaks_below(home, unlocked.key) == []
    before = unlocked.folder.main_database.read_bytes()

    secret_service.stop()
    secret_service.empty()
    with pytest.raises(NotochordError) as caught:
        await organizations(home).recover(made.id, tmp_path / "recovery.key")
    assert caught.value.code is Code.ORG_OPEN
    shutil.copytree(home, tmp_path / "moved")
    moved = organizations(tmp_path / "moved")
    with pytest.raises(NotochordError) as caught:
        await moved.unlock(made.id)
    assert caught.value.code is Code.KEYCHAIN_UNAVAILABLE

    secret_service.start(password="second")
    with pytest.raises(NotochordError) as caught:
        await moved.unlock(made.id)
    assert caught.value.code is Code.KEY_MISSING
    assert (tmp_path / "moved" / "organizations" / made.id / "main.db").read_bytes() == before
    await moved.recover(made.id, tmp_path / "recovery.key")
    opened = await moved.unlock(made.id)
    assert opened.key == unlocked.key
    await moved.release(opened)


async def test_a_locked_and_a_frozen_keyring_are_told_apart_and_the_data_is_untouched(
    secret_service: SecretService, tmp_path: Path
) -> None:
    home = tmp_path / "home"
    secret_service.start(password="first")
    made = await organizations(home).create("Personal", KeyPlace.KEYCHAIN)
    before = (home / "organizations" / made.id / "main.db").read_bytes()
    codes = []
    secret_service.stop()
    secret_service.start(password=None)
    with pytest.raises(NotochordError) as caught:
        await organizations(home).unlock(made.id)
    codes.append(caught.value.code)
    secret_service.freeze()
    with pytest.raises(NotochordError) as caught:
        await organizations(home, patience=0.3).unlock(made.id)
    codes.append(caught.value.code)
    secret_service.thaw()
    assert codes == [Code.KEYCHAIN_LOCKED, Code.KEYCHAIN_TIMEOUT]
    assert (home / "organizations" / made.id / "main.db").read_bytes() == before
    secret_service.stop()
    secret_service.start(password="first")
    await organizations(home).release(await organizations(home).unlock(made.id))


@pytest.mark.req("ORG-033", "ORG-034")
async def test_deleting_takes_the_key_out_of_the_keyring(secret_service: SecretService, tmp_path: Path) -> None:
    secret_service.start(password="first")
    home = organizations(tmp_path / "home")
    await home.create("Stays", KeyPlace.KEYCHAIN)
    made = await home.create("Goes", KeyPlace.KEYCHAIN)
    shutil.copytree(tmp_path / "home", tmp_path / "copy")
    await home.delete(made.id, "Goes")
    with pytest.raises(NotochordError) as caught:
        await organizations(tmp_path / "copy").unlock(made.id)
    assert caught.value.code is Code.KEY_MISSING
