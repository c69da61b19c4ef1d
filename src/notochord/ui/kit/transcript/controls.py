"""The small real controls that lie over a transcript: buttons in its own colours, and a pool that lends them out."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QScrollBar, QStyle, QStyleOptionSlider, QToolButton, QWidget

from notochord.ui.kit.enter import pressed_by_enter
from notochord.ui.kit.transcript.look import Look

Control = TypeVar("Control", bound=QWidget)
PARKED = -20_000


class QuietButton(QToolButton):
    """A button of a few words. `floats` gives it a ground; `shy` shows it only when pointed at or in focus."""

    def __init__(self, parent: QWidget, look: Look, *, floats: bool = False, shy: bool = False) -> None:
        super().__init__(parent)
        self._look = look
        self._floats = floats
        self._shy = shy
        self._revealed = False
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew when the pointer comes and goes
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.set_look(look)

    def set_look(self, look: Look) -> None:
        """Draw in other colours and sizes."""
        self._look = look
        self.setFont(look.small)

    def reveal(self, revealed: bool) -> None:
        """Show a shy button while the pointer is over what it belongs to."""
        if revealed != self._revealed:
            self._revealed = revealed
            self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()  # they scroll the conversation and choose its messages; Qt would look for other buttons
        elif not pressed_by_enter(self, event):
            super().keyPressEvent(event)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(metrics.horizontalAdvance(self.text()) + 18, metrics.height() + 8)

    def paintEvent(self, event: QPaintEvent) -> None:
        over, focused = self.underMouse(), self.hasFocus()
        if self._shy and not (over or focused or self._revealed):
            return
        style, painter = self._look.style, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        pressed = self.isDown() or (self.isCheckable() and self.isChecked())
        ground = style.border if pressed else style.raised if self._floats or self._shy or over else ""
        painter.setPen(QPen(QColor(style.focus), 2) if focused else self._frame(over=over))
        painter.setBrush(QColor(ground) if ground else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(area, style.radius - 1, style.radius - 1)
        painter.setPen(QColor(style.text if over or focused or pressed else style.text_soft))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())

    def _frame(self, *, over: bool) -> QPen:
        shown = self._floats or self._shy or over
        return QPen(QColor(self._look.style.border), 1) if shown else QPen(Qt.PenStyle.NoPen)


class SideBar(QScrollBar):
    """A thin bar over the lower edge of a wide block."""

    THICK = 10

    def __init__(self, parent: QWidget, look: Look) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._look = look
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setCursor(Qt.CursorShape.ArrowCursor)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # Scroll bars turn the arrows round, as Up is less for a vertical one; for this one Right is more.
        actions = QScrollBar.SliderAction
        step = {Qt.Key.Key_Right: actions.SliderSingleStepAdd, Qt.Key.Key_Left: actions.SliderSingleStepSub}
        action = step.get(Qt.Key(event.key()))
        if action is None:
            super().keyPressEvent(event)
        else:
            self.triggerAction(action)

    def set_look(self, look: Look) -> None:
        """Draw in other colours."""
        self._look = look

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        style = self.style()
        thumb = style.subControlRect(
            QStyle.ComplexControl.CC_ScrollBar, option, QStyle.SubControl.SC_ScrollBarSlider, self
        )
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        strong = self.underMouse() or self.hasFocus() or self.isSliderDown()
        painter.setPen(QPen(QColor(self._look.style.focus), 2) if self.hasFocus() else QPen(Qt.PenStyle.NoPen))
        painter.setBrush(self._look.soft if strong else self._look.border)
        area = QRectF(thumb).adjusted(1, 2, -1, -2)
        painter.drawRoundedRect(area, area.height() / 2, area.height() / 2)


def holds_focus(widget: QWidget) -> bool:
    """Whether the keyboard is in a widget or in one of its children."""
    focus = QApplication.focusWidget()
    return focus is not None and (focus is widget or widget.isAncestorOf(focus))


class Pool(Generic[Control]):
    """Lends controls to the blocks in view. One with the focus is kept for its block, out of sight if need be."""

    def __init__(self, make: Callable[[], Control]) -> None:
        self._make = make
        self._lent: dict[Hashable, Control] = {}
        self._free: list[Control] = []
        self._wanted: set[Hashable] = set()

    def begin(self) -> None:
        """Start a new placement."""
        self._wanted.clear()

    def lend(self, key: Hashable) -> Control:
        """The control for a block; the same as before if it had one."""
        self._wanted.add(key)
        control = self._lent.get(key)
        if control is None:
            control = self._lent[key] = self._free.pop() if self._free else self._make()
        return control

    def end(self) -> list[Control]:
        """Take back what was not asked for, and return it."""
        back: list[Control] = []
        for key in [key for key in self._lent if key not in self._wanted]:
            control = self._lent[key]
            if holds_focus(control):
                control.move(control.x(), PARKED)
            else:
                control.hide()
                back.append(self._lent.pop(key))
        self._free += back
        return back

    def shown(self) -> dict[Hashable, Control]:
        """The controls that are lent out, by what they were lent to."""
        return {key: control for key, control in self._lent.items() if key in self._wanted}

    def every(self) -> list[Control]:
        """All controls that were ever made."""
        return [*self._lent.values(), *self._free]
