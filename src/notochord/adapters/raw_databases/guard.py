"""What a gem's SQL may do: SQLite asks this at each step of compiling a statement, so no spelling gets around it."""

from collections.abc import Iterator
from contextlib import contextmanager

import sqlcipher3.dbapi2 as sqlite

MIGRATIONS = "notochord_migrations"

_DROP_VTABLE, _RECURSIVE = 30, 33

_OPEN = frozenset({
    sqlite.SQLITE_ALTER_TABLE, sqlite.SQLITE_ANALYZE, sqlite.SQLITE_CREATE_INDEX, sqlite.SQLITE_CREATE_TABLE,
    sqlite.SQLITE_CREATE_TRIGGER, sqlite.SQLITE_CREATE_VIEW, sqlite.SQLITE_DELETE, sqlite.SQLITE_DROP_INDEX,
    sqlite.SQLITE_DROP_TABLE, sqlite.SQLITE_DROP_TRIGGER, sqlite.SQLITE_DROP_VIEW, sqlite.SQLITE_INSERT,
    sqlite.SQLITE_READ, sqlite.SQLITE_REINDEX, sqlite.SQLITE_SELECT, sqlite.SQLITE_UPDATE, _RECURSIVE, _DROP_VTABLE,
})  # fmt: skip
"""Everything else is closed unless `_allowed` says otherwise: what a later SQLite brings is closed too."""

_NAMED = {
    sqlite.SQLITE_ATTACH: "ATTACH",
    sqlite.SQLITE_DETACH: "DETACH",
    sqlite.SQLITE_PRAGMA: "PRAGMA",
    sqlite.SQLITE_TRANSACTION: "a transaction of its own",
    sqlite.SQLITE_SAVEPOINT: "a savepoint",
    sqlite.SQLITE_CREATE_VTABLE: "this kind of virtual table",
}
_MODULES = frozenset({"fts5", "rtree", "rtree_i32"})
_INNER_PRAGMAS = frozenset({"data_version", "page_size"})
"""What full-text and R*Tree tables ask for themselves."""

_CLOSED_FUNCTIONS = frozenset({"load_extension", "fts3_tokenizer"})
_CLOSED_TABLES = ("pragma_", "sqlite_dbpage", "sqlite_stmt", "sqlite_memstat", "dbstat", "bytecode", "tables_used")
_CIPHER = "sqlcipher_"


class Guard:
    """An authorizer. `denied` tells after a refusal what was refused."""

    def __init__(self) -> None:
        self.denied = ""
        self._trusted = False
        self._first = True

    @contextmanager
    def trusting(self) -> Iterator[None]:
        """Let through what this program itself runs meanwhile."""
        self._trusted = True
        try:
            yield
        finally:
            self._trusted = False

    def begin(self) -> None:
        """Expect a new statement of the gem."""
        self.denied, self._first = "", True

    def __call__(self, action: int, one: str | None, two: str | None, schema: str | None, inner: str | None) -> int:
        if self._trusted:
            return int(sqlite.SQLITE_OK)
        first, self._first = self._first, False
        if self._allowed(action, (one or "").lower(), (two or "").lower(), first=first):
            return int(sqlite.SQLITE_OK)
        if not self.denied:
            named = two if action == sqlite.SQLITE_FUNCTION else one
            self.denied = _NAMED.get(action, (named or "this kind of statement")[:80])
        return int(sqlite.SQLITE_DENY)

    def _allowed(self, action: int, one: str, two: str, *, first: bool) -> bool:
        if MIGRATIONS in (one, two):
            return action == sqlite.SQLITE_ANALYZE
        if action == sqlite.SQLITE_FUNCTION:
            return two not in _CLOSED_FUNCTIONS and not two.startswith(_CIPHER)
        if action == sqlite.SQLITE_CREATE_VTABLE:
            return two in _MODULES
        if action == sqlite.SQLITE_PRAGMA:
            # Asked by a virtual table on its way, never by the text of a statement: that is told first of all.
            return not first and one in _INNER_PRAGMAS and not two
        return action in _OPEN and not one.startswith(_CLOSED_TABLES)
