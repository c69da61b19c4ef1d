"""The `db/` folder of a gem: the script of its raw database, and what is wrong with one."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.problems import problem
from notochord.services.raw_databases.api import MAX_SCRIPT_BYTES, Script, SqlMigration

FOLDER = "db/"
SCHEMA = "db/schema.sql"
MIGRATIONS = "db/migrations/"

_MIGRATION = re.compile(r"([0-9]{1,15})_([^/]+)\.sql")


def script_of(files: Iterable[str], folder: Path) -> Script:
    """Return the script among the files of a gem in `folder`, which were checked at the installation."""
    files = set(files)
    migrations = (_migration(path, folder) for path in files if path.startswith(MIGRATIONS))
    return Script(
        schema=folder / SCHEMA if SCHEMA in files else None,
        migrations=tuple(sorted((one for one in migrations if one is not None), key=lambda one: one.number)),
    )


def db_problems(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    """Check the names, the numbers and the form of the files (DATA-451, DATA-455, DATA-456)."""
    numbers: dict[int, str] = {}
    for path in sorted(path for path in manifest.files if path.startswith(FOLDER)):
        if path.startswith(MIGRATIONS):
            found = _migration(path, folder)
            if found is None:
                yield problem("sql_name", path, "the name is not a number, an underscore, a name and .sql")
                continue
            if found.number in numbers:
                other = numbers[found.number]
                yield problem("sql_number", path, f"{other} has the same number", other=other)
            numbers.setdefault(found.number, path)
        elif path != SCHEMA:
            continue
        yield from _form(path, folder / path, manifest.files[path].size)


def _form(path: str, file: Path, size: int) -> Iterator[Problem]:
    if size > MAX_SCRIPT_BYTES:
        yield problem("skill_size", path, f"over {MAX_SCRIPT_BYTES} bytes", limit=MAX_SCRIPT_BYTES)
        return
    try:
        file.read_bytes().decode()
    except UnicodeDecodeError:
        yield problem("not_utf8", path, "no UTF-8 text")


def _migration(path: str, folder: Path) -> SqlMigration | None:
    name = path.removeprefix(MIGRATIONS)
    found = _MIGRATION.fullmatch(name)
    return None if found is None else SqlMigration(int(found[1]), name, folder / path)
