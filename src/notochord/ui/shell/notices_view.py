"""The notices above the window's content, which gives way to them, so that they cover nothing."""

from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.shell.notices import Notice, NoticeKind, Notices

STANDS = 6000
"""Milliseconds that a notice stands which nobody has to do anything about."""


class NoticesView(QWidget):
    """Takes no room while there is nothing to tell; failures stay until they are closed."""

    def __init__(self, kit: Kit, notices: Notices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._notices = notices
        self._cards: dict[tuple[int, int], NoticeBar] = {}
        margin = kit.theme.space.s
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(margin, margin, margin, margin)
        self._column.setSpacing(margin)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        bind_list(self, notices.standing, self._show)

    def _show(self) -> None:
        standing = {(notice.id, notice.times): notice for notice in self._notices.standing}
        for key in [key for key in self._cards if key not in standing]:
            card = self._cards.pop(key)
            self._column.removeWidget(card)
            card.hide()
            card.deleteLater()
        for place, (key, notice) in enumerate(standing.items()):
            if key not in self._cards:
                self._cards[key] = self._card(notice)
                self._column.insertWidget(place, self._cards[key])
        self.setVisible(bool(standing))

    def _card(self, notice: Notice) -> NoticeBar:
        def close() -> None:
            self._notices.dismiss(notice.id)

        text = self._text(notice)
        failed = notice.error is not None
        card = NoticeBar(
            self._kit, text, notice.kind.value, on_close=close,
            action=self._kit.text("window.shell.copy_details") if failed else "",
            on_action=lambda: QGuiApplication.clipboard().setText(self._details(notice)),
        )  # fmt: skip
        if notice.kind in (NoticeKind.INFO, NoticeKind.SUCCESS):
            timer = QTimer(card)
            timer.setSingleShot(True)
            timer.timeout.connect(close)
            timer.start(STANDS)
        return card

    def _text(self, notice: Notice) -> str:
        text = self._kit.failure(notice.error) if notice.error else self._kit.text(notice.key, **notice.parameters)
        return self._kit.text("window.shell.repeated", text=text, times=notice.times) if notice.times > 1 else text

    def _details(self, notice: Notice) -> str:
        """Return what helps somebody else to understand: the sentence and the English detail."""
        detail = notice.error.detail if notice.error else ""
        return "\n".join(part for part in (self._text(notice), detail) if part)
