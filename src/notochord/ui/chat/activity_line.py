"""What the answer is at: thinking, writing, at work with tools, waiting for the provider, loading a model."""

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QWidget

from notochord.core.clock import Clock
from notochord.ui.kit.bindings import bind
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.live import Activity, Doing
from notochord.viewmodels.chat.values import Chat, ChatState

BAR_WIDTH = 160


class ActivityLine(QWidget):
    """Out of sight while nothing goes on; counts down only while there is something to count."""

    def __init__(self, kit: Kit, conversation: Conversation, clock: Clock, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._conversation, self._clock = kit, conversation, clock
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.xs, 0, 0, 0)
        row.setSpacing(space.s)
        self.label = Label(kit, "", size="small", colour="text_soft")
        self.label.setWordWrap(False)
        row.addWidget(self.label)
        self.bar = QProgressBar()
        self.bar.setRange(0, 100)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(BAR_WIDTH)
        self.bar.setAccessibleName(kit.text("window.chat.doing_loading_name"))
        row.addWidget(self.bar)
        row.addStretch(1)
        self._beat = QTimer(self)
        self._beat.setInterval(500)
        self._beat.timeout.connect(self._show)
        bind(self, conversation.chat, self._changed)
        bind(self, conversation.activity, self._changed)

    def _changed(self, _: Chat | Activity | None) -> None:
        self._show()

    def _show(self) -> None:
        activity, chat = self._conversation.activity.value, self._conversation.chat.value
        waits = chat is not None and chat.state is ChatState.WAITING
        busy = self._conversation.answering
        text = self._text(activity, waits=waits) if busy else ""
        self.label.setText(text)
        loading = busy and not waits and activity.doing is Doing.LOADING and not _loaded(activity)
        self.bar.setVisible(loading)
        self.bar.setValue(round(100 * activity.share))
        self.setVisible(bool(text))
        counts = busy and activity.doing is Doing.WAITING and activity.until > self._clock.monotonic()
        (self._beat.start if counts and not self._beat.isActive() else self._beat.stop if not counts else int)()

    def _text(self, activity: Activity, *, waits: bool) -> str:
        text = self._kit.text
        if waits:
            return text("window.chat.doing_asking")
        if activity.doing is Doing.WAITING:
            left = max(0, round(activity.until - self._clock.monotonic()))
            return text("window.chat.doing_waiting", count=left, attempt=activity.attempt)
        if _loaded(activity):
            return text("window.chat.doing_reading")
        doing = Doing.THINKING if activity.doing is Doing.NOTHING else activity.doing
        return text(f"window.chat.doing_{doing.value}", share=round(100 * activity.share))


def _loaded(activity: Activity) -> bool:
    """Tell whether the model is there and reads the conversation, which it says nothing about until it writes."""
    return activity.doing is Doing.LOADING and round(100 * activity.share) >= 100
