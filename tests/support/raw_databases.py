"""Raw databases in real children, and what a gem would say to them."""

import json
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import notochord
from notochord.adapters.raw_databases.launcher import RawChildren
from notochord.core.clock import SystemClock
from notochord.services.raw_databases.api import RawSource, Script, SqlMigration
from notochord.services.raw_databases.ports import RawLimits
from notochord.services.raw_databases.service import RawDatabaseService
from support.vaults import MemoryVault

SOURCE = Path(notochord.__file__).parents[1]
CHILD = "notochord.adapters.raw_databases.child"
COMMAND = (
    sys.executable,
    "-I",
    "-c",
    f"import sys; sys.path.insert(0, {str(SOURCE)!r}); from {CHILD} import main; sys.exit(main())",
)


def sql(text: str, params: Any = None) -> bytes:
    return json.dumps({"sql": text, "params": params}).encode()


def row(table: str, **values: Any) -> bytes:
    return json.dumps({"table": table, "row": values}).encode()


def source(
    folder: Path, files: Mapping[str, str] | None = None, *, owner: str = "gem:a", stamp: str = "1"
) -> RawSource:
    """Return an owner whose package has these files in `db/`, written below `folder`."""
    place = folder / "packages" / owner.replace(":", "_") / stamp
    schema, migrations = None, []
    for name, text in (files or {}).items():
        file = place / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        if name == "schema.sql":
            schema = file
        else:
            migrations.append(SqlMigration(int(file.name.partition("_")[0]), file.name, file))
    store = folder / "store" / owner.replace(":", "_")
    return RawSource(owner, store, stamp, Script(schema, tuple(sorted(migrations, key=lambda one: one.number))))


class Raw:
    """A service, spoken to as one owner."""

    def __init__(self, service: RawDatabaseService, owner: RawSource) -> None:
        self.service = service
        self.owner = owner

    async def ask(self, text: str, params: Any = None) -> Any:
        """Return the rows of a statement, odd values as their texts."""
        return json.loads((await self.service.query(self.owner, sql(text, params))).json)

    async def add(self, table: str, **values: Any) -> int | None:
        return await self.service.insert(self.owner, row(table, **values))


def made_service(
    *, vault: MemoryVault | None = None, limits: RawLimits | None = None, boundary: Any = lambda name: None
) -> RawDatabaseService:
    launcher = RawChildren(command=COMMAND, limits=limits)
    return RawDatabaseService(vault=vault or MemoryVault(), launcher=launcher, clock=SystemClock(), boundary=boundary)


@asynccontextmanager
async def raw_databases(
    *, vault: MemoryVault | None = None, limits: RawLimits | None = None
) -> AsyncIterator[RawDatabaseService]:
    service = made_service(vault=vault, limits=limits)
    try:
        yield service
    finally:
        await service.close()
