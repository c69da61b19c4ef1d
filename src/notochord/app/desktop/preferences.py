"""The window follows the settings of the open organization: theme, size of text, movement, folders of dialogs."""

from collections.abc import Mapping

from notochord.app.desktop.stage import Stage
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.strict_json import decode, encode
from notochord.services.settings.api import SettingChanged, Settings
from notochord.ui.kit.theme.theme import ThemeChoice
from notochord.viewmodels.shell.preferences import LAST_FOLDERS, REDUCED_MOTION, TEXT_SIZE, TEXT_SIZES, THEME


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
        folders = self._stage.folders
        folders.load(_folders(self._settings.current(LAST_FOLDERS)))
        folders.kept = self._keep_folders

    async def close(self) -> None:
        self._stage.folders.forget()
        if self._unsubscribe is not None:
            self._unsubscribe()

    def _keep_folders(self, folders: Mapping[str, str]) -> None:
        window = self._stage.window
        if window is not None:
            text = encode(dict(folders))
            self._stage.runner.run(window, "keep folders", self._settings.change(LAST_FOLDERS, text))

    def _apply(self) -> None:
        theme = self._settings.current(THEME)
        self._stage.theme.choose(ThemeChoice(theme) if theme in set(ThemeChoice) else ThemeChoice.SYSTEM)
        size = self._settings.current(TEXT_SIZE)
        self._stage.theme.set_text_size(size if size in TEXT_SIZES else 100)
        self._stage.theme.set_reduced_motion(self._settings.current(REDUCED_MOTION))


def _folders(kept: str) -> Mapping[str, str]:
    """Return the folders of dialogs by purpose; what cannot be read is no loss."""
    try:
        found = decode(kept)
    except ValueError:
        return {}
    named = found.items() if isinstance(found, dict) else ()
    return {name: folder for name, folder in named if isinstance(folder, str)}
