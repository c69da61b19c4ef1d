"""The state that every section of the settings has beside its content: loading, ready, failed."""

from collections.abc import Coroutine
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from notochord.core.errors import NotochordError
from notochord.core.observable import Observable


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


async def load_into(state: Observable[PaneState], work: Coroutine[Any, Any, None]) -> None:
    """Do the work that fills a section, and tell how it ended; what was shown before stays while it goes on."""
    if state.value.pane is not Pane.READY:
        state.set(LOADING)
    try:
        await work
    except NotochordError as error:
        state.set(PaneState(Pane.FAILED, error))
    else:
        state.set(READY)
