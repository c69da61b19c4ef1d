"""The shell of an open organization: the sidebar, the page beside it, the command palette over both."""

from collections.abc import Callable, Mapping
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QStackedWidget, QWidget

from notochord.ui.kit.bindings import bind
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.palette_view import PaletteView
from notochord.ui.shell.sidebar import COLLAPSED, Sidebar
from notochord.viewmodels.shell.attention import Attention
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.palette import Palette

PageFactory = Callable[[], QWidget]


class Shell(QWidget):
    """Shows the page of `navigation.place`, built at the first visit; a page without a factory is not offered.

    `chat_list` makes the list of conversations, which is shown in the widened sidebar only (CHAT-002).
    """

    def __init__(
        self, kit: Kit, navigation: Navigation, pages: Mapping[Page, PageFactory], *, attention: Attention,
        chat_entry: ChatEntry, palette: Palette, chat_list: PageFactory | None = None, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._navigation = navigation
        self._factories = dict(pages)
        self._pages: dict[Page, QWidget] = {}
        self._chat_entry = chat_entry
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
        self.palette_view = PaletteView(kit, palette, self)
        bind(self, navigation.place, self._show)
        self.setTabOrder(self.sidebar, self._stack)

    def page(self, page: Page) -> QWidget:
        """Return the page, built now if it never was visited. Raises KeyError if there is none."""
        if page not in self._pages:
            self._pages[page] = self._factories[page]()
            self._stack.addWidget(self._pages[page])
        return self._pages[page]

    def open_palette(self) -> None:
        """Show the command palette over the page."""
        self.palette_view.open_over(self.rect())

    def ask_for_folder(self) -> None:
        """Let the user pick the folder that a conversation is begun around."""
        if not self._navigation.model_connected.value:
            self._navigation.go(Page.CONNECT_MODEL)
            return
        dialog = QFileDialog(self, self._kit.text("window.shell.folder_chat"))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.begin_around)
        dialog.open()

    def begin_around(self, folder: str) -> None:
        """Begin a conversation around this folder."""
        self._kit.runner.run(self, "chat around a folder", self._chat_entry.around(Path(folder)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.sidebar.follow()
        self.palette_view.follow(self.rect())

    def _show(self, place: Place) -> None:
        if place.page not in self._factories:
            return
        page = self.page(place.page)
        self._stack.setCurrentWidget(page)
        self.sidebar.fold()
        if self.isVisible() and page.focusPolicy() is not Qt.FocusPolicy.NoFocus:
            page.setFocus(Qt.FocusReason.OtherFocusReason)
