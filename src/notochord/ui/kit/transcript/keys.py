"""What the keys do in a transcript."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from notochord.ui.kit.transcript import menu

if TYPE_CHECKING:
    from notochord.ui.kit.transcript.view import Transcript

BY_KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
PAGE = 0.9
LINE = 40.0


def pressed(view: "Transcript", event: QKeyEvent) -> bool:
    """Do what a key asks for; False if it asks for nothing here."""
    if event.matches(QKeySequence.StandardKey.Copy):
        view.copy()
    elif event.matches(QKeySequence.StandardKey.SelectAll):
        view.select_all()
    elif event.modifiers() & Qt.KeyboardModifier.AltModifier:
        return _message(view, event)
    else:
        return _scroll(view, event) or _other(view, event)
    return True


def _message(view: "Transcript", event: QKeyEvent) -> bool:
    step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
    if step is not None:
        extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        view.go_to_message(step, extend=extend)
    return step is not None


def _scroll(view: "Transcript", event: QKeyEvent) -> bool:
    page = view.anchor.room * PAGE
    back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
    step = {
        Qt.Key.Key_PageDown: page,
        Qt.Key.Key_PageUp: -page,
        Qt.Key.Key_Down: LINE,
        Qt.Key.Key_Up: -LINE,
        Qt.Key.Key_Space: -page if back else page,
    }.get(Qt.Key(event.key()))
    if step is not None:
        view.scroll_by(step)
    elif event.key() == Qt.Key.Key_End:
        view.jump_to_end()
    elif event.key() == Qt.Key.Key_Home:
        view.anchor.to_start()
        view.settle()
    else:
        return False
    return True


def _other(view: "Transcript", event: QKeyEvent) -> bool:
    if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and view.current is not None:
        menu.show(view, None, view.mapToGlobal(view.rect().center()))
        return True
    if event.key() == Qt.Key.Key_Escape and (view.current is not None or not view.selection.empty):
        view.current = None
        view.selection.clear()
        view.select_changed()
        view.settle()
        return True
    return False
