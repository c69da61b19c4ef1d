"""What the drawing functions of the style are given: the tokens, and the colours of the scheme now shown."""

from dataclasses import dataclass, field

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyle, QStyleOption, QWidget

from notochord.ui.kit.painting import panel, strokes
from notochord.ui.kit.theme.drawings import Drawings
from notochord.ui.kit.theme.tokens import Colours, Tokens

State = QStyle.StateFlag
ARROW = 13
MOST_WIDTHS = 500

ENABLED, OVER, DOWN, ON, FOCUS, BY_KEYBOARD = (
    flag.value
    for flag in (
        State.State_Enabled, State.State_MouseOver, State.State_Sunken, State.State_On, State.State_HasFocus,
        State.State_KeyboardFocusChange,
    )
)  # fmt: skip
"""Flags of `states`, as numbers: an enum member costs as much as drawing from a picture, each time one is made."""

NO_CHANGE = State.State_NoChange.value
SHOWN = ENABLED | OVER | DOWN | ON | FOCUS | BY_KEYBOARD
"""All that makes a control look different; what is drawn for equal ones is kept."""


@dataclass(slots=True)
class Look:
    """Tokens and colours; `colours` is replaced when the scheme changes."""

    tokens: Tokens
    colours: Colours
    reduced_motion: bool = False
    drawings: Drawings = field(default_factory=Drawings)
    widths: dict[tuple[str, int, int], int] = field(default_factory=dict)

    @property
    def radius(self) -> int:
        return self.tokens.radius.medium

    def elided(self, option: QStyleOption, text: str, room: int) -> str:
        """Return what of the text there is room for. Measuring costs as much as drawing, so widths are kept."""
        metrics = option.fontMetrics
        key = (text, metrics.averageCharWidth(), metrics.height())
        width = self.widths.get(key)
        if width is None:
            if len(self.widths) >= MOST_WIDTHS:
                self.widths.clear()
            width = self.widths[key] = metrics.horizontalAdvance(text)
        return text if width <= room else metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def panel(
        self, painter: QPainter, area: QRect | QRectF, fill: str | None, line: str | None = None, width: float = 1.0,
        radius: float | None = None,
    ) -> None:  # fmt: skip
        """Draw a rounded panel."""
        round_by = self.radius if radius is None else radius
        if isinstance(area, QRectF):
            panel(painter, area, round_by, fill, line, width)
            return

        def draw(on: QPainter, inside: QRect) -> None:
            panel(on, inside, round_by, fill, line, width)

        self.drawings.draw(painter, area, (round_by, fill, line, width), draw)

    def chevron(self, painter: QPainter, area: QRect, direction: Qt.ArrowType, colour: str) -> None:
        """Draw an arrow in the middle of the area."""
        spot = QRect(0, 0, ARROW, ARROW)
        spot.moveCenter(area.center())
        self.drawings.draw(painter, spot, (direction, colour), lambda on, inside: _arrow(on, inside, direction, colour))

    def tick(self, painter: QPainter, area: QRectF, colour: str) -> None:
        """Draw a check mark into the area."""
        x, y, side = area.x(), area.y(), area.width()
        points = ((0.25, 0.52), (0.43, 0.7), (0.76, 0.32))
        strokes(painter, colour, side / 9, *((x + across * side, y + down * side) for across, down in points))


def _arrow(painter: QPainter, area: QRect, direction: Qt.ArrowType, colour: str) -> None:
    x, y, reach, depth = area.width() / 2, area.height() / 2, 3.5, 1.9
    along = {
        Qt.ArrowType.DownArrow: ((x - reach, y - depth), (x, y + depth), (x + reach, y - depth)),
        Qt.ArrowType.UpArrow: ((x - reach, y + depth), (x, y - depth), (x + reach, y + depth)),
        Qt.ArrowType.LeftArrow: ((x + depth, y - reach), (x - depth, y), (x + depth, y + reach)),
        Qt.ArrowType.RightArrow: ((x - depth, y - reach), (x + depth, y), (x - depth, y + reach)),
    }[direction]
    strokes(painter, colour, 1.6, *along)


def states(option: QStyleOption) -> int:
    """Return the state of the control, to be asked for several flags."""
    return int(option.state.value)


def has(option: QStyleOption, flag: QStyle.StateFlag) -> bool:
    """Tell whether the control is in this state."""
    # Combining the flags themselves would make another enum member each time: most of the cost of drawing.
    return bool(option.state.value & flag.value)


def keyboard_focus(option: QStyleOption) -> bool:
    """Tell whether a focus ring has to be seen: the control has the focus, and the user goes by keyboard."""
    return needs_ring(states(option))


def needs_ring(state: int) -> bool:
    """Tell the same of a state that was read."""
    return state & (FOCUS | BY_KEYBOARD) == FOCUS | BY_KEYBOARD


def flagged(widget: QWidget | None, name: str) -> bool:
    """Tell whether the widget carries this property."""
    return widget is not None and bool(widget.property(name))


def faded(colour: str, share: float) -> QColor:
    """Return the colour with this opacity, 0 to 1."""
    found = QColor(colour)
    found.setAlphaF(share)
    return found
