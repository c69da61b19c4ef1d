"""How text fields, combo boxes, spin boxes and the frames of text editors and lists are drawn."""

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractSpinBox,
    QPlainTextEdit,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionSpinBox,
    QTextEdit,
    QWidget,
)

from notochord.ui.kit.theme.look import (
    DOWN,
    ENABLED,
    FOCUS,
    ON,
    OVER,
    SHOWN,
    Look,
    State,
    has,
    keyboard_focus,
    needs_ring,
    states,
)

ARROW = 24
Areas = Callable[[QStyleOptionSpinBox], tuple[QRect, QRect]]
Step, Part = QAbstractSpinBox.StepEnabledFlag, QStyle.SubControl
UP = (Part.SC_SpinBoxUp.value, Qt.ArrowType.UpArrow, Step.StepUpEnabled.value)
DOWN_STEP = (Part.SC_SpinBoxDown.value, Qt.ArrowType.DownArrow, Step.StepDownEnabled.value)


def field(look: Look, option: QStyleOption, painter: QPainter, *, focused: bool | None = None) -> None:
    """Draw the ground of a field; the one that is typed into has a line in the accent colour."""
    colours, state = look.colours, states(option)
    typed_into = bool(state & FOCUS) if focused is None else focused
    enabled = bool(state & ENABLED)
    fill = colours.field if enabled else colours.sunken
    if typed_into and enabled:
        look.panel(painter, option.rect, fill, colours.focus, 1.6)
    else:
        over = bool(state & OVER) and enabled
        line = colours.border_strong if over else colours.border_field if enabled else colours.border
        look.panel(painter, option.rect, fill, line)


def frame(look: Look, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Draw the frame of a text editor or a list around its viewport."""
    colours = look.colours
    by_keyboard = keyboard_focus(option) if isinstance(widget, QAbstractItemView) else has(option, State.State_HasFocus)
    typed_into = isinstance(widget, (QTextEdit, QPlainTextEdit)) and not widget.isReadOnly()
    at_rest = colours.border_field if typed_into else colours.border
    line, width = (colours.focus, 1.6) if by_keyboard else (at_rest, 1.0)
    fill = widget.palette().base().color().name() if widget else colours.surface
    look.panel(painter, option.rect, fill, line, width)


def combo_box(look: Look, option: QStyleOptionComboBox, painter: QPainter) -> None:
    """Draw a combo box: a button with an arrow, or a field if it can be typed into."""
    what = (option.editable, states(option) & SHOWN, option.direction, look.colours.surface)

    def draw(on: QPainter, inside: QRect) -> None:
        part = QStyleOptionComboBox(option)
        part.rect = inside
        _combo_box(look, part, on)

    look.drawings.draw(painter, option.rect, what, draw)


def _combo_box(look: Look, option: QStyleOptionComboBox, painter: QPainter) -> None:
    colours, state = look.colours, states(option)
    if option.editable:
        field(look, option, painter)
    else:
        enabled = bool(state & ENABLED)
        over = bool(state & OVER) and enabled
        down = bool(state & (ON | DOWN))
        fill = colours.pressed if down else colours.hover if over else colours.surface if enabled else colours.sunken
        look.panel(painter, option.rect, fill, colours.border_field if enabled else colours.border)
        if needs_ring(state):
            look.panel(painter, option.rect, None, colours.focus, 2)
    look.chevron(painter, arrow_area(option), Qt.ArrowType.DownArrow, _ink(look, option))


def spin_box(look: Look, option: QStyleOptionSpinBox, painter: QPainter, areas: Areas) -> None:
    """Draw a spin box: a field with two arrows, where `areas` says."""
    state = states(option) & SHOWN
    over = option.activeSubControls.value if state & OVER else 0
    what = (state, over, option.stepEnabled.value, option.direction, look.colours.surface)

    def draw(on: QPainter, inside: QRect) -> None:
        part = QStyleOptionSpinBox(option)
        part.rect = inside
        _spin_box(look, part, on, *areas(part))

    look.drawings.draw(painter, option.rect, what, draw)


def _spin_box(look: Look, option: QStyleOptionSpinBox, painter: QPainter, up: QRect, down: QRect) -> None:
    field(look, option, painter)
    state, possible = states(option), option.stepEnabled.value
    active = option.activeSubControls.value if state & OVER else 0
    for area, control, direction, can in ((up, *UP), (down, *DOWN_STEP)):
        able = bool(possible & can and state & ENABLED)
        over = able and bool(active & control)
        if over:
            look.panel(painter, area.adjusted(1, 1, -1, -1), look.colours.hover, radius=look.tokens.radius.small)
        look.chevron(painter, area, direction, look.colours.text_soft if able else look.colours.text_disabled)


def arrow_area(option: QStyleOption) -> QRect:
    """Return where the arrow of a combo box stands: at the trailing edge."""
    area = QRect(option.rect)
    area.setLeft(area.right() - ARROW)
    if option.direction is Qt.LayoutDirection.RightToLeft:
        area.moveLeft(option.rect.left())
    return area


def _ink(look: Look, option: QStyleOption) -> str:
    return look.colours.text_soft if has(option, State.State_Enabled) else look.colours.text_disabled
