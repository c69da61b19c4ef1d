"""Makes all text larger or smaller by steps."""

from notochord.services.settings.api import Settings
from notochord.viewmodels.shell.preferences import TEXT_SIZE, next_text_size

USUAL = 100


class TextSize:
    """Changes the setting, which the window follows."""

    def __init__(self, *, settings: Settings) -> None:
        self._settings = settings

    async def larger(self) -> None:
        """Show all text one step larger."""
        await self._step(1)

    async def smaller(self) -> None:
        """Show all text one step smaller."""
        await self._step(-1)

    async def usual(self) -> None:
        """Show all text in the system's size."""
        await self._settings.change(TEXT_SIZE, USUAL)

    async def _step(self, steps: int) -> None:
        await self._settings.change(TEXT_SIZE, next_text_size(self._settings.current(TEXT_SIZE), steps))
