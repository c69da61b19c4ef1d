"""Measures how long a call worked, without the time for which a person was asked."""

from collections.abc import Iterator
from contextlib import contextmanager

from notochord.core.clock import Clock


class Stopwatch:
    """Runs from its making on."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._began = clock.monotonic()
        self._paused = 0.0

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Do not count what the block takes."""
        since = self._clock.monotonic()
        try:
            yield
        finally:
            self._paused += self._clock.monotonic() - since

    def milliseconds(self) -> int:
        """Return what was counted so far, outside of every `paused` block."""
        return round(1000 * (self._clock.monotonic() - self._began - self._paused))
