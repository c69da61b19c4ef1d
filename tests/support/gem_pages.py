"""Plays the pages of installed gems."""

import asyncio

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.gem_pages.api import GemPageDetails, PageFile


class PlayedPages:
    """Implements `GemPages`: `slow` calls wait until `go` is set; what was called stands in `calls`."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str, Json]] = []
        self.cancelled = 0
        self.go = asyncio.Event()
        self.most = 0
        self.running = 0
        self.failure: NotochordError | None = None

    async def open(self, gem: str, page: str) -> GemPageDetails:
        if self.failure is not None:
            raise self.failure
        return GemPageDetails(gem, "Greeter", page, "Board", "pages/board.html", ("helper",))

    async def file(self, gem: str, path: str) -> PageFile:
        if self.failure is not None:
            raise self.failure
        return PageFile(b"<p>", "text/html")

    async def call(self, gem: str, page: str, tool: str, arguments: Json) -> Json:
        self.calls.append((gem, page, tool, arguments))
        if tool == "fail":
            raise NotochordError(Code.TOOL_FAILED, Fault.GUEST, "it failed")
        if tool == "break":
            raise ZeroDivisionError
        if tool == "slow":
            self.running += 1
            self.most = max(self.most, self.running)
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                self.cancelled += 1
                raise
            finally:
                self.running -= 1
        return {"given": arguments}
