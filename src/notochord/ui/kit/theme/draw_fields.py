"""How text fields, combo boxes, spin boxes and the frames of text editors and lists are drawn."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QPlainTextEdit,
    QStyle,
    QStyleOption,
    QStyleOptionComboBox,
    QStyleOptionSpinBox,
    QTextEdit,
    QWidget,
)

from notochord.ui.kit.theme.look import Look, State, has, keyboard_focus

ARROW = 24


def field(look: Look, option: QStyleOption, painter: QPainter, *, focused: bool | None = None) -> None:
    """Draw the ground of a field; the one that is typed into has a line in the accent colour."""
    colours = look.colours
    typed_into = has(option, State.State_HasFocus) if focused is None else focused
    enabled = has(option, State.State_Enabled)
    fill = colours.field if enabled else colours.sunken
    if typed_into and enabled:
        look.panel(painter, option.rect, fill, colours.focus, 1.6)
    else:
        over = has(option, State.State_MouseOver) and enabled
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
    colours = look.colours
    if option.editable:
        field(look, option, painter)
    else:
        enabled = has(option, State.State_Enabled)
        over = has(option, State.State_MouseOver) and enabled
        down = has(option, State.State_On) or has(option, State.State_Sunken)
        fill = colours.pressed if down else colours.hover if over else colours.surface if enabled else colours.sunken
        look.panel(painter, option.rect, fill, colours.border_field if enabled else colours.border)
        if keyboard_focus(option):
            look.panel(painter, option.rect, None, colours.focus, 2)
    look.chevron(painter, arrow_area(option), Qt.ArrowType.DownArrow, _ink(look, option))


def spin_box(look: Look, option: QStyleOptionSpinBox, painter: QPainter, up: QRect, down: QRect) -> None:
    """Draw a spin box: a field with two arrows."""
    field(look, option, painter)
    step = QStyle.SubControl
    for area, control, direction, can in (
        (up, step.SC_SpinBoxUp, Qt.ArrowType.UpArrow, option.stepEnabled.StepUpEnabled),
        (down, step.SC_SpinBoxDown, Qt.ArrowType.DownArrow, option.stepEnabled.StepDownEnabled),
    ):
        able = bool(option.stepEnabled & can) and has(option, State.State_Enabled)
        over = able and bool(option.activeSubControls & control) and has(option, State.State_MouseOver)
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
