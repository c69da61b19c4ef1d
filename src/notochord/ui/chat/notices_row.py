"""What a conversation tells beside its messages: files that stay, a model that was replaced, an export."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QVBoxLayout, QWidget

from notochord.ui.chat.attachments_row import empty
from notochord.ui.chat.wording import model_name
from notochord.ui.kit.bindings import bind_list
from notochord.ui.kit.controls.notice_bar import NoticeBar
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.tab_order import TabPlace
from notochord.ui.kit.transcript.controls import holds_focus
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.notices import Exported, FilesAreAsTheyWere, ModelWasReplaced, Notice


class NoticesRow(QWidget):
    """A bar for each notice, until the user has read it; `leave` takes the keyboard when it was on one that goes."""

    def __init__(
        self, kit: Kit, conversation: Conversation, show_folder: Callable[[Path], None], leave: Callable[[], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit, self._conversation, self._show_folder, self._leave = kit, conversation, show_folder, leave
        self._place = TabPlace(self)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(kit.theme.space.xs)
        bind_list(self, conversation.notices, self._show)

    def _show(self) -> None:
        had = holds_focus(self)
        empty(self._column)
        for notice in self._conversation.notices:
            self._column.addWidget(self._bar(notice))
        self.setVisible(bool(self._conversation.notices))
        self._place.take(self._column)
        if had:
            self._leave()

    def _bar(self, notice: Notice) -> NoticeBar:
        close = partial(self._conversation.dismiss, notice)
        if not isinstance(notice, Exported):
            return NoticeBar(self._kit, self._text(notice), "info", on_close=close)
        return NoticeBar(
            self._kit, self._kit.text("window.chat.exported", path=str(notice.target)), "success", on_close=close,
            action=self._kit.text("window.chat.show_in_folder"),
            on_action=partial(self._show_folder, notice.target.parent),
        )  # fmt: skip

    def _text(self, notice: FilesAreAsTheyWere | ModelWasReplaced) -> str:
        if isinstance(notice, FilesAreAsTheyWere):
            return self._kit.text("window.chat.files_stay")
        before, after = model_name(notice.before), model_name(notice.after)
        return self._kit.text("window.chat.model_replaced", before=before, after=after)
