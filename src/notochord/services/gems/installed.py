"""The installed gems in memory: their records, and whether their files are still what was installed."""

import asyncio
from collections.abc import Iterable
from pathlib import Path

from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.input_schemas import compile_schema
from notochord.services.gems.integrity import Inspection
from notochord.services.gems.records import Record
from notochord.services.sandbox.api import Sandbox

READY = "ready"


class InstalledGem:
    """One gem as installed now; an upgrade puts another object in its place."""

    def __init__(self, record: Record, folder: Path, inspection: Inspection | None = None) -> None:
        self.record = record
        self.folder = folder
        self.state = READY
        self.changed_file = ""
        self.checking = asyncio.Lock()
        self.inspection = inspection or Inspection(folder, record.files)
        self._schemas: dict[str, dict[str, Json]] = {}

    def schema(self, tool: str) -> dict[str, Json]:
        """Return the compiled schema of a tool's arguments; `tool` is one of the record's."""
        if tool not in self._schemas:
            found = self.record.manifest.tool(tool)
            assert found is not None
            self._schemas[tool] = compile_schema(found.schema)
        return self._schemas[tool]


class Library:
    """Holds what is installed and checks it before each use."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._gems: dict[str, InstalledGem] = {}

    def fill(self, gems: Iterable[InstalledGem]) -> None:
        self._gems = {gem.record.id: gem for gem in gems}

    def put(self, gem: InstalledGem) -> None:
        self._gems[gem.record.id] = gem

    def drop(self, gem: str) -> None:
        self._gems.pop(gem, None)

    def get(self, gem: str) -> InstalledGem | None:
        return self._gems.get(gem)

    def all(self) -> list[InstalledGem]:
        """Return the installed gems, by id."""
        return [self._gems[gem] for gem in sorted(self._gems)]

    async def verify(self, gem: InstalledGem) -> None:
        """Check the files of a gem: whole at the first use, later those that were touched (GEMOPEN-079).

        Raises NotochordError(FILES_CHANGED, or DISK_IO for files that cannot be read) after ending the gem's processes.
        The gem runs again once its files are as they were.
        """
        async with gem.checking:
            try:
                with disk_failures():
                    if not gem.inspection.is_quickly_sound():
                        await asyncio.to_thread(gem.inspection.check)
            except NotochordError as error:
                gem.state, gem.changed_file = error.code.value, str(error.parameters.get("path", ""))
                await self._sandbox.stop(gem.record.instance)
                raise
            gem.state, gem.changed_file = READY, ""
