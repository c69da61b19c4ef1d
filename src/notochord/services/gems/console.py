"""The console of one call: what a tool writes, kept for the gem's log."""

import logging

from notochord.core.clock import Clock
from notochord.core.errors import NotochordError
from notochord.services.gem_logs.api import GemLogs, LogLine

MAX_LINES = 500
"""Of one call; the guest's own program keeps to it."""

MAX_CHARACTERS = 4_096
MAX_ALL_CHARACTERS = 262_144

_log = logging.getLogger(__name__)


class CallConsole:
    """Gathers the lines of one call; they are kept when it ends."""

    def __init__(self, logs: GemLogs, clock: Clock, *, gem: str, tool: str) -> None:
        self._logs = logs
        self._clock = clock
        self._gem = gem
        self._tool = tool
        self._lines: list[LogLine] = []
        self._size = 0

    def write(self, text: str) -> None:
        """Take a line; what is beyond the limits of one call is dropped."""
        self._size += len(text)
        if len(self._lines) < MAX_LINES and self._size <= MAX_ALL_CHARACTERS:
            self._lines.append(self._line(text))

    async def keep(self, failure: BaseException | None = None) -> None:
        """Put the lines into the log, with how the call failed; trouble with the log is not the call's."""
        if isinstance(failure, NotochordError):
            self._lines.append(self._line(f"{failure.code}: {failure.detail}"))
        lines, self._lines = self._lines, []
        if not lines:
            return
        try:
            await self._logs.add(self._gem, lines)
        except NotochordError:
            _log.exception("lines of a gem's log were not kept")

    def _line(self, text: str) -> LogLine:
        return LogLine(self._tool, self._clock.milliseconds(), text[:MAX_CHARACTERS])
