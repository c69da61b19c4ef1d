"""How scroll bars, progress bars, sliders and tabs are drawn."""

import time

from PySide6.QtCore import QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QStyle,
    QStyleOption,
    QStyleOptionProgressBar,
    QStyleOptionSlider,
    QTabBar,
    QWidget,
)

from notochord.ui.kit.theme.look import Look, State, has, keyboard_focus

THUMB = 6
GRABBED = 8
SHORTEST = 28
GROOVE = 6
ROUND = 1.6
"""Seconds that the mark of a busy bar takes from one end to the other."""
FRAME = 33
BUSY = "next frame of a busy bar"


def scroll_bar(look: Look, option: QStyleOptionSlider, painter: QPainter, thumb: QRect) -> None:
    """Draw a thumb without a groove; it grows a little under the pointer."""
    if option.maximum <= option.minimum:
        return
    upright = option.orientation is Qt.Orientation.Vertical
    active = has(option, State.State_MouseOver) or has(option, State.State_Sunken)
    width = GRABBED if active else THUMB
    held = has(option, State.State_Sunken)
    colour = look.colours.text_soft if held else look.colours.border_strong if active else look.colours.thumb
    size = QSize(width, thumb.height() - 4) if upright else QSize(thumb.width() - 4, width)
    area = QRectF(0, 0, size.width(), size.height())
    area.moveCenter(QRectF(thumb).center())
    look.panel(painter, area, colour, radius=width / 2)


def thumb_area(option: QStyleOptionSlider) -> QRect:
    """Return the area of a scroll bar's thumb; the bar has no arrows at its ends."""
    upright = option.orientation is Qt.Orientation.Vertical
    length = option.rect.height() if upright else option.rect.width()
    span = option.maximum - option.minimum
    long = length if not span else max(SHORTEST, length * option.pageStep // max(1, span + option.pageStep))
    long = min(long, length)
    at = QStyle.sliderPositionFromValue(
        option.minimum, option.maximum, option.sliderPosition, length - long, option.upsideDown
    )
    area = option.rect
    if upright:
        return QRect(area.x(), area.y() + at, area.width(), long)
    return QRect(area.x() + at, area.y(), long, area.height())


def progress(look: Look, option: QStyleOptionProgressBar, painter: QPainter, widget: QWidget | None) -> None:
    """Draw how far something is; without an end in sight a mark wanders, unless motion is reduced."""
    area = QRectF(option.rect)
    groove = QRectF(area.x(), area.center().y() - GROOVE / 2, area.width(), GROOVE)
    look.panel(painter, groove, look.colours.selected, radius=GROOVE / 2)
    if option.maximum > option.minimum:
        share = (option.progress - option.minimum) / (option.maximum - option.minimum)
        filled = QRectF(groove)
        filled.setWidth(max(GROOVE if share > 0 else 0, groove.width() * min(1.0, share)))
        if option.direction is Qt.LayoutDirection.RightToLeft:
            filled.moveRight(groove.right())
    else:
        filled = _wandering(look, groove)
        if widget is not None and not look.reduced_motion:
            _paint_again(widget)
    if filled.width() > 0:
        look.panel(painter, filled, look.colours.accent, radius=GROOVE / 2)


def slider(look: Look, option: QStyleOptionSlider, painter: QPainter, groove: QRect, handle: QRect) -> None:
    """Draw a line, filled up to a round handle."""
    colours, flat = look.colours, option.orientation is Qt.Orientation.Horizontal
    middle = QRectF(groove).center()
    line = QRectF(groove)
    if flat:
        line.setHeight(4)
    else:
        line.setWidth(4)
    line.moveCenter(middle)
    look.panel(painter, line, colours.selected, radius=2)
    knob = QRectF(0, 0, 16, 16)
    knob.moveCenter(QRectF(handle).center())
    if flat:
        done = QRectF(line)
        if option.direction is Qt.LayoutDirection.RightToLeft:
            done.setLeft(knob.center().x())
        else:
            done.setRight(knob.center().x())
        look.panel(painter, done, colours.accent, radius=2)
    look.panel(painter, knob, colours.surface, colours.accent, 2, 8)
    if keyboard_focus(option):
        look.panel(painter, knob.adjusted(-3, -3, 3, 3), None, colours.focus, 2, 11)


def tab(look: Look, option: QStyleOption, painter: QPainter, widget: QWidget | None) -> None:
    """Draw the ground of a tab: a line under the one that is shown."""
    colours, area = look.colours, option.rect
    chosen = has(option, State.State_Selected)
    if has(option, State.State_MouseOver) and not chosen:
        look.panel(painter, area.adjusted(2, 4, -2, -5), colours.hover)
    if chosen:
        line = QRectF(area.x() + 8, area.bottom() - 1, area.width() - 16, 2)
        look.panel(painter, line, colours.accent, radius=1)
    if isinstance(widget, QTabBar) and keyboard_focus(option) and chosen:
        look.panel(painter, area.adjusted(2, 3, -2, -4), None, colours.focus, 2)


def _paint_again(widget: QWidget) -> None:
    """Let a busy bar be painted anew a moment later, by a timer that ends with it."""
    timer = widget.findChild(QTimer, BUSY, Qt.FindChildOption.FindDirectChildrenOnly)
    if timer is None:
        timer = QTimer(widget)
        timer.setObjectName(BUSY)
        timer.setSingleShot(True)
        timer.setInterval(FRAME)
        timer.timeout.connect(widget.update)
    if not timer.isActive():
        timer.start()


def _wandering(look: Look, groove: QRectF) -> QRectF:
    """Return where the mark of a busy bar is now; what is seen of time here changes nothing but a picture."""
    long = groove.width() * 0.3
    share = 0.5 if look.reduced_motion else (time.monotonic() / ROUND) % 1.0
    eased = share * share * (3 - 2 * share)
    left = groove.x() - long + eased * (groove.width() + long)
    shown = QRectF(left, groove.y(), long, groove.height()).intersected(groove)
    return shown
