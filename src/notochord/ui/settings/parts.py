"""What sections of the settings are built of: a column of readable width, groups, rows with a control at the right."""

from typing import Any

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLayout,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from notochord.ui.kit.controls.labels import Label, heading, remark, title
from notochord.ui.kit.controls.scroll_page import readable_width
from notochord.ui.kit.focus_in_view import FocusInView
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.tab_order import widgets_in as widgets_in
from notochord.ui.settings.narrow import NARROW, stand_in
from notochord.ui.settings.numbers import numbers

WIDEST = 720
CONTROL_WIDTH = 260


class Card(QWidget):
    """A rounded panel with a column in it."""

    def __init__(self, kit: Kit, parent: QWidget | None = None, *, tight: bool = False) -> None:
        super().__init__(parent)
        self._kit = kit
        space = kit.theme.space
        self.column = QVBoxLayout(self)
        vertical = space.m if tight else space.l
        self.column.setContentsMargins(space.l, vertical, space.l, vertical)
        self.column.setSpacing(space.s)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the panel in the colours of the theme."""
        theme = self._kit.theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.colour("border"), 1))
        painter.setBrush(theme.colour("raised"))
        radius = theme.tokens.radius.large
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)


class Column(QScrollArea):
    """A page that scrolls; its content is at most `WIDEST` pixels wide and stands at the left of what is left."""

    def __init__(self, kit: Kit, text: str = "", explanation: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = kit.theme.space
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        FocusInView(self)
        page, inner = QWidget(), QWidget()
        self._kit, self._inner = kit, inner
        inner.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        outer = self._outer = QHBoxLayout(page)
        outer.addWidget(inner, 1)
        outer.addStretch(0)
        self.column = QVBoxLayout(inner)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(space.l)
        if text:
            head = QVBoxLayout()
            head.setSpacing(space.xs)
            head.addWidget(title(kit, text))
            if explanation:
                head.addWidget(remark(kit, explanation))
            self.column.addLayout(head)
        self.setWidget(page)
        self.viewport().setAutoFillBackground(False)
        page.setAutoFillBackground(False)
        kit.theme.changed.connect(self._measure)
        self._measure()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave less of a narrow window empty."""
        self._measure()
        super().resizeEvent(event)

    def _measure(self) -> None:
        space = self._kit.theme.space
        side = space.l if self.width() < NARROW + 2 * space.xxl else space.xxl
        self._outer.setContentsMargins(side, space.xl, side, space.xl)
        self._inner.setMaximumWidth(readable_width(self._kit, WIDEST))

    def go_to(self, text: str) -> bool:
        """Bring the setting that is called so into view, with the focus in it if it can have it.

        Return whether it is there, which it is not while the section is still being read.
        """
        for found in self.findChildren(QWidget):
            if found.isVisibleTo(self) and text in (found.accessibleName(), found.property("text")):
                target = _buddy(found) or found
                self.ensureWidgetVisible(target, 0, self.height() // 3)
                if target.focusPolicy() & Qt.FocusPolicy.TabFocus:
                    target.setFocus(Qt.FocusReason.ShortcutFocusReason)
                return True
        return False


class Group(QWidget):
    """A heading, a remark, and a card below with what belongs together."""

    def __init__(self, kit: Kit, text: str, explanation: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, space.s if text else 0, 0, 0)
        column.setSpacing(space.s)
        head = QVBoxLayout()
        head.setSpacing(space.xs)
        if text:
            head.addWidget(heading(kit, text))
        if explanation:
            head.addWidget(remark(kit, explanation))
        if head.count():
            column.addLayout(head)
        self.card = Card(kit)
        self.card.column.setSpacing(space.m)
        column.addWidget(self.card)

    def add(self, row: QWidget | QLayout) -> None:
        """Put a row at the end of the card, a line between it and the one before."""
        if self.card.column.count():
            self.card.column.addWidget(Rule(self._kit))
        if isinstance(row, QWidget):
            self.card.column.addWidget(row)
        else:
            self.card.column.addLayout(row)


class Row(QWidget):
    """A setting: what it is at the left with a remark below, the control at the right, a hint under both if need be."""

    def __init__(
        self, kit: Kit, text: str, control: QWidget, explanation: str = "", parent: QWidget | None = None, *,
        width: int = CONTROL_WIDTH,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        space = self._space = kit.theme.space
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(space.xs)
        line_of_both = self._line = QHBoxLayout()
        self._control = control
        line_of_both.setSpacing(space.l)
        words = QVBoxLayout()
        words.setSpacing(space.xs)
        self.label: Label = Label(kit, plain(text))
        self.label.setBuddy(control)
        words.addWidget(self.label)
        self.remark: Label = remark(kit, explanation, size="small")
        if not explanation:  # shown before it has a place, it would be a window for a moment
            self.remark.hide()
        words.addWidget(self.remark)
        line_of_both.addLayout(words, 1)
        if width:
            control.setFixedWidth(width)
        line_of_both.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        outer.addLayout(line_of_both)
        self.hint: Label = Label(kit, "", size="small", colour="warning")
        self.hint.hide()
        outer.addWidget(self.hint)
        if not control.accessibleName():
            control.setAccessibleName(text)
        if explanation and not control.accessibleDescription():
            control.setAccessibleDescription(explanation)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Stand as there is room."""
        super().resizeEvent(event)
        stand_in(self._line, self._control, self.width(), beside=self._space.l, below=self._space.s)

    def set_hint(self, text: str) -> None:
        """Show one line below, or none for an empty text."""
        self.hint.setText(text)
        self.hint.setVisible(bool(text))


class Choice(QComboBox):
    """A list to choose from; the wheel scrolls the page over it and changes nothing.

    Entries stand for values as they are in Python: what Qt keeps of an enum is a bare text or number.
    """

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._values: list[Any] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setAccessibleDescription(name)  # on Linux Qt tells the value where the name should be
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)

    def offer_value(self, text: str, value: Any) -> None:
        """Put an entry at the end."""
        self.addItem(text, len(self._values))
        self._values.append(value)

    def forget(self) -> None:
        """Take all entries away."""
        self.clear()
        self._values.clear()

    @property
    def value(self) -> Any:
        """The value of the entry that is shown; None for none."""
        at = self.currentData()
        return None if at is None else self._values[at]

    def has(self, value: object) -> bool:
        """Tell whether an entry stands for the value."""
        return value in self._values

    def show_choice(self, value: object) -> None:
        """Show the entry that stands for `value`, without telling that it was chosen."""
        self.blockSignals(True)
        self.setCurrentIndex(self.findData(self._values.index(value)) if self.has(value) else -1)
        self.blockSignals(False)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()


class Number(QSpinBox):
    """A whole number to type; the wheel scrolls the page over it and changes nothing."""

    def __init__(self, kit: Kit, lowest: int, highest: int, step: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(lowest, highest)
        self.setSingleStep(step)
        self.setLocale(numbers(kit))
        self.setGroupSeparatorShown(True)
        self.setKeyboardTracking(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to the page."""
        event.ignore()


def plain(text: str) -> str:
    """Return the text for a label that has a buddy, which takes an ampersand for the mark of a key."""
    return text.replace("&", "&&")


def _buddy(widget: QWidget) -> QWidget | None:
    return widget.buddy() if isinstance(widget, QLabel) else None


class Rule(QWidget):
    """A thin line between two rows, or `upright` between two panes."""

    def __init__(self, kit: Kit, parent: QWidget | None = None, *, upright: bool = False) -> None:
        super().__init__(parent)
        self._kit = kit
        (self.setFixedWidth if upright else self.setFixedHeight)(1)
        kit.theme.changed.connect(self.update)

    def paintEvent(self, _: QPaintEvent) -> None:
        """Draw it in the colour of borders."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._kit.theme.colour("border"))
        painter.end()
