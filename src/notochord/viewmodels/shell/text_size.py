"""Makes all text larger or smaller by steps."""

import asyncio
from collections.abc import Awaitable, Callable

from notochord.services.settings.api import Settings
from notochord.viewmodels.shell.preferences import TEXT_SIZE, next_text_size

USUAL = 100


class TextSize:
    """Changes the setting, which the window follows; `opened` waits until settings can be read.

    Keys that are pressed faster than a change is stored are steps all the same, one after the other.
    """

    def __init__(self, *, settings: Settings, opened: Callable[[], Awaitable[None]]) -> None:
        self._settings = settings
        self._opened = opened
        self._one_by_one = asyncio.Lock()

    async def larger(self) -> None:
        """Show all text one step larger."""
        await self._step(1)

    async def smaller(self) -> None:
        """Show all text one step smaller."""
        await self._step(-1)

    async def usual(self) -> None:
        """Show all text in the system's size."""
        async with self._one_by_one:
            await self._opened()
            await self._settings.change(TEXT_SIZE, USUAL)

    async def _step(self, steps: int) -> None:
        async with self._one_by_one:
            await self._opened()
            await self._settings.change(TEXT_SIZE, next_text_size(self._settings.current(TEXT_SIZE), steps))
