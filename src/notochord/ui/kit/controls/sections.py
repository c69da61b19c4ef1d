"""How settings and forms are laid out: groups of rows on a raised ground, each with a name, a remark and a control."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from notochord.ui.kit.controls.labels import Label, heading, remark
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel


class Section(QWidget):
    """A heading, a remark and a group of rows with lines between them."""

    def __init__(self, kit: Kit, text: str = "", explanation: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(space.xs)
        if text:
            column.addWidget(heading(kit, text))
        if explanation:
            column.addWidget(remark(kit, explanation))
        if text or explanation:
            column.addSpacing(space.s)
        self._group = _Group(kit)
        column.addWidget(self._group)
        self.setAccessibleName(text)

    def add(self, row: QWidget) -> None:
        """Put a row at the end."""
        self._group.add(row)


class FormRow(QWidget):
    """A name with a remark below it, and a control at the other edge; `below` puts the control under them instead.

    The control takes the name for assistive technology if it has none.
    """

    def __init__(
        self, kit: Kit, text: str, control: QWidget | None = None, parent: QWidget | None = None, *,
        explanation: str = "", below: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.l, space.m, space.l, space.m)
        row.setSpacing(space.l)
        texts = QVBoxLayout()
        texts.setSpacing(2)
        self.label: Label = Label(kit, text)
        texts.addWidget(self.label)
        if explanation:
            texts.addWidget(Label(kit, explanation, size="small", colour="text_soft"))
        row.addLayout(texts, 1)
        if control is None:
            return
        if below:
            texts.addSpacing(space.s)
            texts.addWidget(control)
        else:
            row.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        if not control.accessibleName() and not isinstance(control, QLabel):
            control.setAccessibleName(text)
        if explanation and not control.accessibleDescription():
            control.setAccessibleDescription(explanation)


class _Group(QWidget):
    """The ground of the rows."""

    def __init__(self, kit: Kit) -> None:
        super().__init__()
        self._kit = kit
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(0)
        kit.theme.changed.connect(self.update)

    def add(self, row: QWidget) -> None:
        self._column.addWidget(row)

    def _children(self) -> list[QWidget]:
        return self.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        radius = theme.tokens.radius.large - 2
        panel(painter, self.rect(), radius, theme.colour("raised"), theme.colour("border"))
        painter.setPen(theme.colour("border"))
        inset = theme.space.l
        shown = sorted((row for row in self._children() if row.isVisibleTo(self)), key=QWidget.y)
        for row in shown[1:]:
            painter.drawLine(inset, row.y(), self.width() - inset, row.y())
        painter.end()
