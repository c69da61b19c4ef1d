"""Pictures of the whole window: the sidebar, and a page beside it."""

from functools import partial

from PySide6.QtWidgets import QWidget

from notochord.ui.chat.page import ChatPage
from notochord.ui.gallery.scene import Scene
from notochord.ui.home.page import HomePage
from notochord.ui.kit.kit import Kit
from notochord.ui.shell.shell import Shell
from notochord.ui.shell.window import MainWindow
from notochord.viewmodels.samples import chat as chats
from notochord.viewmodels.samples import shell as samples
from notochord.viewmodels.samples.home import home
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.notices import Notices


def _window(kit: Kit, page: Page) -> QWidget:
    language = kit.sentences.language
    navigation = Navigation(Place(page, chats.CHAT if page is Page.CHAT else ""))
    window = MainWindow(kit, notices=Notices(), frames=samples.frames())
    attention = samples.attention(navigation, language)
    chat = chats.page(language, chats.long_answer(language))
    shell = Shell(
        kit, navigation,
        {
            Page.HOME: lambda: HomePage(kit, home(language, navigation=navigation, watched=attention)),
            Page.CHAT: lambda: ChatPage(kit, chat, _nowhere),
            Page.SETTINGS: QWidget,
        },
        attention=attention, chat_entry=samples.chat_entry(navigation), palette=samples.palette(kit.sentences),
    )  # fmt: skip
    window.show_content(shell)
    return window


def _nowhere(_: str) -> None:
    """Links of a picture lead nowhere."""


SCENES = (
    Scene("window-chat", partial(_window, page=Page.CHAT), 1240, 860),
    Scene("window-home", partial(_window, page=Page.HOME), 1240, 860),
)
