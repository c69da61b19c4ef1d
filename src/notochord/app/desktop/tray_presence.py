"""The organization in the desktop's tray: what waits and what is at work, new chat, quit; and calls to the user."""

from collections.abc import Callable
from functools import partial

from notochord.app.desktop.stage import Stage
from notochord.core.events import EventBus, Unsubscribe
from notochord.qt_adapters.tray import Tray, TrayEntry
from notochord.services.settings.api import SettingChanged, Settings
from notochord.ui.kit.icons import icon
from notochord.viewmodels.shell.attention import Attention, Summons
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page
from notochord.viewmodels.shell.preferences import CLOSING, Closing

ICON = 64


class TrayPresence:
    """Follows `attention` and the settings; on a desktop without a tray, closing the window ends the program."""

    def __init__(
        self, *, stage: Stage, attention: Attention, navigation: Navigation, chat_entry: ChatEntry,
        settings: Settings, events: EventBus, end: Callable[[], None],
    ) -> None:  # fmt: skip
        kit = stage.kit
        self._stage, self._text = stage, kit.text
        self._attention, self._navigation, self._chat_entry = attention, navigation, chat_entry
        self._settings, self._end = settings, end
        self._tray = Tray(icon("notochord", kit.theme.colours.accent, ICON), kit.text("window.shell.title"))
        self._tray.pressed.connect(stage.raise_up)
        self._window = stage.window
        self._heard: list[Unsubscribe] = [
            events.subscribe(SettingChanged, lambda _: self._follow()),
            attention.waiting.watch(lambda _: self._fill()),
            attention.running.watch(lambda _: self._fill()),
        ]
        if self._window is not None:
            self._window.hidden.connect(self._hidden)

    async def start(self) -> None:
        """Stand in the tray, where there is one."""
        self._fill()
        if self._tray.available:
            self._tray.show()
        self._follow()

    async def close(self) -> None:
        """Leave the tray; closing the window ends the program again."""
        for unsubscribe in self._heard:
            unsubscribe()
        if self._window is not None and self._window is self._stage.window:
            self._window.keeps_running = False
        self._tray.close()

    def call(self, summons: Summons) -> None:
        """Tell a user who does not look, if the system has notifications."""
        text = self._text(f"window.shell.summons.{summons.occasion}")
        act = partial(self._go, summons.place.page, summons.place.subject)
        self._tray.notify(summons.title or self._text("window.shell.untitled"), text, act)

    def _follow(self) -> None:
        keeps = self._settings.current(CLOSING) == Closing.KEEP_RUNNING and self._tray.available
        if self._window is not None and self._window is self._stage.window:
            self._window.keeps_running = keeps

    def _hidden(self) -> None:
        """A window that nobody could bring back comes back by itself when the tray goes."""
        self._tray.watch(self._gone)

    def _gone(self) -> None:
        self._follow()
        self._stage.raise_up()

    def _fill(self) -> None:
        text = self._text
        entries = [
            TrayEntry(text("window.shell.tray.open"), self._stage.raise_up),
            TrayEntry(text("window.shell.new_chat"), self._new_chat),
        ]
        waiting = [(one.title, one.chat) for one in self._attention.waiting]
        running = [(one.title, one.chat) for one in self._attention.running]
        for key, chats in (("window.shell.tray.waiting", waiting), ("window.shell.tray.running", running)):
            if chats:
                entries += [TrayEntry(), TrayEntry(text(key))]
            for title, chat in chats:
                page = Page.CHAT if chat else Page.HOME
                entries.append(TrayEntry(title or text("window.shell.untitled"), partial(self._go, page, chat)))
        self._tray.set_menu([*entries, TrayEntry(), TrayEntry(text("window.shell.quit"), self._end)])

    def _new_chat(self) -> None:
        self._chat_entry.new()
        self._stage.raise_up()

    def _go(self, page: Page, subject: str) -> None:
        self._navigation.go(page, subject)
        self._stage.raise_up()
