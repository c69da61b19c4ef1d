"""How the window looks by the user's settings: theme, size of text, movement."""

from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable
from notochord.services.settings.api import SettingChanged, Settings
from notochord.viewmodels.shell.preferences import REDUCED_MOTION, TEXT_SIZE, THEME, next_text_size

USUAL_SIZE = 100


class Appearance:
    """Follows the settings of the open organization from its making until `close`."""

    def __init__(self, *, settings: Settings, events: EventBus) -> None:
        self.theme: Observable[str] = Observable(settings.current(THEME))
        self.text_size: Observable[int] = Observable(settings.current(TEXT_SIZE))
        self.reduced_motion: Observable[bool] = Observable(settings.current(REDUCED_MOTION))
        self._settings = settings
        self._unsubscribe: Unsubscribe = events.subscribe(SettingChanged, self._changed)

    async def close(self) -> None:
        """Follow the settings no longer."""
        self._unsubscribe()

    async def larger(self) -> None:
        """Show all text one step larger."""
        await self._resize(next_text_size(self.text_size.value, 1))

    async def smaller(self) -> None:
        """Show all text one step smaller."""
        await self._resize(next_text_size(self.text_size.value, -1))

    async def usual(self) -> None:
        """Show all text in the system's size."""
        await self._resize(USUAL_SIZE)

    async def _resize(self, size: int) -> None:
        await self._settings.change(TEXT_SIZE, size)

    def _changed(self, event: SettingChanged) -> None:
        current = self._settings.current
        if event.name == THEME.name:
            self.theme.set(current(THEME))
        elif event.name == TEXT_SIZE.name:
            self.text_size.set(current(TEXT_SIZE))
        elif event.name == REDUCED_MOTION.name:
            self.reduced_motion.set(current(REDUCED_MOTION))
