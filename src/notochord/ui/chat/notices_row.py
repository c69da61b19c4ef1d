"""What a conversation tells beside its messages: files that went back, a model that was replaced."""

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.chat.attachments_row import empty
from notochord.ui.chat.wording import model_name
from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.notices import FilesWentBack, Notice

MOST_NAMES = 6


class NoticesRow(QWidget):
    """A bar for each notice, until the user has read it."""

    def __init__(self, kit: Kit, conversation: Conversation, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._conversation = kit, conversation
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(kit.theme.space.xs)
        bind_list(self, conversation.notices, self._show)

    def _show(self) -> None:
        empty(self._column)
        for notice in self._conversation.notices:
            warns = isinstance(notice, FilesWentBack) and bool(notice.skipped)
            bar = NoticeBar(
                self._kit, self._text(notice), "warning" if warns else "info",
                on_close=partial(self._conversation.dismiss, notice),
            )  # fmt: skip
            self._column.addWidget(bar)
        self.setVisible(bool(self._conversation.notices))

    def _text(self, notice: Notice) -> str:
        text = self._kit.text
        if not isinstance(notice, FilesWentBack):
            return text("window.chat.model_replaced", before=model_name(notice.before), after=model_name(notice.after))
        parts = []
        if notice.undone:
            parts.append(text("window.chat.files_back", names=_names(notice.undone), count=len(notice.undone)))
        if notice.skipped:
            parts.append(text("window.chat.files_left", names=_names(notice.skipped), count=len(notice.skipped)))
        return " ".join(parts)


def _names(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:MOST_NAMES])
    return f"{shown} …" if len(names) > MOST_NAMES else shown
