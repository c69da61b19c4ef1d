"""How long each stage of the tour took."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from notochord.core.clock import Clock


class Stages:
    """Adds up seconds by the name of the stage."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count the time until the block ends to `name`."""
        begun = self._clock.monotonic()
        try:
            yield
        finally:
            self._seconds[name] = self._seconds.get(name, 0.0) + self._clock.monotonic() - begun

    def seconds(self) -> Mapping[str, float]:
        """Return the seconds of each stage, in the order in which the stages began."""
        return {name: round(time, 3) for name, time in self._seconds.items()}
