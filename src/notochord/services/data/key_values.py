"""Key-value pairs: small texts, each change recorded in the same transaction."""

import unicodedata

from notochord.core.caller import Caller
from notochord.persistence.bare import BareConnection
from notochord.services.data import changes
from notochord.services.data.access import Access
from notochord.services.data.api import MAX_KEY_CHARACTERS, MAX_VALUE_BYTES
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.validation import invalid, too_large


class KeyValues:
    """The pairs of one store."""

    def __init__(self, access: Access, recorder: ChangeRecorder) -> None:
        self._access = access
        self._recorder = recorder

    async def get(self, key: str) -> str | None:
        _check_key(key)
        return await self._access.read(lambda connection: value_of(connection, key))

    async def set(self, key: str, value: str, caller: Caller) -> None:
        _check_key(key)
        _check_value(value)
        await self._access.write(lambda connection: put(connection, self._recorder, caller, key, value), caller)


def value_of(connection: BareConnection, key: str) -> str | None:
    row = connection.execute("SELECT value FROM kv WHERE key = ?", (key,)).fetchone()
    return None if row is None else str(row[0])


def put(connection: BareConnection, recorder: ChangeRecorder, caller: Caller, key: str, value: str | None) -> None:
    """Store a value, or take the key away, with the record of the change."""
    before = value_of(connection, key)
    if value is None:
        connection.execute("DELETE FROM kv WHERE key = ?", (key,))
    else:
        connection.execute(
            "INSERT INTO kv (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (key, value),
        )
    recorder.record(connection, caller, changes.KV, key, before, value)


def _check_key(key: str) -> None:
    if not 1 <= len(key) <= MAX_KEY_CHARACTERS:
        raise invalid(f"a key has 1 to {MAX_KEY_CHARACTERS} characters")
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in key):
        raise invalid("a key has no control characters")


def _check_value(value: str) -> None:
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise invalid("a value is Unicode text without lone surrogates") from None
    if size > MAX_VALUE_BYTES:
        raise too_large(f"a value has at most {MAX_VALUE_BYTES} bytes", MAX_VALUE_BYTES)
