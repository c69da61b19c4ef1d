"""How buttons, check boxes and radio buttons are drawn."""

from typing import TypeGuard

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter
from PySide6.QtWidgets import QPushButton, QStyle, QStyleOption, QStyleOptionButton, QStyleOptionToolButton, QWidget

from notochord.ui.kit.theme.look import DOWN, ENABLED, FOCUS, ON, OVER, Look, State, flagged, has, needs_ring, states

FLAT = QStyleOptionButton.ButtonFeature.Flat.value
DELAY = QStyleOptionToolButton.ToolButtonFeature.PopupDelay.value
RAISES = State.State_AutoRaise.value
HAS_MENU = QStyleOptionButton.ButtonFeature.HasMenu.value
CENTRED = Qt.AlignmentFlag.AlignCenter.value
"""Flags of a text that is drawn as it is: marks of mnemonics are taken out before."""
GAP = 7
"""Room between the icon and the text of a button."""


def push_button(look: Look, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Draw the ground of a button: raised, or filled where it is `primary` or `danger`."""
    colours = look.colours
    state = states(option)
    over = bool(state & OVER and state & ENABLED)
    down = bool(state & (DOWN | ON))
    if not state & ENABLED:
        look.panel(painter, option.rect, colours.sunken, colours.border)
    elif flagged(widget, "primary"):
        look.panel(painter, option.rect, colours.accent_hover if over or down else colours.accent)
    elif flagged(widget, "danger"):
        look.panel(painter, option.rect, colours.danger_hover if over or down else colours.danger)
    else:
        fill = colours.pressed if down else colours.hover if over else colours.surface
        look.panel(painter, option.rect, fill, colours.border_field)
    if needs_ring(state):
        _ring(look, option, painter, widget)


def is_plain(option: QStyleOption) -> TypeGuard[QStyleOptionButton]:
    """Tell whether `whole_button` draws it: a button with a text and without the arrow of a menu."""
    return isinstance(option, QStyleOptionButton) and bool(option.text) and not option.features.value & HAS_MENU


def whole_button(look: Look, option: QStyleOptionButton, painter: QPainter, widget: QWidget | None) -> None:
    """Draw ground and label of a button."""
    if option.features.value & FLAT:
        tool_button(look, option, painter)
    else:
        push_button(look, option, painter, widget)
    push_label(look, option, painter)


def is_flat(option: QStyleOption) -> bool:
    """Tell whether a button with a text has no ground until the pointer comes."""
    return isinstance(option, QStyleOptionButton) and bool(option.features & option.ButtonFeature.Flat)


def push_label(look: Look, option: QStyleOptionButton, painter: QPainter) -> None:
    """Draw icon and text of a button, together in its middle, with room between them."""
    side, text = option.iconSize.width(), as_seen(option.text)
    able = states(option) & ENABLED
    room = QRect(option.rect)
    if not option.icon.isNull():
        icon_width = side + GAP
        wide = min(icon_width + option.fontMetrics.horizontalAdvance(text), room.width() - 8)
        block = QRect(0, 0, wide, room.height())
        block.moveCenter(room.center())
        spot = QRect(block.left(), option.rect.center().y() - side // 2 + 1, side, side)
        mode = QIcon.Mode.Normal if able else QIcon.Mode.Disabled
        option.icon.paint(painter, QStyle.visualRect(option.direction, block, spot), mode=mode)
        room = QStyle.visualRect(option.direction, block, block.adjusted(icon_width, 0, 0, 0))
    else:
        room.adjust(4, 0, -4, 0)
    painter.setPen(option.palette.buttonText().color())
    painter.drawText(room, CENTRED, look.elided(option, text, room.width() + 1))


def as_seen(text: str) -> str:
    """Return a text of Qt without the marks of mnemonics; a doubled ampersand is one."""
    return "&".join(part.replace("&", "") for part in text.split("&&"))


def tool_button(look: Look, option: QStyleOption, painter: QPainter) -> None:
    """Draw the ground of an icon button: nothing until the pointer comes."""
    colours, state = look.colours, states(option)
    if not state & ENABLED:
        return
    if state & (DOWN | ON):
        look.panel(painter, option.rect, colours.pressed)
    elif state & OVER:
        look.panel(painter, option.rect, colours.hover)
    if needs_ring(state):
        look.panel(painter, option.rect, None, colours.focus, 2)


def is_icon(option: QStyleOption) -> TypeGuard[QStyleOptionToolButton]:
    """Tell whether `whole_tool` draws it: an icon alone, without a menu and without the focus."""
    return (
        isinstance(option, QStyleOptionToolButton)
        and not option.features.value & ~DELAY
        and not option.text
        and not states(option) & FOCUS
    )


def whole_tool(look: Look, option: QStyleOptionToolButton, painter: QPainter) -> None:
    """Draw ground and icon of an icon button."""
    state = states(option)
    raises = option.state.value & RAISES
    if state & (DOWN | ON) or state & (OVER | ENABLED) == OVER | ENABLED or not raises:
        tool_button(look, option, painter)
    if option.icon.isNull():
        return
    spot = QRect(0, 0, option.iconSize.width(), option.iconSize.height())
    spot.moveCenter(option.rect.center())
    active = QIcon.Mode.Active if state & OVER and raises else QIcon.Mode.Normal
    mode = active if state & ENABLED else QIcon.Mode.Disabled
    option.icon.paint(painter, spot, mode=mode, state=QIcon.State.On if state & ON else QIcon.State.Off)


def focus_ring(look: Look, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Draw the ring around what the keyboard acts on; buttons have theirs with their ground."""
    if has(option, State.State_KeyboardFocusChange) and not isinstance(widget, QPushButton):
        look.panel(painter, option.rect, None, look.colours.focus, 2)


def _ring(look: Look, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Draw the ring of a button; inside a filled one it stands off the edge, in the colour of the text."""
    primary, danger = flagged(widget, "primary"), flagged(widget, "danger")
    if primary or danger:
        inner = QRectF(option.rect).adjusted(2.5, 2.5, -2.5, -2.5)
        look.panel(
            painter, inner, None, look.colours.on_accent if primary else look.colours.on_danger, 1.6, look.radius - 2
        )
    else:
        look.panel(painter, option.rect, None, look.colours.focus, 2)


def check_box(look: Look, option: QStyleOption, painter: QPainter) -> None:
    """Draw the box of a check box."""
    side = min(option.rect.width(), option.rect.height())
    area = QRectF(option.rect.x(), option.rect.y() + (option.rect.height() - side) / 2, side, side)
    colours, state = look.colours, states(option)
    enabled = bool(state & ENABLED)
    set_ = state & ON or has(option, State.State_NoChange)
    if set_:
        look.panel(painter, area, colours.accent if enabled else colours.text_disabled, radius=look.tokens.radius.small)
        if state & ON:
            look.tick(painter, area, colours.on_accent)
        else:
            bar = QRectF(area.x() + side * 0.28, area.center().y() - side * 0.06, side * 0.44, side * 0.12)
            look.panel(painter, bar, colours.on_accent, radius=1)
        return
    over = bool(state & OVER) and enabled
    line = colours.accent if over else colours.border_strong if enabled else colours.border
    look.panel(painter, area, colours.surface, line, 1.2, look.tokens.radius.small)


def radio_button(look: Look, option: QStyleOption, painter: QPainter) -> None:
    """Draw the circle of a radio button."""
    side = min(option.rect.width(), option.rect.height())
    area = QRectF(option.rect.x(), option.rect.y() + (option.rect.height() - side) / 2, side, side)
    colours, state = look.colours, states(option)
    enabled = bool(state & ENABLED)
    if state & ON:
        look.panel(painter, area, colours.accent if enabled else colours.text_disabled, radius=side / 2)
        inset = side * 0.32
        dot = area.adjusted(inset, inset, -inset, -inset)
        look.panel(painter, dot, colours.on_accent, radius=dot.width() / 2)
        return
    over = bool(state & OVER) and enabled
    line = colours.accent if over else colours.border_strong if enabled else colours.border
    look.panel(painter, area, colours.surface, line, 1.2, side / 2)
