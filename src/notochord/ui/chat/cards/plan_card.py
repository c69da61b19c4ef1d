"""A plan: approve it, have it changed, or reject it; what was decided stays with it."""

from collections.abc import Callable

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from notochord.ui.chat.cards.card import Card, Glyph, beside_glyph
from notochord.ui.chat.cards.formatted import Formatted
from notochord.ui.chat.cards.question import Answers
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.pieces import CallState, PlanProposed

MOST_OF_A_WISH = 8_000
"""Characters. What is longer is no remark, and laying out millions would make the window stand still (fault E1)."""


class WishEdit(QPlainTextEdit):
    """Where a remark is written; of a paste it takes what there is room for, as a field of one line does."""

    def insertFromMimeData(self, source: QMimeData) -> None:
        room = MOST_OF_A_WISH - len(self.toPlainText()) + len(self.textCursor().selectedText())
        self.insertPlainText(source.text()[: max(0, room)])


class PlanCard(Card):
    """The whole plan; below it what the user can say."""

    def __init__(
        self, kit: Kit, piece: PlanProposed, answers: Answers, open_link: Callable[[str], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(kit, parent)
        self._answers = answers
        space, text = kit.theme.space, kit.text
        head = self.row()
        head.addWidget(Glyph(kit, "plan", "text_soft"))
        head.addWidget(Label(kit, text("window.chat.plan"), bold=True), 1)
        self.state = Label(kit, "", size="small", colour="text_soft")
        self.state.setWordWrap(False)
        head.addWidget(self.state)
        holder = QWidget()
        inner = QVBoxLayout(holder)
        inner.setContentsMargins(beside_glyph(kit), 0, space.xs, space.xs)
        inner.setSpacing(space.s)
        self.plan = Formatted(kit, text("window.chat.plan"), piece.plan, open_link=open_link)
        inner.addWidget(self.plan)
        self.note = Label(kit, "", colour="text_soft", selectable=True)
        inner.addWidget(self.note)
        self._asking = self._make_asking()
        inner.addWidget(self._asking)
        self.column.addWidget(holder)
        self.show_piece(piece)

    def show_piece(self, piece: PlanProposed) -> None:
        """Show how the plan stands now."""
        self._piece = piece
        waits = piece.approval is not None
        state = self.kit.text(f"window.chat.plan_{_state(piece)}")
        self.state.setText(state)
        self.set_tone("warning" if waits else "neutral")
        self.setAccessibleName(f"{self.kit.text('window.chat.plan')}: {state}")
        self._asking.setVisible(waits)
        self.note.setText(self.kit.text("window.chat.plan_note", note=piece.note))
        self.note.setVisible(bool(piece.note))
        self.plan.tell(piece.plan)
        for button in (self.approve, self.change, self.reject):
            button.setEnabled(waits)

    def _make_asking(self) -> QWidget:
        asking, text, space = QWidget(), self.kit.text, self.kit.theme.space
        column = QVBoxLayout(asking)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.s)
        self.wish = WishEdit()
        self.wish.setPlaceholderText(text("window.chat.plan_wish"))
        self.wish.setAccessibleName(text("window.chat.plan_wish"))
        self.wish.setTabChangesFocus(True)
        self.wish.setFixedHeight(3 * self.kit.theme.line_height() + space.m)
        column.addWidget(self.wish)
        row = QHBoxLayout()
        row.setSpacing(space.s)
        self.approve = Button(self.kit, text("window.chat.plan_approve"), self._approve, primary=True)
        self.change = Button(self.kit, text("window.chat.plan_change"), self._change)
        self.reject = Button(self.kit, text("window.chat.plan_reject"), self._reject)
        for button in (self.approve, self.change, self.reject):
            row.addWidget(button)
        row.addStretch(1)
        column.addLayout(row)
        return asking

    def _approve(self) -> None:
        """Approve; what stands in the field goes along as a remark."""
        if (approval := self._piece.approval) is not None:
            self._answers.approve(approval.id, self.wish.toPlainText())

    def _change(self) -> None:
        if (approval := self._piece.approval) is not None:
            wish = self.wish.toPlainText().strip()
            if not wish:
                self.wish.setFocus()
                return
            self._answers.change(approval.id, wish)

    def _reject(self) -> None:
        """Reject; what stands in the field goes along as the reason."""
        if (approval := self._piece.approval) is not None:
            self._answers.reject(approval.id, self.wish.toPlainText().strip())


def _state(piece: PlanProposed) -> str:
    if piece.approval is not None:
        return "waits"
    if piece.state is CallState.DONE:
        return "approved" if piece.approved else "rejected" if piece.rejected else "revised"
    if piece.state in (CallState.FAILED, CallState.REFUSED):
        return "refused"
    return "over" if piece.state.over else "prepared"
