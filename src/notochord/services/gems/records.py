"""The records of installed gems in main.db; what a gem is and may do is read from here only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, Row, delete, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from notochord.core.strict_json import Json, decode, encode
from notochord.persistence.database import Database
from notochord.services.gems import failures, sop_calls
from notochord.services.gems.api import AccountChoice, Trust
from notochord.services.gems.grants import store as grants
from notochord.services.gems.manifest import FileRecord, Manifest, read
from notochord.services.gems.sop_calls import SopCalls
from notochord.services.gems.tables import CONNECTIONS, GEMS, UNFINISHED


@dataclass(frozen=True, slots=True)
class Record:
    """One installed gem. `folder` is its folder's name below the folder of all its versions."""

    manifest: Manifest
    trust: Trust
    folder: str
    files: Mapping[str, FileRecord]
    """Every file that was installed, the manifest among them."""

    installed_at: int
    calls: SopCalls = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.manifest.id

    @property
    def instance(self) -> str:
        """The name of the code that guests run: another one after each installation."""
        return f"gem:{self.id}@{self.folder}"


class Records:
    """Reads and writes the records."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all(self) -> dict[str, Record]:
        def work(connection: Connection) -> dict[str, Record]:
            calls = sop_calls.kept(connection)
            rows = connection.execute(select(GEMS).order_by(GEMS.c.id))
            return {row.id: _record(row, calls.get(row.id, {})) for row in rows}

        return await self._database.read(work)

    async def put(self, record: Record) -> None:
        """Make `record` the installed one: this write is the moment at which an installation happens.

        What the user chose for it stays, as far as it still asks for it; asked for again later, it is off (PERM-015).
        """
        values = {
            "id": record.id,
            "version": record.manifest.version,
            "folder": record.folder,
            "trust": record.trust.value,
            "manifest": encode(record.manifest.raw),
            "files": encode({path: [file.sha256, file.size] for path, file in record.files.items()}),
            "installed_at": record.installed_at,
        }

        def work(connection: Connection) -> None:
            connection.execute(upsert(GEMS).values(values).on_conflict_do_update(index_elements=["id"], set_=values))
            connection.execute(delete(UNFINISHED).where(UNFINISHED.c.id == record.id))
            asked = CONNECTIONS.c.slot.in_(record.manifest.connections)
            connection.execute(delete(CONNECTIONS).where(CONNECTIONS.c.gem == record.id, ~asked))
            manifest = record.manifest
            mail, folder = manifest.asks_for_mail, manifest.works_alone
            grants.keep_asked(connection, record.id, knowledge=manifest.knowledge, mail=mail, folder=folder)
            failures.forget(connection, record.id)
            sop_calls.keep(connection, record.id, record.calls)

        await self._database.write(work)

    async def begin(self, gem: str) -> None:
        """Note that a gem is installed for the first time: what exists of its data has to go if it fails."""

        def work(connection: Connection) -> None:
            connection.execute(upsert(UNFINISHED).values(id=gem).on_conflict_do_nothing())

        await self._database.write(work)

    async def drop(self, gem: str) -> None:
        """Remove a record and note that the data has to go: this write is the moment at which a removal happens."""

        def work(connection: Connection) -> None:
            connection.execute(delete(GEMS).where(GEMS.c.id == gem))
            connection.execute(delete(CONNECTIONS).where(CONNECTIONS.c.gem == gem))
            grants.drop(connection, gem)
            failures.forget(connection, gem)
            sop_calls.forget(connection, gem)
            connection.execute(upsert(UNFINISHED).values(id=gem).on_conflict_do_nothing())

        await self._database.write(work)

    async def unfinished(self) -> tuple[str, ...]:
        def work(connection: Connection) -> tuple[str, ...]:
            return tuple(connection.execute(select(UNFINISHED.c.id).order_by(UNFINISHED.c.id)).scalars())

        return await self._database.read(work)

    async def finish(self, gem: str) -> None:
        """Note that nothing is left of a gem that is not installed."""

        def work(connection: Connection) -> None:
            connection.execute(delete(UNFINISHED).where(UNFINISHED.c.id == gem))

        await self._database.write(work)

    async def connection(self, gem: str, slot: str) -> str | None:
        """Return the account that the user chose for one entry of the gem's `permissions.connections`."""
        statement = select(CONNECTIONS.c.connection).where(CONNECTIONS.c.gem == gem, CONNECTIONS.c.slot == slot)

        def work(connection: Connection) -> str | None:
            return connection.execute(statement).scalar_one_or_none()

        return await self._database.read(work)

    async def connections_of(self, gem: str) -> dict[str, str]:
        """Return the accounts that the user chose for a gem, by the entry of its manifest."""
        statement = select(CONNECTIONS.c.slot, CONNECTIONS.c.connection).where(CONNECTIONS.c.gem == gem)

        def work(connection: Connection) -> dict[str, str]:
            return {row.slot: row.connection for row in connection.execute(statement)}

        return await self._database.read(work)

    async def connections(self) -> tuple[AccountChoice, ...]:
        """Return what the user chose for all gems."""

        def work(connection: Connection) -> tuple[AccountChoice, ...]:
            rows = connection.execute(select(CONNECTIONS).order_by(CONNECTIONS.c.gem, CONNECTIONS.c.slot))
            return tuple(AccountChoice(row.gem, row.slot, row.connection) for row in rows)

        return await self._database.read(work)

    async def choose_connection(self, gem: str, slot: str, chosen: str) -> None:
        """Store the user's choice; an empty one takes it back."""

        def work(connection: Connection) -> None:
            connection.execute(delete(CONNECTIONS).where(CONNECTIONS.c.gem == gem, CONNECTIONS.c.slot == slot))
            if chosen:
                connection.execute(insert(CONNECTIONS).values(gem=gem, slot=slot, connection=chosen))

        await self._database.write(work)


def _record(row: Row[tuple[Json, ...]], calls: SopCalls) -> Record:
    manifest, files = decode(row.manifest), decode(row.files)
    assert isinstance(manifest, dict)
    assert isinstance(files, dict)
    return Record(
        manifest=read(manifest),
        trust=Trust(row.trust),
        folder=row.folder,
        files={path: _file(value) for path, value in files.items()},
        installed_at=row.installed_at,
        calls=calls,
    )


def _file(value: Json) -> FileRecord:
    assert isinstance(value, list)
    digest, size = value
    assert isinstance(digest, str)
    assert isinstance(size, int)
    return FileRecord(digest, size)
