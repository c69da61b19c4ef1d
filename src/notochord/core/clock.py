"""Time, time zone, sleep and chance, behind one door so that tests can move the hand."""

import asyncio
import os
import time
from datetime import UTC, datetime, tzinfo
from typing import Protocol


class Clock(Protocol):
    """Where everything above `core` gets time and chance from."""

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""

    def milliseconds(self) -> int:
        """Return the present moment in milliseconds since 1970 (UTC)."""

    def monotonic(self) -> float:
        """Return seconds on a hand that never goes back; only differences mean something."""

    def zone(self) -> tzinfo:
        """Return the zone in which the user reads the time."""

    async def sleep(self, seconds: float) -> None:
        """Wait for `seconds`."""

    def random_bytes(self, count: int) -> bytes:
        """Return `count` bytes that nobody can guess."""


class SystemClock:
    """The machine's own time and chance."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - this is the door

    def milliseconds(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        return time.monotonic()

    def zone(self) -> tzinfo:
        return self.now().astimezone().tzinfo or UTC

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    def random_bytes(self, count: int) -> bytes:
        return os.urandom(count)
