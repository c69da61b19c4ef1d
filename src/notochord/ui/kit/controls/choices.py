"""Choices that are seen at once: one of a few words, and on or off."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.motion import Glide
from notochord.ui.kit.painting import focus_by_keyboard, panel


class Segmented(QWidget):
    """One of a few words side by side; arrow keys go from one to the next. `options` are (value, text)."""

    def __init__(
        self, kit: Kit, name: str, options: Sequence[tuple[str, str]], chosen: str,
        on_choose: Callable[[str], None] | None = None, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self._buttons: dict[str, _Segment] = {}
        self._group = QButtonGroup(self)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(0)
        for value, text in options:
            button = _Segment(kit, text, f"{name}: {text}")
            self._buttons[value] = button
            self._group.addButton(button)
            row.addWidget(button)
            if on_choose:
                button.clicked.connect(lambda _=False, value=value: on_choose(value))
        self.choose(chosen)
        kit.theme.changed.connect(self.update)

    @property
    def value(self) -> str:
        return next((value for value, button in self._buttons.items() if button.isChecked()), "")

    def choose(self, value: str) -> None:
        """Show this value as the chosen one, without telling."""
        if value in self._buttons:
            self._buttons[value].setChecked(True)

    def paintEvent(self, _: QPaintEvent) -> None:
        painter = QPainter(self)
        panel(painter, self.rect(), self._kit.theme.tokens.radius.medium, self._kit.theme.colour("selected"))
        painter.end()


class Switch(QAbstractButton):
    """On or off, at once: for settings that take effect without a button."""

    def __init__(
        self, kit: Kit, name: str, on: bool = False, on_change: Callable[[bool], None] | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._kit = kit
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFixedSize(38, 22)
        self._knob = Glide(kit.theme, lambda _: self.update(), self)
        self.toggled.connect(lambda now: self._knob.to(1.0 if now else 0.0))
        self.setChecked(on)
        if on_change:
            self.clicked.connect(lambda now=False: on_change(now))
        kit.theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return self.size()

    def paintEvent(self, _: QPaintEvent) -> None:
        theme, on = self._kit.theme, self.isChecked()
        painter = QPainter(self)
        track = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        able = self.isEnabled()
        ground = theme.colour("accent" if on else "border_strong") if able else theme.colour("text_disabled")
        panel(painter, track, track.height() / 2, ground)
        share = 1 - self._knob.value if self.layoutDirection() is Qt.LayoutDirection.RightToLeft else self._knob.value
        side = track.height() - 4
        left = track.left() + 2 + share * (track.width() - side - 4)
        knob = theme.colour("on_accent" if on else "surface")
        panel(painter, QRectF(left, track.top() + 2, side, side), side / 2, knob)
        if focus_by_keyboard(self):
            panel(painter, self.rect(), self.height() / 2, None, theme.colour("focus"), 1.6)
        painter.end()


class _Segment(QAbstractButton):
    def __init__(self, kit: Kit, text: str, name: str) -> None:
        super().__init__()
        self._kit = kit
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(name)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # painted anew when the pointer comes and goes
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        kit.theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        measure = QFontMetrics(self._kit.theme.font(bold=True))
        space = self._kit.theme.space
        return QSize(measure.horizontalAdvance(self.text()) + 2 * space.m, measure.height() + space.s)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the neighbour with the arrow keys, as with radio buttons."""
        super().keyPressEvent(event)
        chosen = self.group().checkedButton()
        if chosen is not None and chosen is not self and chosen.hasFocus():
            chosen.clicked.emit()

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        radius = theme.tokens.radius.medium - 2
        if self.isChecked():
            panel(painter, self.rect(), radius, theme.colour("field"), theme.colour("border_field"))
        if focus_by_keyboard(self):
            panel(painter, self.rect(), radius, None, theme.colour("focus"), 2)
        bright = self.isChecked() or self.underMouse()
        ink = "text_disabled" if not self.isEnabled() else "text" if bright else "text_soft"
        painter.setFont(theme.font(bold=self.isChecked()))
        painter.setPen(theme.colour(ink))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self.text())
        painter.end()
