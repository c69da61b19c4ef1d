"""The computer's own keychain: Secret Service, macOS Keychain or Windows Credential Locker."""

import asyncio
import base64
import binascii
import logging
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, TypeVar, cast

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import KEY_BYTES

Result = TypeVar("Result")

SERVICE = "Notochord"
PATIENCE_SECONDS = 60.0
"""Long enough for somebody to type the password that the system asks for."""

_log = logging.getLogger(__name__)


class Backend(Protocol):
    """What is used of a `keyring` backend."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


def system_backend() -> Backend:
    """Return this system's keychain.

    It is named outright: `keyring`'s own choice follows the environment and a configuration file, which could put
    keys into a plain file or pick another keychain after an update of the desktop.
    """
    if sys.platform == "darwin":
        from keyring.backends import macOS

        return macOS.Keyring()
    if sys.platform == "win32":
        from keyring.backends import Windows

        return Windows.WinVaultKeyring()
    from notochord.adapters.keychain.secret_service import ClosingSecretService

    keychain: Backend = ClosingSecretService()  # type: ignore[no-untyped-call]  # the library's class
    return keychain


class SystemKeychain:
    """Implements `KeyStore`: one entry per organization, named by its id.

    The system may ask the user for a password and never come back; so each call runs in a thread of its own that
    nobody waits for longer than the patience lasts. One that is given up can still take effect.
    """

    def __init__(
        self,
        *,
        clock: Clock,
        patience_seconds: float = PATIENCE_SECONDS,
        backend: Callable[[], Backend] = system_backend,
    ) -> None:
        self._clock = clock
        self._patience = patience_seconds
        self._backend = backend

    async def load(self, organization: str) -> bytes | None:
        text = await self._call(lambda backend: backend.get_password(SERVICE, organization))
        return None if text is None else _decoded(text)

    async def save(self, organization: str, key: bytes) -> None:
        text = base64.b64encode(key).decode()

        def keep(backend: Backend) -> str | None:
            backend.set_password(SERVICE, organization, text)
            return backend.get_password(SERVICE, organization)

        if await self._call(keep) != text:
            raise NotochordError(Code.KEYCHAIN_UNAVAILABLE, Fault.SYSTEM, "the keychain did not keep the key")

    async def delete(self, organization: str) -> None:
        def destroy(backend: Backend) -> None:
            if backend.get_password(SERVICE, organization) is not None:
                backend.delete_password(SERVICE, organization)

        await self._call(destroy)

    async def _call(self, work: Callable[[Backend], Result]) -> Result:
        loop = asyncio.get_running_loop()
        outcome: asyncio.Future[Result] = loop.create_future()

        def tell(result: Result | None, failure: NotochordError | None) -> None:
            if outcome.done():
                return
            if failure is not None:
                outcome.set_exception(failure)
            else:
                outcome.set_result(cast("Result", result))

        def run() -> None:
            result, failure = None, None
            try:
                result = work(self._backend())
            except Exception as error:
                failure = _failure(error)
            with suppress(RuntimeError):  # the loop is over
                loop.call_soon_threadsafe(tell, result, failure)

        threading.Thread(target=run, name="keychain", daemon=True).start()
        return await self._before_patience_ends(outcome)

    async def _before_patience_ends(self, outcome: asyncio.Future[Result]) -> Result:
        hand = asyncio.ensure_future(self._clock.sleep(self._patience))
        try:
            both: set[asyncio.Future[Any]] = {outcome, hand}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
            if outcome.done():
                return outcome.result()
        finally:
            outcome.cancel()
            hand.cancel()
            await asyncio.gather(hand, return_exceptions=True)
        raise NotochordError(Code.KEYCHAIN_TIMEOUT, Fault.SYSTEM, "no answer", seconds=int(self._patience))


def _decoded(text: str) -> bytes:
    try:
        key = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES:
        raise NotochordError(Code.KEY_WRONG, Fault.USER, "the keychain's entry is not a key")
    return key


def _failure(error: Exception) -> NotochordError:
    """Say what is wrong without a word of the backend's own message, which might quote what it was given."""
    names = _names(error)
    if "KeyringLocked" in names or "LockedException" in names:
        code = Code.KEYCHAIN_LOCKED
    elif "PromptDismissedException" in names or "KeychainDenied" in names:
        code = Code.KEYCHAIN_REFUSED
    else:
        code = Code.KEYCHAIN_UNAVAILABLE
    return NotochordError(code, Fault.SYSTEM, type(error).__name__)


def _names(error: BaseException | None) -> set[str]:
    names = set()
    while error is not None:
        names.add(type(error).__name__)
        error = error.__cause__ or error.__context__
    return names
