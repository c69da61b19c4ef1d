"""Whether there is a model to work with: a provider with at least one chosen model (OPEN-027)."""

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from notochord.core.events import EventBus, Unsubscribe
from notochord.core.tasks import Lifetime
from notochord.viewmodels.shell.navigation import Navigation

if TYPE_CHECKING:  # loaded in `start`: the window is painted before
    from notochord.services.models.api import Models


class ModelConnection:
    """Keeps `navigation.model_connected` true to the providers (SETUP-050)."""

    def __init__(self, *, models: "Models", events: EventBus, navigation: Navigation) -> None:
        self._models = models
        self._events = events
        self._navigation = navigation
        self._lifetime = Lifetime("model connection")
        self._in_turn = asyncio.Lock()
        self._unsubscribe: Unsubscribe | None = None

    async def start(self) -> None:
        """Look now, and follow changes from here on."""
        from notochord.services.models.api import RolesChanged

        self._unsubscribe = self._events.subscribe(RolesChanged, lambda _: self._follow())
        await self._look()

    async def close(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()
        await self._lifetime.close()

    def _follow(self) -> None:
        with suppress(RuntimeError):  # closed in between
            _ = self._lifetime.start("look", self._look())

    async def _look(self) -> None:
        async with self._in_turn:  # one after the other: what is read last holds
            providers = await self._models.providers()
            self._navigation.model_connected.set(any(provider.models for provider in providers))
