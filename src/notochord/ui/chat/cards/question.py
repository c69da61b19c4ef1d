"""Asks whether something may be done: what exactly, by whom, and the answers that there are."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from notochord.ui.chat.cards.card import Card, Glyph, Source, beside_glyph, pretty
from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.controls.wrap import Wrap
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.values import Approval

KINDS = ("gem", "tool", "host", "file", "plan")


@dataclass(frozen=True, slots=True)
class Answers:
    """Takes the user's answer: the question's id and what they added."""

    approve: Callable[[str, str], None]
    reject: Callable[[str, str], None]
    change: Callable[[str, str], None]


class Question(QWidget):
    """The sentence, "Allow …", "Reject", and where a reason can be given."""

    def __init__(self, kit: Kit, approval: Approval, answers: Answers, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.approval = approval
        self._answers = answers
        space, text = kit.theme.space, kit.text
        column = QVBoxLayout(self)
        column.setContentsMargins(beside_glyph(kit), 0, space.xs, space.xs)
        column.setSpacing(space.s)
        self.sentence = Label(kit, breakable(sentence(kit, approval)))
        column.addWidget(self.sentence)
        row = Wrap(gap=space.s)
        holds = approval.question.holds
        allow = text("window.chat.allow_chat" if holds else "window.chat.allow_once")
        self.allow = Button(kit, allow, self._allow, primary=True)
        self.reject = Button(kit, text("window.chat.reject"), self._reject)
        self.reason = QLineEdit()
        self.reason.setPlaceholderText(text("window.chat.reject_reason"))
        self.reason.setAccessibleName(text("window.chat.reject_reason"))
        self.reason.setMaxLength(2000)
        for widget in (self.allow, self.reject, self.reason):
            row.addWidget(widget)
        column.addLayout(row)
        self.once = Label(kit, once(kit, approval), size="small", colour="text_soft")
        column.addWidget(self.once)
        self.once.setVisible(not holds)
        said = " ".join((sentence(kit, approval), *(() if holds else (self.once.text(),))))
        for widget in (self.allow, self.reject):
            widget.setAccessibleDescription(said)

    def _allow(self) -> None:
        self._answers.approve(self.approval.id, "")

    def _reject(self) -> None:
        self._answers.reject(self.approval.id, self.reason.text())


class QuestionCard(Card):
    """A question that belongs to no call in sight, with the exact arguments."""

    def __init__(self, kit: Kit, approval: Approval, answers: Answers, parent: QWidget | None = None) -> None:
        super().__init__(kit, parent, "warning")
        head = self.row()
        head.addWidget(Glyph(kit, "shield", "warning"))
        head.addWidget(Label(kit, approval.question.title, bold=True), 1)
        waits = Label(kit, kit.text("window.chat.call_asks"), size="small", colour="text_soft")
        waits.setWordWrap(False)
        head.addWidget(waits)
        space = kit.theme.space
        holder = QWidget()
        inner = QVBoxLayout(holder)
        inner.setContentsMargins(beside_glyph(kit), 0, space.xs, 0)
        inner.setSpacing(space.xs)
        arguments = kit.text("window.chat.call_arguments")
        inner.addWidget(Label(kit, arguments, size="small", colour="text_soft"))
        self.arguments = Source(kit, arguments, pretty(approval.question.arguments))
        inner.addWidget(self.arguments)
        self.column.addWidget(holder)
        self.question = Question(kit, approval, answers)
        self.column.addWidget(self.question)
        self.setAccessibleName(f"{approval.question.title}: {kit.text('window.chat.call_asks')}")


def once(kit: Kit, approval: Approval) -> str:
    """Return why the answer holds for this one time only (fault U1)."""
    kind = "no_chat" if not approval.question.caller.cause.conversation else approval.question.kind
    return kit.text(f"window.chat.once_{kind if kind in ('no_chat', 'file') else 'other'}")


def sentence(kit: Kit, approval: Approval) -> str:
    """Return what is asked, naming its subject."""
    kind = approval.question.kind if approval.question.kind in KINDS else "tool"
    return kit.text(f"window.chat.ask_{kind}", subject=approval.question.subject or approval.question.title)
