"""The system's keychain, here a real gnome-keyring: what it keeps, and how each of its troubles shows."""

import base64
from pathlib import Path

import pytest

from notochord.adapters.keychain.system import SERVICE, SystemKeychain, system_backend
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from support.canary import leaks_below
from support.secret_service import SecretService, secret_service

__all__ = ["secret_service"]

KEY = bytes(range(100, 132))
ORGANIZATION = "0" * 26


def keychain(patience: float = 20.0) -> SystemKeychain:
    return SystemKeychain(clock=SystemClock(), patience_seconds=patience)


@pytest.mark.req("CRED-006", "SETUP-020")
async def test_a_key_is_kept_in_an_empty_keyring_without_a_display(secret_service: SecretService) -> None:
    secret_service.start(password="first")
    assert await keychain().load(ORGANIZATION) is None
    await keychain().save(ORGANIZATION, KEY)
    assert await keychain().load(ORGANIZATION) == KEY


async def test_a_key_outlives_the_keyring_process_and_is_encrypted_in_its_file(
    secret_service: SecretService, tmp_path: Path
) -> None:
    secret_service.start(password="first")
    await keychain().save(ORGANIZATION, KEY)
    secret_service.stop()
    assert leaks_below(tmp_path, KEY) == []
    secret_service.start(password="first")
    assert await keychain().load(ORGANIZATION) == KEY


@pytest.mark.req("ORG-033")
async def test_a_deleted_key_is_gone_and_deleting_it_again_is_no_error(secret_service: SecretService) -> None:
    secret_service.start(password="first")
    await keychain().save(ORGANIZATION, KEY)
    await keychain().delete(ORGANIZATION)
    await keychain().delete(ORGANIZATION)
    assert await keychain().load(ORGANIZATION) is None


async def test_organizations_do_not_share_a_key(secret_service: SecretService) -> None:
    secret_service.start(password="first")
    await keychain().save(ORGANIZATION, KEY)
    assert await keychain().load("1" * 26) is None


async def failure_of_load(patience: float = 20.0) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        await keychain(patience).load(ORGANIZATION)
    return caught.value


async def test_no_bus_is_no_usable_keychain(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", f"unix:path={tmp_path}/none")
    assert (await failure_of_load()).code is Code.KEYCHAIN_UNAVAILABLE


async def test_no_secret_service_is_no_usable_keychain(secret_service: SecretService) -> None:
    assert (await failure_of_load()).code is Code.KEYCHAIN_UNAVAILABLE


async def test_a_locked_keyring_that_cannot_ask_is_locked(secret_service: SecretService) -> None:
    secret_service.start(password="first")
    await keychain().save(ORGANIZATION, KEY)
    secret_service.stop()
    secret_service.start(password=None)
    assert (await failure_of_load()).code is Code.KEYCHAIN_LOCKED


async def test_a_refused_question_for_a_new_keyring_is_a_refusal(secret_service: SecretService) -> None:
    secret_service.start(password=None)
    assert (await failure_of_load()).code is Code.KEYCHAIN_REFUSED


async def test_a_keyring_that_does_not_answer_is_given_up(secret_service: SecretService) -> None:
    secret_service.start(password="first")
    secret_service.freeze()
    try:
        assert (await failure_of_load(patience=0.3)).code is Code.KEYCHAIN_TIMEOUT
    finally:
        secret_service.thaw()


async def test_an_entry_that_is_no_key_is_a_wrong_key(secret_service: SecretService) -> None:
    secret_service.start(password="first")
    for entry in ("nonsense", base64.b64encode(bytes(31)).decode()):
        system_backend().set_password(SERVICE, ORGANIZATION, entry)
        failure = await failure_of_load()
        assert failure.code is Code.KEY_WRONG
        assert entry not in str(failure)


async def test_the_environment_cannot_choose_another_keychain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.null.Keyring")
    assert "null" not in type(system_backend()).__module__


class Forgetful:
    """A keychain that says yes and keeps nothing."""

    def get_password(self, service: str, username: str) -> str | None:
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        return

    def delete_password(self, service: str, username: str) -> None:
        return


async def test_a_key_that_cannot_be_read_back_was_not_kept() -> None:
    with pytest.raises(NotochordError) as caught:
        await SystemKeychain(clock=SystemClock(), backend=Forgetful).save(ORGANIZATION, KEY)
    assert caught.value.code is Code.KEYCHAIN_UNAVAILABLE
