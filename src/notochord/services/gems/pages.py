"""The pages of installed gems: their files, checked at each reading, and the calls that they make."""

import asyncio
import hashlib
from pathlib import Path

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.strict_json import Json
from notochord.services.gem_pages.api import GemPageDetails, PageFile
from notochord.services.gems.agent_declarations import agents_of
from notochord.services.gems.calls import CallPlace, StoreFolder, ToolCalls
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.installer import unknown
from notochord.services.gems.integrity import changed
from notochord.services.gems.manifest import FileRecord
from notochord.services.gems.page_declarations import FOLDER, MAX_FILE_BYTES, MEDIA_TYPES, pages_of
from notochord.services.gems.work import Work

MAX_SECONDS = 600.0
"""How long a call that a page makes may take."""


class PageService:
    """Implements `api.GemPages`. `store_folder` returns the data folder of a gem."""

    def __init__(self, *, library: Library, calls: ToolCalls, ids: IdMaker, store_folder: StoreFolder) -> None:
        self._library = library
        self._calls = calls
        self._ids = ids
        self._store_folder = store_folder

    async def open(self, gem: str, page: str) -> GemPageDetails:
        manifest = self._installed(gem).record.manifest
        found = next((one for one in pages_of(manifest.raw) if one.name == page), None)
        if found is None:
            raise NotochordError(Code.NOT_FOUND, Fault.USER, f"{gem} has no page {page[:64]!r}", why="why.gem_page")
        return GemPageDetails(
            gem=gem,
            gem_name=manifest.name,
            page=found.name,
            title=found.title,
            entry=found.entry,
            agents=tuple(agent.name for agent in agents_of(manifest.raw)),
        )

    async def file(self, gem: str, path: str) -> PageFile:
        installed = self._installed(gem)
        record = installed.record.manifest.files.get(path)
        media_type = MEDIA_TYPES.get(Path(path).suffix)
        if not path.startswith(FOLDER) or record is None or media_type is None:
            raise NotochordError(Code.NOT_FOUND, Fault.GUEST, f"{gem} has no file {path[:200]!r} for its pages")
        await self._library.verify(installed)
        with disk_failures():
            content = await asyncio.to_thread(_read, installed.folder / path, path, record)
        return PageFile(content, media_type)

    async def call(self, gem: str, page: str, tool: str, arguments: Json) -> Json:
        installed = self._installed(gem)
        found = installed.record.manifest.tool(tool)
        if found is None:
            names = ", ".join(entry.name for entry in installed.record.manifest.tools) or "none"
            raise NotochordError(
                Code.TOOL_UNKNOWN, Fault.GUEST, f"{gem} has no tool {tool[:64]!r}; its tools are: {names}",
                gem=gem, tool=tool[:64], names=names, why="why.gem_tool",
            )  # fmt: skip
        folder = self._store_folder(gem)
        await asyncio.to_thread(folder.mkdir, 0o700, parents=True, exist_ok=True)
        cause = Cause(run=f"page:{gem}/{page}", step=self._ids.new())
        place = CallPlace(Work.of(cause, folder), folder, cause, MAX_SECONDS, has_workspace=False)
        return await self._calls.run(installed, found, arguments, place)

    def _installed(self, gem: str) -> InstalledGem:
        found = self._library.get(gem)
        if found is None:
            raise unknown(gem)
        return found


def _read(file: Path, path: str, record: FileRecord) -> bytes:
    """Return what is in the file at this moment, if it is what was installed."""
    with file.open("rb") as source:
        content = source.read(MAX_FILE_BYTES + 1)
    if len(content) != record.size or hashlib.sha256(content).hexdigest() != record.sha256:
        raise changed(path, "has other content")
    return content
