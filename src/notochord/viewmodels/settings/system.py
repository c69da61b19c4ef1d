"""System: language, look, what closing does, start at login, limits, and how messages are sent."""

from collections.abc import Callable
from typing import Generic

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.observable import Observable
from notochord.core.sentences import LANGUAGES
from notochord.services.agents.api import MAX_STEPS, TOKEN_LIMIT
from notochord.services.chat.api import SUMMARIZE_ABOVE
from notochord.services.organizations.api import Organizations
from notochord.services.settings.api import Setting, SettingChanged, Settings, Value
from notochord.services.startup.api import StartAtLogin
from notochord.viewmodels.chat.composer import SEND_WITH_CONTROL
from notochord.viewmodels.settings.pane import SectionModel
from notochord.viewmodels.shell.preferences import CLOSING, NOTIFY, REDUCED_MOTION, TEXT_SIZE, THEME

SYSTEM_LANGUAGE = ""
OFFERED_LANGUAGES = (SYSTEM_LANGUAGE, *LANGUAGES)


class Chosen(Generic[Value]):
    """A setting and the value now in force."""

    def __init__(self, setting: Setting[Value], settings: Settings) -> None:
        self.setting = setting
        self._settings = settings
        self.value: Observable[Value] = Observable(setting.default)

    def read(self) -> None:
        """Show the value now in force."""
        self.value.set(self._settings.current(self.setting))

    async def change(self, value: Value) -> None:
        """Choose; it is in force and on the disk on return."""
        if value != self._settings.current(self.setting):
            await self._settings.change(self.setting, value)
        self.value.set(value)


class SystemModel(SectionModel):
    """Settings that follow at once. `speak` is told of another language, after which the window opens anew."""

    def __init__(
        self,
        *,
        settings: Settings,
        organizations: Organizations,
        organization: str,
        startup: StartAtLogin | None,
        speak: Callable[[str], None],
        has_tray: Callable[[], bool],
        events: EventBus,
    ) -> None:
        super().__init__("system", events, SettingChanged)
        self._settings = settings
        self._organizations = organizations
        self._organization = organization
        self._startup = startup
        self._speak = speak
        self._has_tray = has_tray
        self.has_tray: Observable[bool] = Observable(True)
        self.language: Observable[str] = Observable(SYSTEM_LANGUAGE)
        self.theme = Chosen(THEME, settings)
        self.text_size = Chosen(TEXT_SIZE, settings)
        self.reduced_motion = Chosen(REDUCED_MOTION, settings)
        self.closing = Chosen(CLOSING, settings)
        self.notify = Chosen(NOTIFY, settings)
        self.send_with_control = Chosen(SEND_WITH_CONTROL, settings)
        self.summarize_above = Chosen(SUMMARIZE_ABOVE, settings)
        self.max_steps = Chosen(MAX_STEPS, settings)
        self.token_limit = Chosen(TOKEN_LIMIT, settings)
        self.at_login: Observable[bool | None] = Observable(None)
        """Whether the program starts at login; None where that cannot be chosen."""

    async def choose_language(self, language: str) -> None:
        """Speak another language from now on (SETUP-010); an empty one is the system's. Raises INPUT_INVALID."""
        if language == self.language.value:
            return
        await self._organizations.set_language(self._organization, language)
        self.language.set(language)
        self._speak(language)

    async def start_at_login(self, enabled: bool) -> None:
        """Start at login, or no longer; only this writes anything outside the data folder. Raises DISK_IO."""
        if self._startup is None:
            return
        try:
            await self._startup.change(enabled)
        finally:
            self.at_login.set(await self._starts())

    async def _load(self) -> None:
        organization = await self._organizations.find(self._organization)
        self.language.set(organization.language)
        self.has_tray.set(self._has_tray())
        for chosen in self._chosen():
            chosen.read()
        self.at_login.set(await self._starts())

    def _chosen(self) -> tuple["Chosen[int] | Chosen[bool] | Chosen[str]", ...]:
        return (
            self.theme,
            self.text_size,
            self.reduced_motion,
            self.closing,
            self.notify,
            self.send_with_control,
            self.summarize_above,
            self.max_steps,
            self.token_limit,
        )

    async def _starts(self) -> bool | None:
        if self._startup is None:
            return None
        try:
            return await self._startup.enabled()
        except NotochordError:
            return None
