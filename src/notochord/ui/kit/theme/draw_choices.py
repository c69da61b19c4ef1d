"""How check boxes, radio buttons and combo boxes are drawn with their texts, each in one go.

By way of Fusion each part of them would come back to the style by itself, and each such way costs as much as drawing.
"""

from typing import TypeGuard

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyle, QStyleOption, QStyleOptionButton, QStyleOptionComboBox

from notochord.ui.kit.theme.draw_buttons import check_box, radio_button
from notochord.ui.kit.theme.draw_fields import ARROW
from notochord.ui.kit.theme.look import FOCUS, NO_CHANGE, SHOWN, Look, states

SIDE, GAP = 16, 8
LEADING = (Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter).value | Qt.TextFlag.TextHideMnemonic.value
EDGE = 9


def is_plain(option: QStyleOption) -> TypeGuard[QStyleOptionButton]:
    """Tell whether `choice` draws it: without an icon, and without the ring of the focus around its text."""
    return isinstance(option, QStyleOptionButton) and option.icon.isNull() and not states(option) & FOCUS


def choice(look: Look, option: QStyleOptionButton, painter: QPainter, *, radio: bool) -> None:
    """Draw box and text of a check box or a radio button."""
    whole, state = option.rect, states(option) & (SHOWN | NO_CHANGE)
    to_right = option.direction is not Qt.LayoutDirection.RightToLeft
    box = QRect(whole.x(), whole.y() + (whole.height() - SIDE) // 2, SIDE, SIDE)
    words = whole.adjusted(SIDE + GAP - 1, 0, 0, 0)
    if not to_right:
        box, words = (QStyle.visualRect(option.direction, whole, one) for one in (box, words))

    def draw(on: QPainter, inside: QRect) -> None:
        part = QStyleOptionButton(option)
        part.rect = inside
        (radio_button if radio else check_box)(look, part, on)

    look.drawings.draw(painter, box, (radio, state, look.colours.surface), draw)
    painter.setPen(option.palette.windowText().color())
    painter.drawText(words, LEADING, option.text)


def is_text(option: QStyleOption) -> TypeGuard[QStyleOptionComboBox]:
    """Tell whether `combo_text` draws it: what is chosen is a text, and cannot be typed."""
    return isinstance(option, QStyleOptionComboBox) and not option.editable and option.currentIcon.isNull()


def combo_text(look: Look, option: QStyleOptionComboBox, painter: QPainter) -> None:
    """Draw what is chosen."""
    whole = option.rect
    words = whole.adjusted(EDGE, 2, -ARROW - 1, -2)
    if option.direction is Qt.LayoutDirection.RightToLeft:
        words = QStyle.visualRect(option.direction, whole, words)
    painter.setPen(option.palette.buttonText().color())
    painter.drawText(words, LEADING, look.elided(option, option.currentText, words.width()))
