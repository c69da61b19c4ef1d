"""Pictures of the window around the pages."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.gallery.scene import Scene
from notochord.ui.home.page import HomePage
from notochord.ui.kit.controls.labels import title
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.overview import KeyOverview
from notochord.ui.shell.shell import Shell
from notochord.ui.shell.window import MainWindow
from notochord.viewmodels.samples import shell as samples
from notochord.viewmodels.samples.home import home
from notochord.viewmodels.shell.navigation import Navigation, Page
from notochord.viewmodels.shell.notices import Notices


@dataclass(frozen=True, slots=True)
class _Stage:
    """A window with the shell in it."""

    window: MainWindow
    shell: Shell


def _stage(kit: Kit, *, waits: bool = True, connected: bool = True, notices: Notices | None = None) -> _Stage:
    navigation = Navigation()
    navigation.model_connected.set(connected)
    window = MainWindow(kit, notices=notices or Notices(), frames=samples.frames())
    language = kit.sentences.language
    attention = samples.attention(navigation, language, waits=waits)

    def home_page() -> QWidget:
        return HomePage(kit, home(language, navigation=navigation, watched=attention))

    shell = Shell(
        kit, navigation,
        {Page.HOME: home_page} | {page: partial(_page, kit, page) for page in (Page.CHAT, Page.SETTINGS)},
        attention=attention,
        chat_entry=samples.chat_entry(navigation), palette=samples.palette(kit.sentences),
        text_size=samples.text_size(), quit_program=window.quit_wanted.emit,
    )  # fmt: skip
    window.show_content(shell)
    return _Stage(window, shell)


def _page(kit: Kit, page: Page) -> QWidget:
    found = QWidget()
    column = QVBoxLayout(found)
    column.setContentsMargins(*[kit.theme.space.xxl] * 4)
    column.addWidget(title(kit, kit.text(f"window.shell.{page.value}")))
    column.addStretch(1)
    return found


def _narrow(kit: Kit) -> QWidget:
    return _stage(kit).window


def _wide(kit: Kit) -> QWidget:
    stage = _stage(kit)
    stage.shell.sidebar.widen()
    return stage.window


def _no_model(kit: Kit) -> QWidget:
    stage = _stage(kit, waits=False, connected=False)
    stage.shell.sidebar.widen()
    return stage.window


def _palette(words: str) -> Callable[[Kit], QWidget]:
    def build(kit: Kit) -> QWidget:
        stage = _stage(kit)
        stage.shell.open_palette()
        stage.shell.palette_view.field.setText(words)
        stage.shell.palette_view.search_messages()
        return stage.window

    return build


def _notices(kit: Kit) -> QWidget:
    return _stage(kit, notices=samples.notices()).window


def _keys(kit: Kit) -> QWidget:
    stage = _stage(kit)
    page = QWidget()
    overview = KeyOverview(kit, stage.shell.commands, page)
    overview.setWindowFlags(Qt.WindowType.Widget)
    overview.show()
    stage.window.leave()
    return page


SCENES = (
    Scene("shell-narrow", _narrow),
    Scene("shell-wide", _wide),
    Scene("shell-no-model", _no_model),
    Scene("shell-palette", _palette("")),
    Scene("shell-palette-found", _palette("sa")),
    Scene("shell-palette-nothing", _palette("qqqq")),
    Scene("shell-notices", _notices),
    Scene("shell-keys", _keys, 480, 520),
)
