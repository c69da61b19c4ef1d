"""The overview of the keys that do something."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from notochord.ui.kit.controls.buttons import Button
from notochord.ui.kit.controls.labels import Label, heading
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.painting import panel
from notochord.ui.shell.commands import ShellCommand

WIDTH = 420


class KeyOverview(QDialog):
    """Lists the commands that have keys; `open()` it, and it destroys itself when it is closed."""

    def __init__(self, kit: Kit, commands: Sequence[ShellCommand], parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(kit.text("window.shell.keys"))
        self.setAccessibleName(kit.text("window.shell.keys"))
        space = kit.theme.space
        column = QVBoxLayout(self)
        column.setContentsMargins(space.xl, space.xl, space.xl, space.l)
        column.setSpacing(space.m)
        column.addWidget(heading(kit, kit.text("window.shell.keys")))
        grid = QGridLayout()
        grid.setVerticalSpacing(space.s)
        grid.setColumnStretch(0, 1)
        grid.setColumnMinimumWidth(0, WIDTH - 160)
        for row, command in enumerate(command for command in commands if command.keys):
            text = kit.text(command.key)
            grid.addWidget(Label(kit, text), row, 0)
            keys = KeyCaps(kit, kit.keys(command.shown))
            grid.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignTrailing)
        column.addLayout(grid)
        foot = QHBoxLayout()
        foot.addStretch(1)
        foot.addWidget(Button(kit, kit.text("window.kit.close"), self.accept))
        column.addLayout(foot)


class KeyCaps(QWidget):
    """A key sequence, drawn as keys are."""

    def __init__(self, kit: Kit, keys: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._keys = keys
        self.setAccessibleName(keys)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        kit.theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        measure = QFontMetrics(self._kit.theme.font("small"))
        space = self._kit.theme.space
        return QSize(measure.horizontalAdvance(self._keys) + 2 * space.s, measure.height() + space.xs)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._kit.theme
        painter = QPainter(self)
        radius = theme.tokens.radius.small
        panel(painter, QRectF(self.rect()), radius, theme.colour("sunken"), theme.colour("border_popup"))
        painter.setFont(theme.font("small"))
        painter.setPen(theme.colour("text_soft"))
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._keys)
        painter.end()
