"""A clock whose hand the test moves."""

import asyncio
import random
from datetime import UTC, datetime, timedelta, tzinfo

START = datetime(2026, 11, 30, 9, 0, tzinfo=UTC)


class HandClock:
    """Stands still until `advance` is called; sleepers wake when their time has come. Chance comes from a seed."""

    def __init__(self, start: datetime = START, *, zone: tzinfo = UTC, seed: int = 0) -> None:
        self._now = start
        self._zone = zone
        self._chance = random.Random(seed)
        self._sleepers: list[tuple[datetime, asyncio.Future[None]]] = []

    def now(self) -> datetime:
        return self._now

    def milliseconds(self) -> int:
        return int(self._now.timestamp() * 1000)

    def monotonic(self) -> float:
        return self._now.timestamp()

    def zone(self) -> tzinfo:
        return self._zone

    def random_bytes(self, count: int) -> bytes:
        return self._chance.randbytes(count)

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        sleeper = asyncio.get_running_loop().create_future()
        self._sleepers.append((self._now + timedelta(seconds=seconds), sleeper))
        await sleeper

    def advance(self, seconds: float) -> None:
        self._now += timedelta(seconds=seconds)
        due = [sleeper for moment, sleeper in self._sleepers if moment <= self._now]
        self._sleepers = [(moment, sleeper) for moment, sleeper in self._sleepers if moment > self._now]
        for sleeper in due:
            if not sleeper.done():
                sleeper.set_result(None)
