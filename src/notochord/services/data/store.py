"""The open store of one owner: key-value pairs, each change recorded in the same transaction."""

import unicodedata

from sqlalchemy import Connection, delete, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from notochord.core.caller import Caller
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.database import Database
from notochord.services.data.api import MAX_KEY_CHARACTERS, MAX_VALUE_BYTES
from notochord.services.data.tables import CHANGES, KV

RECORDS_DAYS = 180
"""How long change records are kept (DATA-053)."""

_DAY = 86_400_000


class EncryptedStore:
    """The store of one owner; it is told from outside when it has been closed."""

    def __init__(self, database: Database, *, clock: Clock, device: str) -> None:
        self._forgot_at = 0
        self._database = database
        self._clock = clock
        self._device = device
        self._closed = False

    async def kv_get(self, key: str) -> str | None:
        self._check_open()
        _check_key(key)

        def work(connection: Connection) -> str | None:
            return connection.execute(select(KV.c.value).where(KV.c.key == key)).scalar_one_or_none()

        return await self._database.read(work)

    async def kv_set(self, key: str, value: str, caller: Caller) -> None:
        self._check_open()
        _check_key(key)
        _check_value(value)

        def work(connection: Connection) -> None:
            before = connection.execute(select(KV.c.value).where(KV.c.key == key)).scalar_one_or_none()
            statement = upsert(KV).values(key=key, value=value)
            connection.execute(statement.on_conflict_do_update(index_elements=[KV.c.key], set_={"value": value}))
            self._record(connection, caller, "kv", key, before, value)
            self._forget(connection)

        await self._database.write(work)

    async def close(self) -> None:
        """Refuse further calls, wait for those under way and close the file."""
        if not self._closed:
            self._closed = True
            await self._database.close()

    def _record(
        self, connection: Connection, caller: Caller, kind: str, subject: str, before: str | None, after: str | None
    ) -> None:
        cause = caller.cause
        connection.execute(
            insert(CHANGES).values(
                device=self._device,
                at=self._clock.milliseconds(),
                actor=caller.actor.value,
                name=caller.name,
                conversation=cause.conversation,
                branch=cause.branch,
                turn=cause.turn,
                run=cause.run,
                step=cause.step,
                kind=kind,
                subject=subject,
                before=before,
                after=after,
            )
        )

    def _forget(self, connection: Connection) -> None:
        """Drop records that are past their time, about once a day and with the first change after the opening."""
        now = self._clock.milliseconds()
        if now - self._forgot_at >= _DAY:
            connection.execute(delete(CHANGES).where(CHANGES.c.at < now - RECORDS_DAYS * _DAY))
            self._forgot_at = now

    def _check_open(self) -> None:
        if self._closed:
            raise NotochordError(Code.DATA_CLOSED, Fault.SYSTEM, "the store is closed")


def _check_key(key: str) -> None:
    if not 1 <= len(key) <= MAX_KEY_CHARACTERS:
        raise _invalid(f"a key has 1 to {MAX_KEY_CHARACTERS} characters")
    if any(unicodedata.category(character) in {"Cc", "Cs"} for character in key):
        raise _invalid("a key has no control characters")


def _check_value(value: str) -> None:
    try:
        size = len(value.encode())
    except UnicodeEncodeError:
        raise _invalid("a value is Unicode text without lone surrogates") from None
    if size > MAX_VALUE_BYTES:
        raise NotochordError(
            Code.PAYLOAD_TOO_LARGE, Fault.GUEST, f"a value has at most {MAX_VALUE_BYTES} bytes", limit=MAX_VALUE_BYTES
        )


def _invalid(detail: str) -> NotochordError:
    return NotochordError(Code.INPUT_INVALID, Fault.GUEST, detail)
