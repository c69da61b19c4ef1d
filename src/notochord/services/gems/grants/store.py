"""Reads and writes what the user allowed a gem; nothing is allowed by itself (KB-004, TOOL-090)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from sqlalchemy import Connection, Delete, delete, insert, select
from sqlalchemy.dialects.sqlite import insert as upsert

from notochord.persistence.database import Database
from notochord.services.gems.grants.tables import GRANTS

EVERY_MAILBOX = "*"
"""Stands for all mailboxes, those that come later included; no mailbox has this id."""


class Kind(StrEnum):
    KNOWLEDGE = "knowledge"
    COLLECTION = "collection"
    MAILBOX = "mailbox"
    FOLDER = "folder"


@dataclass(frozen=True, slots=True)
class Granted:
    """What is allowed now. `collections` are those chosen for a permission whose target is `user-selected`."""

    knowledge: frozenset[str] = frozenset()
    collections: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    mailboxes: frozenset[str] = frozenset()
    every_mailbox: bool = False
    working_folder: str = ""


class GrantStore:
    """The grants of all gems. What is written is durable on return and holds from the next call on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of(self, gem: str) -> Granted:
        query = select(GRANTS).where(GRANTS.c.gem == gem).order_by(GRANTS.c.subject, GRANTS.c.item)
        rows = await self._database.read(lambda connection: connection.execute(query).all())
        collections: dict[str, tuple[str, ...]] = {}
        for row in rows:
            if row.kind == Kind.COLLECTION:
                collections[row.subject] = (*collections.get(row.subject, ()), row.item)
        mailboxes = frozenset(row.subject for row in rows if row.kind == Kind.MAILBOX)
        return Granted(
            knowledge=frozenset(row.subject for row in rows if row.kind == Kind.KNOWLEDGE),
            collections=collections,
            mailboxes=mailboxes - {EVERY_MAILBOX},
            every_mailbox=EVERY_MAILBOX in mailboxes,
            working_folder=next((row.subject for row in rows if row.kind == Kind.FOLDER), ""),
        )

    async def allow_knowledge(self, gem: str, permission: str, *, allowed: bool) -> None:
        """Turn one permission on or off; the collections that were chosen for it stay for the next time."""

        def work(connection: Connection) -> None:
            row = {"gem": gem, "kind": Kind.KNOWLEDGE, "subject": permission, "item": ""}
            if allowed:
                connection.execute(upsert(GRANTS).values(row).on_conflict_do_nothing())
            else:
                connection.execute(_of(gem, Kind.KNOWLEDGE).where(GRANTS.c.subject == permission))

        await self._database.write(work)

    async def choose_collections(self, gem: str, permission: str, collections: Collection[str]) -> None:
        """Make `collections` those that a permission with the target `user-selected` reaches."""

        def work(connection: Connection) -> None:
            connection.execute(_of(gem, Kind.COLLECTION).where(GRANTS.c.subject == permission))
            for item in sorted(set(collections)):
                row = {"gem": gem, "kind": Kind.COLLECTION, "subject": permission, "item": item}
                connection.execute(insert(GRANTS).values(row))

        await self._database.write(work)

    async def choose_mailboxes(self, gem: str, mailboxes: Collection[str], *, every: bool) -> None:
        """Make `mailboxes` those that the gem may read; with `every` all, whatever is named and comes later."""
        subjects = set(mailboxes) | ({EVERY_MAILBOX} if every else set())

        def work(connection: Connection) -> None:
            connection.execute(_of(gem, Kind.MAILBOX))
            for subject in sorted(subjects):
                row = {"gem": gem, "kind": Kind.MAILBOX, "subject": subject, "item": ""}
                connection.execute(insert(GRANTS).values(row))

        await self._database.write(work)

    async def choose_working_folder(self, gem: str, folder: str) -> None:
        """Make `folder` the one that its SOPs work in without a conversation; "" for none."""

        def work(connection: Connection) -> None:
            connection.execute(_of(gem, Kind.FOLDER))
            if folder:
                connection.execute(insert(GRANTS).values(gem=gem, kind=Kind.FOLDER, subject=folder, item=""))

        await self._database.write(work)


def keep_asked(connection: Connection, gem: str, *, knowledge: Collection[str], mail: bool, folder: bool) -> None:
    """Take back what a new version no longer asks for: asked for again later, it is off (PERM-015)."""
    for kind in (Kind.KNOWLEDGE, Kind.COLLECTION):
        connection.execute(_of(gem, kind).where(GRANTS.c.subject.not_in(list(knowledge))))
    if not mail:
        connection.execute(_of(gem, Kind.MAILBOX))
    if not folder:
        connection.execute(_of(gem, Kind.FOLDER))


def drop(connection: Connection, gem: str) -> None:
    """Forget everything that a removed gem was allowed (KB-273)."""
    connection.execute(delete(GRANTS).where(GRANTS.c.gem == gem))


def _of(gem: str, kind: Kind) -> Delete:
    return delete(GRANTS).where(GRANTS.c.gem == gem, GRANTS.c.kind == kind)
