"""Holds the organization of the session: kept from others while it is set up, then open with its services."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from importlib import import_module

from notochord.app.desktop.session import SERVICES
from notochord.core.errors import NotochordError
from notochord.headless.command import Command
from notochord.headless.control.server import Server
from notochord.headless.exchange import Exchange
from notochord.headless.holding import FAILED, hold
from notochord.headless.services import Services, Surroundings
from notochord.services.organizations.api import Organization


class Holder:
    """Keeps one organization for this process until `close`; `on_raise` answers a second start."""

    def __init__(self, surroundings: Surroundings, organization: Organization, on_raise: Callable[[], None]) -> None:
        self._surroundings = surroundings
        self.organization = self._organization = organization.id
        self._on_raise = on_raise
        self._stack = AsyncExitStack()
        self._opening = asyncio.Lock()
        self.services: Services | None = None

    async def reserve(self) -> None:
        """Keep other processes out while there is no key yet; a second start raises the window.

        Raises NotochordError: ORG_OPEN.
        """
        folder = await self._stack.enter_async_context(self._surroundings.organizations.reserved(self._organization))
        server = Server(run=_not_yet, on_raise=self._on_raise)
        try:
            listener = await self._surroundings.endpoint.listen(folder, server.serve)
        except NotochordError:
            return  # a system without an endpoint: a second start is told who has it
        self._stack.push_async_callback(listener.close)

    async def open(self) -> Services:
        """Open the organization, once; later calls return the same. Raises as `Opener.open`."""
        async with self._opening:
            if self.services is None:
                await asyncio.to_thread(import_module, SERVICES)
                catalogue = await asyncio.to_thread(import_module, "notochord.headless.catalogue")
                commands: Sequence[Command] = catalogue.commands()
                await self._stack.aclose()
                held = await self._stack.enter_async_context(
                    hold(self._surroundings, self._organization, commands, lasting=True, on_raise=self._on_raise)
                )
                self.services = held.services
            return self.services

    async def close(self) -> None:
        """Close everything, in order, and let go of the organization."""
        async with self._opening:
            self.services = None
            await self._stack.aclose()


async def _not_yet(_: object, exchange: Exchange) -> int:
    await exchange.say(exchange.sentences.sentence("headless.setting_up"))
    return FAILED
