"""A tool call: its name, exact arguments, state, duration and result; and the question whether it may run."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from notochord.ui.chat.cards.card import Card, Glyph, Source, beside_glyph, pretty
from notochord.ui.chat.cards.question import Answers, Question
from notochord.ui.chat.wording import duration
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.elided import ElidedLabel
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown
from notochord.viewmodels.chat.pieces import CallMade, CallState

ICON = 16
LOOKS = {
    CallState.RECORDED: ("clock", "text_soft"),
    CallState.RUNNING: ("play", "link"),
    CallState.DONE: ("check", "success"),
    CallState.FAILED: ("warning", "danger"),
    CallState.REFUSED: ("close", "warning"),
    CallState.CANCELLED: ("stop", "text_soft"),
    CallState.INTERRUPTED: ("warning", "warning"),
}


@dataclass(frozen=True, slots=True)
class CallActs:
    """What a tool card can do. `monotonic` tells how long a call has been running."""

    stop: Callable[[str], None]
    show_file: Callable[[str], None]
    open_gem: Callable[[str], None] | None
    unfolded: Callable[[str, bool], None]
    monotonic: Callable[[], float]
    answers: Answers


class CallCard(Card):
    """Folded it is one line; it opens by its arrow, and by itself while it waits for the user."""

    def __init__(self, kit: Kit, piece: CallMade, acts: CallActs, *, open: bool, parent: QWidget | None = None) -> None:
        super().__init__(kit, parent)
        self._acts = acts
        self._piece = piece
        self._open = open
        head = self.row()
        self._glyph = Glyph(kit, "tool")
        head.addWidget(self._glyph)
        self.name = ElidedLabel(kit, shown(piece.name, code=True), bold=True)
        head.addWidget(self.name, 1)
        self.state = Label(kit, "", size="small", colour="text_soft")
        self.state.setWordWrap(False)
        head.addWidget(self.state)
        self.stop = IconButton(kit, "stop", kit.text("window.chat.call_stop", name=piece.name), self._stop, size=ICON)
        head.addWidget(self.stop)
        self.fold = IconButton(kit, "chevron-down", "", self._toggle, size=ICON)
        head.addWidget(self.fold)
        self.failure = QWidget()
        self._failure_column = QVBoxLayout(self.failure)
        self.column.addWidget(self.failure)
        self._details = QWidget()
        self._fill(self._details)
        self.column.addWidget(self._details)
        self._files = QWidget()
        self._files_row = QHBoxLayout(self._files)
        self._files_row.setContentsMargins(0, 0, 0, 0)
        self.column.addWidget(self._files)
        self.question: Question | None = None
        self._beat = QTimer(self)
        self._beat.setInterval(1000)
        self._beat.timeout.connect(self._tell_state)
        self.show_piece(piece)

    def show_piece(self, piece: CallMade) -> None:
        """Show how the call is now."""
        self._piece = piece
        name, colour = LOOKS[piece.state]
        waits = piece.approval is not None
        self._glyph.show_as("shield" if waits else name, "warning" if waits else colour)
        self.set_tone("warning" if waits else "neutral")
        self.setAccessibleName(f"{piece.name}: {self._state_text()}")
        self.stop.setVisible(not piece.state.over and not waits and piece.state is CallState.RUNNING)
        self._ask()
        self._tell_state()
        self._tell_failure()
        self._tell_details()
        self._tell_files()
        (self._beat.start if piece.state is CallState.RUNNING and not waits else self._beat.stop)()

    def _fill(self, details: QWidget) -> None:
        column = QVBoxLayout(details)
        space = self.kit.theme.space
        column.setContentsMargins(beside_glyph(self.kit), 0, space.xs, space.xs)
        column.setSpacing(space.xs)
        text = self.kit.text
        self._arguments_label = Label(self.kit, text("window.chat.call_arguments"), size="small", colour="text_soft")
        self.arguments = Source(self.kit, text("window.chat.call_arguments"), "")
        self._result_label = Label(self.kit, text("window.chat.call_result"), size="small", colour="text_soft")
        self.result = Source(self.kit, text("window.chat.call_result"), "")
        for widget in (self._arguments_label, self.arguments, self._result_label, self.result):
            column.addWidget(widget)

    def _ask(self) -> None:
        approval = self._piece.approval
        if self.question is not None and (approval is None or self.question.approval.id != approval.id):
            self.question.deleteLater()
            self.question.hide()
            self.question = None
        if approval is not None and self.question is None:
            self.question = Question(self.kit, approval, self._acts.answers)
            self.column.addWidget(self.question)

    def _tell_state(self) -> None:
        self.state.setText(self._state_text())

    def _state_text(self) -> str:
        piece, text = self._piece, self.kit.text
        if piece.approval is not None:
            return text("window.chat.call_asks")
        known = text(f"window.chat.call_{piece.state.value}")
        if piece.state is CallState.RUNNING and piece.began:
            elapsed = round(1000 * (self._acts.monotonic() - piece.began)) // 1000 * 1000
            return f"{known} · {duration(self.kit, elapsed)}" if elapsed >= 1000 else known
        if piece.state.over and piece.milliseconds >= 100:
            return f"{known} · {duration(self.kit, piece.milliseconds)}"
        return known

    def _tell_details(self) -> None:
        piece = self._piece
        shown = self._open or piece.approval is not None
        self._details.setVisible(shown)
        name = self.kit.text("window.chat.call_fold" if shown else "window.chat.call_unfold", name=piece.name)
        self.fold.rename(name)
        self.fold.set_icon("chevron-up" if shown else "chevron-down")
        self.fold.setVisible(piece.approval is None)
        if not shown:
            return
        self.arguments.tell(pretty(piece.approval.question.arguments if piece.approval else piece.arguments))
        self.result.tell(pretty(piece.result))
        for widget in (self._result_label, self.result):
            widget.setVisible(bool(piece.result))

    def _tell_failure(self) -> None:
        """Say what the user can do about it, and lead there; it stands there once, for a call fails once."""
        failure, gem, open_gem = self._piece.failure, self._piece.lacks, self._acts.open_gem
        self.failure.setVisible(failure is not None)
        if failure is None or self._failure_column.count():
            return
        space = self.kit.theme.space
        self._failure_column.setContentsMargins(beside_glyph(self.kit), 0, space.xs, space.xs)
        self._failure_column.setSpacing(space.s)
        self._failure_column.addWidget(Label(self.kit, self.kit.failure(failure), size="small"))
        if gem and open_gem is not None:
            button = Button(self.kit, self.kit.text("window.chat.open_gem"), partial(open_gem, gem))
            self._failure_column.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)

    def _tell_files(self) -> None:
        while (item := self._files_row.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        space = self.kit.theme.space
        self._files_row.setContentsMargins(beside_glyph(self.kit), 0, 0, space.xs)
        for path in self._piece.files[:3]:
            text = self.kit.text("window.chat.show_file", name=path.rstrip("/").rpartition("/")[2])
            button = Button(self.kit, text, partial(self._acts.show_file, path), icon_name="file")
            self._files_row.addWidget(button)
        self._files_row.addStretch(1)
        self._files.setVisible(bool(self._piece.files))

    def _stop(self) -> None:
        self._acts.stop(self._piece.call)

    def _toggle(self) -> None:
        self._open = not self._open
        self._acts.unfolded(self._piece.key, self._open)
        self._tell_details()
        self.updateGeometry()
