"""Which installed gems have a later version: read from the last list, which is fetched once a day at most.

Nobody is asked before the user has opened the store: until then there is no last list.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.tasks import Lifetime

if TYPE_CHECKING:  # loaded in `start`: the window is painted before
    from notochord.services.store.api import Store

DAY = 24 * 60 * 60


class StoreUpdates:
    """Tells `tell` the updates at the start and whenever they may be others."""

    def __init__(
        self, *, store: "Store", events: EventBus, clock: Clock, tell: Callable[[Mapping[str, str]], None]
    ) -> None:
        self._store = store
        self._events = events
        self._clock = clock
        self._tell = tell
        self._lifetime = Lifetime("updates")
        self._in_turn = asyncio.Lock()
        self._heard: list[Unsubscribe] = []

    async def start(self) -> None:
        """Tell what is known, and follow from here on."""
        from notochord.services.gems.api import GemInstalled, GemRemoved
        from notochord.services.store.api import StoreListed

        kinds = (GemInstalled, GemRemoved, StoreListed)
        self._heard = [self._events.subscribe(kind, lambda _: self._again()) for kind in kinds]
        await self._read()
        with suppress(RuntimeError):  # closed in between
            _ = self._lifetime.start("fetch daily", self._daily())

    async def close(self) -> None:
        """Tell nothing any more."""
        for unsubscribe in self._heard:
            unsubscribe()
        await self._lifetime.close()

    async def _daily(self) -> None:
        while True:
            came_at = (await self._store.known()).came_at
            if came_at and self._clock.milliseconds() - came_at >= DAY * 1000:
                await self._store.refresh()
            await self._clock.sleep(DAY)

    async def _read(self) -> None:
        async with self._in_turn:  # one after the other: what is read last is told last
            with suppress(NotochordError):  # told on the store's own page
                self._tell(await self._store.updates())

    def _again(self) -> None:
        with suppress(RuntimeError):  # closed in between
            _ = self._lifetime.start("read", self._read())
