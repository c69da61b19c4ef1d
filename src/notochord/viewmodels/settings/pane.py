"""What every section of the settings has beside its content: loading, ready, failed, and that it follows changes."""

import asyncio
from abc import ABC, abstractmethod
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable
from notochord.core.tasks import Lifetime


class Pane(StrEnum):
    """What a section shows."""

    LOADING = "loading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class PaneState:
    """The state; `error` says why it failed."""

    pane: Pane
    error: NotochordError | None = None


LOADING = PaneState(Pane.LOADING)
READY = PaneState(Pane.READY)


class SectionModel(ABC):
    """A section that is read at its start, and again after each event that may have changed it."""

    def __init__(self, name: str, events: EventBus, *follows: type[Any]) -> None:
        self._events = events
        self._follows = follows
        self._lifetime = Lifetime(f"settings/{name}")
        self._in_turn = asyncio.Lock()
        self._heard: list[Unsubscribe] = []
        self.state: Observable[PaneState] = Observable(LOADING)

    async def start(self) -> None:
        """Read what there is, and follow changes made elsewhere. A second start only reads again."""
        if not self._heard:
            self._heard = [self._events.subscribe(kind, self._changed) for kind in self._follows]
        await self.load()

    async def close(self) -> None:
        for unsubscribe in self._heard:
            unsubscribe()
        await self._lifetime.close()

    async def load(self) -> None:
        """Read everything again; what was shown stays meanwhile, and a failure is told by `state`."""
        async with self._in_turn:  # one after the other: what is read last is shown last
            if self.state.value.pane is not Pane.READY:
                self.state.set(LOADING)
            try:
                await self._load()
            except NotochordError as error:
                self.state.set(PaneState(Pane.FAILED, error))
            else:
                self.state.set(READY)

    @abstractmethod
    async def _load(self) -> None:
        """Fill the section."""

    def concerned(self, _event: object) -> bool:
        """Tell whether an event that is followed changes what is shown."""
        return True

    def _changed(self, event: object) -> None:
        if self.concerned(event):
            with suppress(RuntimeError):  # closed in between
                _ = self._lifetime.start("load", self.load())
