"""The door to the logs of gems: encrypted like everything else, and short."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

MAX_LINES = 2_000
"""Of one gem; older ones are dropped."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line that a tool wrote, or how it failed; `at` is milliseconds since 1970."""

    tool: str
    at: int
    text: str


class GemLogs(Protocol):
    """The logs, by the ids of gems. Raises NotochordError as a database does."""

    async def add(self, gem: str, lines: Sequence[LogLine]) -> None: ...

    async def last(self, gem: str, count: int) -> tuple[LogLine, ...]:
        """Return the last lines of a gem, the oldest first."""

    async def forget(self, gem: str) -> None:
        """Delete what there is of a gem."""
