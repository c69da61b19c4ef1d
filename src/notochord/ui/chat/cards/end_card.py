"""How an answer ended early: what happened, what to do about it, and a countdown where the provider asks to wait."""

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QHBoxLayout, QWidget

from notochord.ui.chat.cards.card import Card, Glyph, beside_glyph
from notochord.ui.kit.controls.buttons import Button, IconButton
from notochord.ui.kit.controls.labels import Label
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.failures import CUT_OFF, OFFLINE, WORDLESS, Remedy, as_error, remedies, seconds_to_wait
from notochord.viewmodels.chat.pieces import Ended

Acts = Mapping[Remedy, Callable[[], None]]
"""What is done for each remedy."""
ICONS = {CUT_OFF: "warning", WORDLESS: "info"}


class EndCard(Card):
    """A failure in words with its buttons; what the user stopped is one soft line.

    `badge` names the model of an answer that has no text to stand over.
    """

    def __init__(self, kit: Kit, piece: Ended, model: str, acts: Acts, parent: QWidget | None = None, *,
                 go: Callable[[int], None] | None = None, badge: str = "") -> None:  # fmt: skip
        failed = piece.state == "failed"
        super().__init__(kit, parent, "danger" if failed and piece.last else "neutral")
        self._acts = acts
        self.buttons: dict[Remedy, Button] = {}
        head = self.row()
        offline = piece.code in OFFLINE
        icon_name = "wifi-off" if offline else "warning" if failed else ICONS.get(piece.state, "stop")
        glyph = Glyph(kit, icon_name, "danger" if failed else "text_soft")
        head.addWidget(glyph, 0, Qt.AlignmentFlag.AlignTop if failed else Qt.AlignmentFlag.AlignVCenter)
        if offline:
            text = f"{kit.text('window.chat.offline')} {kit.failure(as_error(piece.code, model, piece.error))}"
        elif failed:
            text = kit.failure(as_error(piece.code, model, piece.error))
        else:
            text = kit.text(f"window.chat.ended_{piece.state}")
        self.sentence = Label(kit, text, selectable=True)
        head.addWidget(self.sentence, 1)
        self.setAccessibleName(text)
        if badge and not failed:
            self.badge = Label(kit, badge, size="small", colour="text_soft")
            self.badge.setWordWrap(False)
            head.addWidget(self.badge, 0, Qt.AlignmentFlag.AlignVCenter)
        if go is not None and len(piece.siblings) > 1 and piece.among in piece.siblings:
            self._offer_alternatives(head, piece, go)
        self._left = seconds_to_wait(piece.error) if piece.last else 0
        self._timer = QTimer(self)
        self._timer.setInterval(1000)
        self._timer.timeout.connect(self._tick)
        if piece.last:
            self._offer(remedies(piece.code, piece.state))
        if self._left and Remedy.RETRY in self.buttons:
            self._timer.start()
            self._tell_countdown()

    def _offer_alternatives(self, head: QHBoxLayout, piece: Ended, go: Callable[[int], None]) -> None:
        """An answer that ended without a word has no other place to go to its alternatives from."""
        kit, at, count = self.kit, piece.siblings.index(piece.among), len(piece.siblings)
        self.previous = IconButton(
            kit, "chevron-left", kit.text("window.chat.branch_previous"), lambda: go(-1), size=15
        )
        self.previous.setEnabled(at > 0)
        self.next = IconButton(kit, "chevron-right", kit.text("window.chat.branch_next"), lambda: go(1), size=15)
        self.next.setEnabled(at < count - 1)
        place = Label(kit, f"{at + 1}/{count}", size="small", colour="text_soft")
        place.setWordWrap(False)
        for widget in (self.previous, place, self.next):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def _offer(self, offered: tuple[Remedy, ...]) -> None:
        row = self.row()
        row.setContentsMargins(beside_glyph(self.kit), 0, 0, self.kit.theme.space.xs)
        for remedy in offered:
            if remedy in self._acts:
                button = Button(self.kit, self.kit.text(f"window.chat.remedy_{remedy.value}"), self._acts[remedy])
                self.buttons[remedy] = button
                row.addWidget(button)
        row.addStretch(1)

    def _tick(self) -> None:
        self._left -= 1
        self._tell_countdown()
        if self._left <= 0:
            self._timer.stop()

    def _tell_countdown(self) -> None:
        button = self.buttons[Remedy.RETRY]
        text = self.kit.text("window.chat.remedy_retry")
        waiting = self._left > 0
        button.setText(self.kit.text("window.chat.retry_in", count=self._left) if waiting else text)
