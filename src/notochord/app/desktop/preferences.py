"""The window follows the settings of the open organization: theme, size of text, movement."""

from notochord.app.desktop.stage import Stage
from notochord.core.events import EventBus, Unsubscribe
from notochord.services.settings.api import SettingChanged, Settings
from notochord.ui.kit.theme.theme import ThemeChoice
from notochord.viewmodels.shell.preferences import REDUCED_MOTION, TEXT_SIZE, TEXT_SIZES, THEME


class Preferences:
    """Applies the settings now and after each change."""

    def __init__(self, *, stage: Stage, settings: Settings, events: EventBus) -> None:
        self._stage = stage
        self._settings = settings
        self._events = events
        self._unsubscribe: Unsubscribe | None = None

    async def start(self) -> None:
        self._unsubscribe = self._events.subscribe(SettingChanged, lambda _: self._apply())
        self._apply()

    async def close(self) -> None:
        if self._unsubscribe is not None:
            self._unsubscribe()

    def _apply(self) -> None:
        theme = self._settings.current(THEME)
        self._stage.theme.choose(ThemeChoice(theme) if theme in set(ThemeChoice) else ThemeChoice.SYSTEM)
        size = self._settings.current(TEXT_SIZE)
        self._stage.theme.set_text_size(size if size in TEXT_SIZES else 100)
        self._stage.theme.set_reduced_motion(self._settings.current(REDUCED_MOTION))
