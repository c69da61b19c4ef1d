"""The developers whose signatures the user trusts: kept in main.db, and looked up at each check of a package."""

import asyncio
import re

from nacl.bindings import crypto_core_ed25519_is_valid_point
from sqlalchemy import Connection, delete, select
from sqlalchemy.dialects.sqlite import insert

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.persistence.database import Database
from notochord.services.gem_developers.api import DevelopersChanged, TrustedDeveloper
from notochord.services.gems.signatures import DeveloperKey, TrustedKeys, key_id
from notochord.services.gems.tables import DEVELOPERS

KEY_BYTES = 32
_ID = re.compile(r"[a-z0-9]+([.-][a-z0-9]+)*")
_MAX_ID = 128


class StoredDevelopers:
    """Implements `services.gems.api.Developers`; `trusted` are the keys as they count now, the official ones too."""

    def __init__(self, *, database: Database, clock: Clock, bus: EventBus, built_in: TrustedKeys) -> None:
        self._database = database
        self._clock = clock
        self._bus = bus
        self._built_in = built_in
        self._added: dict[str, tuple[DeveloperKey, ...]] = {}
        self._reading = asyncio.Lock()

    async def start(self) -> None:
        """Read the keys; without this none but the built-in ones count.

        One reading after the other: an older one that ends later would bring back a key that was taken away since.
        """
        async with self._reading:
            added: dict[str, tuple[DeveloperKey, ...]] = {}
            for one in await self.all():
                known = DeveloperKey(bytes.fromhex(one.public_key), one.publisher, one.prefix)
                added[one.key] = (*added.get(one.key, ()), known)
            self._added = added

    def trusted(self) -> TrustedKeys:
        """Return the keys that count at this moment."""
        return TrustedKeys(self._built_in.official, {**self._built_in.developers, **self._added})

    async def all(self) -> tuple[TrustedDeveloper, ...]:
        ordered = select(DEVELOPERS).order_by(DEVELOPERS.c.publisher, DEVELOPERS.c.prefix, DEVELOPERS.c.key)
        rows = await self._database.read(lambda connection: connection.execute(ordered).all())
        return tuple(
            TrustedDeveloper(row.key, row.publisher, row.prefix, row.public_key.hex(), row.added_at) for row in rows
        )

    async def add(self, public_key: str, publisher: str, prefix: str = "") -> TrustedDeveloper:
        raw, publisher, prefix = _read_key(public_key), publisher.strip(), prefix.strip()
        if key_id(raw) in self._built_in.official:
            raise _invalid("this key is built in", "why.developer_official")
        for text, why in ((publisher, "why.developer_publisher"), (prefix or "any", "why.developer_prefix")):
            if len(text) > _MAX_ID or not _ID.fullmatch(text):
                raise _invalid("ids are lower-case letters and digits, with dots and hyphens between them", why)
        now = self._clock.milliseconds()
        made = TrustedDeveloper(key_id(raw), publisher, prefix, raw.hex(), now)
        values = {"key": made.key, "publisher": publisher, "prefix": prefix, "public_key": raw, "added_at": now}

        def work(connection: Connection) -> None:
            connection.execute(insert(DEVELOPERS).values(values).on_conflict_do_nothing())

        await self._database.write(work)
        await self.start()
        self._bus.publish(DevelopersChanged())
        return made

    async def remove(self, key: str, publisher: str = "", prefix: str | None = None) -> None:
        wanted = delete(DEVELOPERS).where(DEVELOPERS.c.key == key)
        if publisher:
            wanted = wanted.where(DEVELOPERS.c.publisher == publisher)
        if prefix is not None:
            wanted = wanted.where(DEVELOPERS.c.prefix == prefix)
        if not await self._database.write(lambda connection: connection.execute(wanted).rowcount):
            raise NotochordError(
                Code.NOT_FOUND, Fault.USER, f"no key {key[:64]!r} is trusted", why="why.developer_gone", key=key[:64]
            )
        await self.start()
        self._bus.publish(DevelopersChanged())


def _read_key(text: str) -> bytes:
    """Return the bytes of a public key written as hexadecimal digits, in groups or not."""
    plain = re.sub(r"[\s:]", "", text)
    if not re.fullmatch(r"[0-9a-fA-F]{64}", plain):
        raise _invalid("a public key has 64 hexadecimal digits", "why.developer_key")
    raw = bytes.fromhex(plain)
    if not crypto_core_ed25519_is_valid_point(raw):
        raise _invalid("no signature can be made for this key", "why.developer_no_key")
    return raw


def _invalid(detail: str, why: str) -> NotochordError:
    return NotochordError(Code.INPUT_INVALID, Fault.USER, detail, why=why)
