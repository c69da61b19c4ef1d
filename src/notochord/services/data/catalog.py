"""What lies in a store: the collections that were ever declared, with their numbers and stored declarations."""

import json
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import encode
from notochord.persistence.bare import BareConnection, IntegrityError
from notochord.services.data.compatibility import check_change
from notochord.services.data.declaration import Collection, Declaration, Log, Table
from notochord.services.data.parsing import parse
from notochord.services.data.physical import broken_field, index, shape
from notochord.services.data.validation import invalid


@dataclass(frozen=True, slots=True)
class Stored:
    """A collection as the store knows it."""

    number: int
    declared: bool
    collection: Collection


@dataclass(frozen=True, slots=True)
class Catalog:
    """The declared collections of an open store and the numbers under which they are kept."""

    declaration: Declaration
    numbers: dict[str, int]

    def table(self, name: str) -> Table:
        """Raises INPUT_INVALID for a collection that is not declared, or is a Log."""
        table = self.declaration.tables.get(name)
        if table is None:
            raise invalid(f"no table {name[:80]!r} is declared")
        return table

    def log(self, name: str) -> Log:
        """Raises INPUT_INVALID for a Log that is not declared."""
        log = self.declaration.logs.get(name)
        if log is None:
            raise invalid(f"no Log {name[:80]!r} is declared")
        return log


def stored_collections(connection: BareConnection) -> dict[str, Stored]:
    """Return every collection that the store has ever had."""
    rows = connection.execute("SELECT number, name, declared, declaration FROM collections").fetchall()
    raw = {name: json.loads(declaration) for _, name, _, declaration in rows}
    declaration, _ = parse({"collections": raw})  # a target that is gone is no fault of what is stored
    found = {}
    for number, name, declared, _ in rows:
        collection = declaration.collection(name)
        assert collection is not None
        found[name] = Stored(number, bool(declared), collection)
    return found


def to_migrate(stored: dict[str, Stored], declaration: Declaration) -> list[str]:
    """Return the tables whose records have to be migrated. Raises DATA_SCHEMA for a change that is not allowed."""
    needed = []
    for name in declaration.raw:
        collection = declaration.collection(name)
        assert collection is not None
        if name in stored and check_change(stored[name].collection, collection):
            needed.append(name)
    return needed


def apply(connection: BareConnection, declaration: Declaration) -> None:
    """Make the store what the declaration says; records are not touched. Raises DATA_UNIQUE."""
    begin(connection, declaration)
    finish(connection, declaration)


def begin(connection: BareConnection, declaration: Declaration) -> None:
    """Note what is declared, and bring the columns to it; indexes that are missing are not made yet."""
    connection.execute("UPDATE collections SET declared = 0")
    for name, raw in declaration.raw.items():
        collection = declaration.collection(name)
        assert collection is not None
        is_table = isinstance(collection, Table)
        version = collection.version if isinstance(collection, Table) else 1
        connection.execute(
            "INSERT INTO collections (name, kind, version, declared, declaration) VALUES (?, ?, ?, 1, ?) "
            "ON CONFLICT (name) DO UPDATE SET version = excluded.version, declared = 1, "
            "declaration = excluded.declaration",
            (name, "table" if is_table else "log", version, encode(raw)),
        )
    numbers = numbers_of(connection)
    for name, table in declaration.tables.items():
        shape(connection, numbers[name], table)


def finish(connection: BareConnection, declaration: Declaration) -> None:
    """Make the indexes that are missing. Raises DATA_UNIQUE."""
    numbers = numbers_of(connection)
    for name, table in declaration.tables.items():
        try:
            index(connection, numbers[name], table)
        except IntegrityError as error:
            raise unique_error(name, broken_field(error, numbers[name])) from error


def is_applied(connection: BareConnection, declaration: Declaration) -> bool:
    """Tell whether the store is what the declaration says already."""
    rows = connection.execute("SELECT name, declaration FROM collections WHERE declared").fetchall()
    return dict(rows) == {name: encode(raw) for name, raw in declaration.raw.items()}


def numbers_of(connection: BareConnection) -> dict[str, int]:
    return dict(connection.execute("SELECT name, number FROM collections").fetchall())


def unique_error(collection: str, field: str) -> NotochordError:
    detail = f"{collection}.{field}: the value is there already, and the field is unique"
    return NotochordError(Code.DATA_UNIQUE, Fault.GUEST, detail, field=f"{collection}.{field}")
