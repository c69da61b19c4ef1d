"""The chat page: a new conversation, an open one, or why there is none."""

from collections.abc import Callable

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from notochord.core.errors import NotochordError
from notochord.ui.chat.new_chat_view import NewChatView
from notochord.ui.chat.open_chat import OpenChatView
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.states import State
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.page import ChatPageModel, OpenChat
from notochord.viewmodels.shell.navigation import Page

SLOW = 400
"""Milliseconds after which a conversation that is being opened says so."""


class ChatPage(QWidget):
    """`open_link` is given the addresses of links that the user chose in messages: http, https and mailto only."""

    def __init__(
        self, kit: Kit, model: ChatPageModel, open_link: Callable[[str], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._kit, self._model, self._open_link = kit, model, open_link
        self.content: QWidget = QWidget()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.addWidget(self.content)
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW)
        self._slow.timeout.connect(self.show_slow)
        bind(self, model.shown, self._show)
        bind(self, model.problem, lambda _: self._show(model.shown.value))
        bind(self, model.opening, self._show_opening)

    def _show(self, shown: OpenChat | None) -> None:
        if isinstance(error := self._model.problem.value, NotochordError):
            self._put(self._trouble(error))
        elif shown is None:
            self._put(NewChatView(self._kit, self._model))
        else:
            self._put(OpenChatView(self._kit, self._model, shown, self._open_link))
            bind(self.content, shown.conversation.gone, self._gone)

    def _show_opening(self, opening: bool) -> None:
        """Opening takes a few milliseconds; only when it takes longer it is told of."""
        if opening:
            self._slow.start()
            return
        self._slow.stop()
        if self.isVisible():
            self.content.setFocus()

    def show_slow(self) -> None:
        """Say that a conversation is being opened."""
        self._put(State(self._kit, self._kit.text("window.chat.opening"), busy=True))

    def _gone(self, gone: bool) -> None:
        if gone:
            self._model.navigation.go(Page.CHAT)

    def _trouble(self, error: NotochordError) -> State:
        text = self._kit.text
        return State(
            self._kit, text("window.chat.cannot_open"), self._kit.failure(error), failed=True,
            action=text("window.chat.try_again"), on_action=self._try_again,
        )  # fmt: skip

    def _try_again(self) -> None:
        self._kit.runner.run(self, "open again", self._model.try_again())

    def _put(self, content: QWidget) -> None:
        old, self.content = self.content, content
        focused = QApplication.focusWidget()
        had_focus = focused is not None and (focused is self or old.isAncestorOf(focused))
        self._column.replaceWidget(old, content)
        old.hide()
        if isinstance(old, OpenChatView):
            old.pane.put_away()
        old.deleteLater()
        self.setFocusProxy(content)
        if had_focus:
            content.setFocus()
