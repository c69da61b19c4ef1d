"""Watches the size of a data folder: it is never limited, but told once at 4 GiB and each time it doubles."""

import asyncio
import logging
from pathlib import Path

from notochord.persistence.bare import BareConnection
from notochord.services.data.access import Access
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.overview import size_of_folder
from notochord.services.data.retention import PLATFORM

FIRST_WARNING = 4 * 1024**3
MEASURE_AFTER = 64 * 1024**2

_WARNED = "warned_size"
_log = logging.getLogger(__name__)


class SizeWatch:
    """Measures on opening and after every MEASURE_AFTER bytes that were written. What was told is kept in the store."""

    def __init__(self, access: Access, *, owner: str, folder: Path, recorder: ChangeRecorder) -> None:
        self._access = access
        self._owner = owner
        self._folder = folder
        self._recorder = recorder
        self._measured_at = 0

    @property
    def is_due(self) -> bool:
        return self._recorder.written - self._measured_at >= MEASURE_AFTER

    async def measure(self) -> None:
        """Write a line into the log if the folder has passed a size that was not told yet (DATA-510, DATA-511)."""
        self._measured_at = self._recorder.written
        size = await asyncio.to_thread(size_of_folder, self._folder)
        if size <= FIRST_WARNING:
            return
        passed = FIRST_WARNING
        while passed * 2 < size:
            passed *= 2
        if await self._access.write(lambda connection: _note(connection, passed), PLATFORM):
            _log.warning("the data folder of %s has grown over %d GiB", self._owner, passed // 1024**3)


def _note(connection: BareConnection, passed: int) -> bool:
    row = connection.execute("SELECT value FROM meta WHERE key = ?", (_WARNED,)).fetchone()
    if row is not None and int(row[0]) >= passed:
        return False
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (_WARNED, str(passed)),
    )
    return True
