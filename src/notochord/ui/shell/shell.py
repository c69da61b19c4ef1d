"""The shell of an open organization: the sidebar, the page beside it, the command palette over both."""

from collections.abc import Callable, Collection, Coroutine, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QWidget

from notochord.ui.kit.bindings import bind
from notochord.ui.kit.file_dialogs import ask_folder
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import Purpose
from notochord.ui.shell.commands import CLOSE, FIND, LARGER, NEW, QUIT, SETTINGS, SMALLER, ShellCommand, keys_of
from notochord.ui.shell.overview import KeyOverview
from notochord.ui.shell.sidebar import COLLAPSED, Sidebar
from notochord.viewmodels.shell.attention import Attention
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.palette import Palette, PaletteItem, PaletteKind
from notochord.viewmodels.shell.text_size import TextSize

if TYPE_CHECKING:
    from notochord.ui.shell.palette_view import PaletteView

PageFactory = Callable[[], QWidget]


class Shell(QWidget):
    """Shows the page of `navigation.place`, built at the first visit; a page without a factory is not offered.

    `chat_list` makes the list of conversations, which is shown in the widened sidebar only (CHAT-002).
    """

    def __init__(
        self, kit: Kit, navigation: Navigation, pages: Mapping[Page, PageFactory], *, attention: Attention,
        chat_entry: ChatEntry, palette: Palette, text_size: TextSize | None = None,
        quit_program: Callable[[], None] | None = None, chat_list: PageFactory | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._navigation = navigation
        self._factories = dict(pages)
        self._pages: dict[Page, QWidget] = {}
        self._chat_entry = chat_entry
        self._text_size = text_size
        self._quit_program = quit_program
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addSpacing(COLLAPSED)
        self._stack = QStackedWidget()
        row.addWidget(self._stack, 1)
        self.sidebar = Sidebar(
            kit, navigation, frozenset(pages), waiting=attention.waiting, chat_list=chat_list, parent=self,
            on_new_chat=chat_entry.new, on_folder=self.ask_for_folder, on_search=self.open_palette,
        )  # fmt: skip
        self.commands = self._make_commands()
        self._palette = palette
        palette.offer(self._palette_items())
        self._palette_view: PaletteView | None = None
        self._listen_to_keys()
        self._was_seen = False
        bind(self, navigation.place, self._show)
        self.setTabOrder(self.sidebar, self._stack)

    def page(self, page: Page) -> QWidget:
        """Return the page, built now if it never was visited. Raises KeyError if there is none."""
        if page not in self._pages:
            self._pages[page] = self._factories[page]()
            self._stack.addWidget(self._pages[page])
        return self._pages[page]

    @property
    def palette_view(self) -> "PaletteView":
        """The command palette, built when it is first wanted: the first painting does not wait for it."""
        if self._palette_view is None:
            from notochord.ui.shell.palette_view import PaletteView

            self._palette_view = PaletteView(self._kit, self._palette, self)
        return self._palette_view

    def open_palette(self) -> None:
        """Show the command palette over the page."""
        self.palette_view.open_over(self.rect())

    def show_keys(self) -> None:
        """Show which keys do what."""
        KeyOverview(self._kit, self.commands, self).open()

    def ask_for_folder(self) -> None:
        """Let the user pick the folder that a conversation is begun around."""
        if not self._navigation.model_connected.value:
            self._navigation.go(Page.CONNECT_MODEL)
            return
        title = self._kit.text("window.shell.folder_chat")
        ask_folder(self._kit, self, title, self.begin_around, Purpose.CHAT_FOLDER)

    def begin_around(self, folder: Path) -> None:
        """Begin a conversation around this folder."""
        self._run("chat around a folder", self._chat_entry.around(folder))

    def _make_commands(self) -> tuple[ShellCommand, ...]:
        """Return what can be done here: those without `do` are the page's own and are only listed."""
        go, name = self._navigation.go, "window.shell.{}".format
        found = [ShellCommand(name("search"), self.open_palette, "search", ("Ctrl+K",))]
        if Page.CHAT in self._factories:
            found += [
                ShellCommand(name("new_chat"), self._chat_entry.new, "new-chat", keys_of(*NEW)),
                ShellCommand(name("folder_chat"), self.ask_for_folder, "folder-chat", ("Ctrl+Shift+N",)),
                ShellCommand(name("find"), None, "search", keys_of(*FIND)),
                ShellCommand(name("experts"), None, "agent", ("Ctrl+Shift+E",)),
                ShellCommand(name("message"), None, "chat", ("Alt+Up",)),
                ShellCommand(name("new_line"), None, "chat", ("Shift+Return",)),
            ]
        if Page.HOME in self._factories:
            found.append(ShellCommand(name("home"), lambda: go(Page.HOME), "home", ("Ctrl+Shift+H",)))
        if Page.STORE in self._factories:
            found.append(ShellCommand(name("store"), lambda: go(Page.STORE), "store", ("Ctrl+Shift+G",)))
        if Page.SETTINGS in self._factories:
            found.append(ShellCommand(name("settings"), lambda: go(Page.SETTINGS), "settings", keys_of(*SETTINGS)))
        found += self._sizes()
        found.append(ShellCommand(name("keys"), self.show_keys, "keyboard", ("Ctrl+/",)))
        found.append(ShellCommand(name("close"), self._close_window, "close", keys_of(*CLOSE)))
        if self._quit_program is not None:
            found.append(ShellCommand(name("quit"), self._quit_program, "quit", keys_of(*QUIT)))
        return tuple(found)

    def _sizes(self) -> list[ShellCommand]:
        """Return the commands that change the size of text."""
        if (text_size := self._text_size) is None:
            return []

        def run(change: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], None]:
            return lambda: self._run("text size", change())

        larger, smaller = (*keys_of(*LARGER), "Ctrl+="), keys_of(*SMALLER)
        return [
            ShellCommand("window.shell.larger", run(text_size.larger), "text-larger", larger),
            ShellCommand("window.shell.smaller", run(text_size.smaller), "text-smaller", smaller),
            ShellCommand("window.shell.usual", run(text_size.usual), "undo", ("Ctrl+0",)),
        ]

    def _palette_items(self, besides: Collection[str] = ()) -> list[PaletteItem]:
        return [
            PaletteItem(
                PaletteKind.ACTION, self._kit.text(command.key), command.do, icon=command.icon, shortcut=command.shown
            )
            for command in self.commands
            if command.do is not None and command.do != self.open_palette and command.key not in besides
        ]

    def _listen_to_keys(self, besides: Collection[str] = ()) -> None:
        """Close and quit are the window's own, since it has them on every screen."""
        own = {"window.shell.close", "window.shell.quit", *besides}
        for command in self.commands:
            if command.do is None or command.key in own:
                continue
            for keys in dict.fromkeys(command.keys):
                QShortcut(QKeySequence(keys), self).activated.connect(command.do)

    def _close_window(self) -> None:
        self.window().close()

    def _run(self, name: str, command: Coroutine[Any, Any, None]) -> None:
        self._kit.runner.run(self, name, command)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sidebar.follow()
        if self._palette_view is not None:
            self._palette_view.follow(self.rect())

    def showEvent(self, event: QShowEvent) -> None:
        """The page has the keyboard from the beginning; shown again, it is left where it was."""
        super().showEvent(event)
        page = self._stack.currentWidget()
        if not self._was_seen and page is not None:
            page.setFocus(Qt.FocusReason.OtherFocusReason)
        self._was_seen = True

    def _show(self, place: Place) -> None:
        if place.page not in self._factories:
            return
        page = self.page(place.page)
        self._stack.setCurrentWidget(page)
        self.sidebar.fold()
        if self.isVisible():
            page.setFocus(Qt.FocusReason.OtherFocusReason)
