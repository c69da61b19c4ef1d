"""Brings a database to the schema of this program: numbered, frozen steps, all or none, with a copy kept before.

A component (a service's tables) is a package of modules `m0001_….py`, `m0002_….py`; each has
`upgrade(connection)`, which gets the bare connection and imports the standard library only.
"""

import os
import pkgutil
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

import sqlcipher3.dbapi2 as sqlite

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.atomic_files import flush_folder
from notochord.persistence.connection import connect, create
from notochord.persistence.failures import translated
from notochord.persistence.integrity import faults_in
from notochord.persistence.key_check import log_of, refuse_unfit

Step = Callable[[sqlite.Connection], object]

_NAME = re.compile(r"m(\d{4})_\w+")


@dataclass(frozen=True, slots=True)
class Component:
    """Tables with one owner: `steps[n]` leads from version n to version n + 1."""

    name: str
    steps: tuple[Step, ...]

    @classmethod
    def of(cls, name: str, package: ModuleType) -> "Component":
        """Read the steps from a package of migration modules. Raises ValueError unless they count 1, 2, 3 …"""
        names = sorted(module.name for module in pkgutil.iter_modules(package.__path__))
        numbers = [int(match[1]) for found in names if (match := _NAME.fullmatch(found))]
        if numbers != list(range(1, len(names) + 1)):
            raise ValueError(f"the migrations of {name} do not count up: {names}")
        return cls(name, tuple(import_module(f"{package.__name__}.{found}").upgrade for found in names))


def migrate(path: Path, key: bytes, components: tuple[Component, ...]) -> None:
    """Create or upgrade the schema in one transaction. A file that would change is copied to `<name>.bak` first.

    A new database gets its name only when it is whole, so that an empty file is always a damaged one.
    Raises NotochordError: STORE_NEWER when the file was written by a newer program, STORE_DAMAGED when it is cut short,
    has lost its main file, or is not sound enough to be upgraded, or as `connect` does. The file is then as it was.
    """
    if path.exists():
        refuse_unfit(path, key)
        _bring_up(connect(path, key), path, components)
        return
    if log_of(path).exists():
        raise NotochordError(Code.STORE_DAMAGED, Fault.SYSTEM, "only the log is left", path=path.name)
    with translated(path):
        unfinished = path.with_name(f".{path.name}.part")
        for leftover in (unfinished, unfinished.with_name(f"{unfinished.name}-journal")):
            leftover.unlink(missing_ok=True)
        _bring_up(create(unfinished, key), path, components)
        unfinished.rename(path)
        flush_folder(path.parent)


def _bring_up(connection: sqlite.Connection, path: Path, components: tuple[Component, ...]) -> None:
    try:
        with translated(path):
            busy, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            connection.execute("BEGIN IMMEDIATE")
            try:
                _upgrade(connection, path, components, whole=not busy)
                connection.execute("COMMIT")
            except BaseException:
                _roll_back(connection)
                raise
    finally:
        connection.close()


def _roll_back(connection: sqlite.Connection) -> None:
    """Undo the transaction, unless the database did it by itself already (a full disk)."""
    if connection.in_transaction:
        connection.execute("ROLLBACK")


def _upgrade(connection: sqlite.Connection, path: Path, components: tuple[Component, ...], *, whole: bool) -> None:
    """`whole` tells whether the file holds everything, or some of it is in the log still."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS schema_versions (component TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT"
    )
    found = dict(connection.execute("SELECT component, version FROM schema_versions").fetchall())
    _refuse_newer(found, path, components)
    behind = [part for part in components if found.get(part.name, 0) < len(part.steps)]
    if behind and found:
        if not whole:
            raise NotochordError(Code.STORE_LOCKED, Fault.SYSTEM, "somebody reads it", path=path.name)
        _keep_copy(connection, path)
    for part in behind:
        for step in part.steps[found.get(part.name, 0) :]:
            step(connection)
        connection.execute(
            "INSERT INTO schema_versions VALUES (?, ?) ON CONFLICT DO UPDATE SET version = excluded.version",
            (part.name, len(part.steps)),
        )


def _refuse_newer(found: dict[str, int], path: Path, components: tuple[Component, ...]) -> None:
    known = {part.name: len(part.steps) for part in components}
    newer = sorted(name for name, version in found.items() if version > known.get(name, 0))
    if newer:
        raise NotochordError(Code.STORE_NEWER, Fault.USER, f"newer: {', '.join(newer)}", path=path.name)


def _keep_copy(connection: sqlite.Connection, path: Path) -> None:
    """Copy the file beside itself, if it is sound; no one can write meanwhile, and the log was emptied before."""
    wrong = faults_in(connection)
    if wrong:
        raise NotochordError(Code.STORE_DAMAGED, Fault.SYSTEM, "; ".join(wrong), path=path.name)
    unfinished = path.with_name(f".{path.name}.bak.part")
    shutil.copyfile(path, unfinished)
    with unfinished.open("rb+") as file:
        os.fsync(file.fileno())
    unfinished.replace(path.with_name(f"{path.name}.bak"))
    flush_folder(path.parent)
