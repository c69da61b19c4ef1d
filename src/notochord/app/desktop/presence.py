"""The program beside its window: the tray with its menu, notifications, and what closing the window does."""

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QApplication

from notochord.core.events import EventBus, Unsubscribe
from notochord.core.flat_text import flattened
from notochord.qt_adapters.tray import Tray, TrayEntry
from notochord.services.settings.api import SettingChanged, Settings
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.window import MainWindow
from notochord.viewmodels.shell.attention import Attention, Summons
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.preferences import CLOSING, TOLD_OF_TRAY, Closing

MOST = 5
LONGEST_TITLE = 40


class Presence:
    """Joins one window of an open organization with the desktop's tray; made before the `Attention` that it follows."""

    def __init__(
        self, *, kit: Kit, window: MainWindow, tray: Tray, settings: Settings, events: EventBus, navigation: Navigation,
        chat_entry: ChatEntry, end: Callable[[], None],
    ) -> None:  # fmt: skip
        self._kit = kit
        self._window = window
        self._tray = tray
        self._settings = settings
        self._navigation = navigation
        self._chat_entry = chat_entry
        self._end = end
        self._attention: Attention | None = None
        self._watched: list[Unsubscribe] = [events.subscribe(SettingChanged, self._setting_changed)]
        tray.pressed.connect(window.raise_up)
        tray.changed.connect(self._decide_closing)
        window.hidden.connect(self._went_away)
        tray.show()
        self._decide_closing()
        self._show_menu()

    def follow(self, attention: Attention) -> None:
        """Show in the menu what waits and what is at work."""
        self._attention = attention
        self._watched += [attention.waiting.watch(self._show_menu), attention.running.watch(self._show_menu)]
        self._show_menu()

    def summon(self, summons: Summons) -> None:
        """Tell the user; the content of messages is never shown, only the chat's title."""
        title = self._title(summons.title)
        text = self._kit.text(f"window.shell.summons.{summons.occasion.value}")
        if not self._tray.notify(title, text, lambda: self._go(summons.place)):
            QApplication.alert(self._window)

    async def close(self) -> None:
        """Leave the tray."""
        for unsubscribe in self._watched:
            unsubscribe()
        self._window.keeps_running = False
        self._tray.close()

    def _setting_changed(self, event: SettingChanged) -> None:
        if event.name == CLOSING.name:
            self._decide_closing()

    def _decide_closing(self) -> None:
        """Only where a tray can bring it back may the window go without ending the program."""
        wanted = self._settings.current(CLOSING) == Closing.KEEP_RUNNING.value
        self._window.keeps_running = wanted and self._tray.available

    def _went_away(self) -> None:
        """Come back by itself if the tray disappears meanwhile: nothing else could bring the window back.

        The first time the user is told where the window went.
        """
        self._tray.watch(self._window.raise_up)
        if self._settings.current(TOLD_OF_TRAY):
            return
        title, text = self._kit.text("window.shell.title"), self._kit.text("window.shell.tray.stays")
        if self._tray.notify(title, text, self._window.raise_up):
            self._kit.runner.run(self._window, "note the tray", self._settings.change(TOLD_OF_TRAY, True))

    def _show_menu(self, _: object = None) -> None:
        text = self._kit.text
        entries = [
            TrayEntry(text("window.shell.tray.open"), self._window.raise_up),
            TrayEntry(text("window.shell.new_chat"), self._new_chat),
        ]
        if attention := self._attention:
            waiting = ((one.title, _place(one.chat)) for one in attention.waiting)
            entries += self._group("window.shell.tray.waiting", waiting)
            running = ((one.title, _place(one.chat)) for one in attention.running)
            entries += self._group("window.shell.tray.running", running)
        entries += [TrayEntry(), TrayEntry(text("window.shell.quit"), self._end)]
        self._tray.set_menu(entries)

    def _group(self, key: str, found: Iterable[tuple[str, Place]]) -> list[TrayEntry]:
        places = list(found)[:MOST]
        if not places:
            return []
        entries = [TrayEntry(), TrayEntry(self._kit.text(key))]
        return entries + [self._entry(title, place) for title, place in places]

    def _entry(self, title: str, place: Place) -> TrayEntry:
        return TrayEntry(self._title(title), lambda: self._go(place))

    def _title(self, title: str) -> str:
        return flattened(title, LONGEST_TITLE) or self._kit.text("window.shell.untitled")

    def _new_chat(self) -> None:
        self._window.raise_up()
        self._chat_entry.new()

    def _go(self, place: Place) -> None:
        self._window.raise_up()
        self._navigation.go(place.page, place.subject)


def _place(chat: str) -> Place:
    """Return where something waits: its conversation, or Home if it belongs to none."""
    return Place(Page.CHAT, chat) if chat else Place(Page.HOME)
