"""The chat desk of the open organization, kept while windows in other languages come and go."""

import asyncio
from importlib import import_module
from typing import TYPE_CHECKING

from notochord.qt_adapters.opening import DesktopOpening

if TYPE_CHECKING:
    from notochord.headless.services import Services
    from notochord.viewmodels.chat.desk import ChatDesk


class LastingDesk:
    """Makes the desk once: answers that run and messages that wait go on in the next window."""

    def __init__(self) -> None:
        self._desk: ChatDesk | None = None
        self._starting: asyncio.Task[None] | None = None

    async def of(self, services: "Services") -> "ChatDesk":
        """Return the desk of the organization, whose services stay the same until `close`."""
        module = await asyncio.to_thread(import_module, "notochord.viewmodels.chat.desk")
        if self._desk is None:
            kind: type[ChatDesk] = module.ChatDesk
            self._desk = _made(kind, services)
        return self._desk

    async def start(self) -> None:
        """Let the desk read what there is, once; a window that goes meanwhile does not stop it. Raises as it does."""
        if self._desk is not None:
            self._starting = self._starting or asyncio.create_task(self._desk.start(), name="read chats")
            await asyncio.shield(self._starting)

    async def close(self) -> None:
        """Close the desk; before the services are closed."""
        starting, desk = self._starting, self._desk
        self._starting = self._desk = None
        if starting is not None:
            starting.cancel()
            await asyncio.wait((starting,))
        if desk is not None:
            await desk.close()


def _made(kind: "type[ChatDesk]", services: "Services") -> "ChatDesk":
    return kind(
        chats=services.chats,
        drafts=services.drafts,
        approvals=services.approvals,
        models=services.models,
        settings=services.settings,
        files=services.files,
        versions=services.versions,
        opening=DesktopOpening(),
        gems=services.gems,
        egress=services.egress,
        events=services.events,
        clock=services.clock,
    )
