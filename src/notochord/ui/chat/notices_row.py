"""What a conversation tells beside its messages: files that went back, a model that was replaced."""

from functools import partial

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.chat.attachments_row import empty
from notochord.ui.chat.wording import model_name
from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.notices import FilesAreAsTheyWere, Notice


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
            bar = NoticeBar(self._kit, self._text(notice), "info", on_close=partial(self._conversation.dismiss, notice))
            self._column.addWidget(bar)
        self.setVisible(bool(self._conversation.notices))

    def _text(self, notice: Notice) -> str:
        if isinstance(notice, FilesAreAsTheyWere):
            return self._kit.text("window.chat.files_stay")
        before, after = model_name(notice.before), model_name(notice.after)
        return self._kit.text("window.chat.model_replaced", before=before, after=after)
