"""What the sections of a gem's page are built of: parts with a small heading, facts, and rooms that are refilled."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from notochord.ui.kit.breakable import breakable
from notochord.ui.kit.controls.labels import Label, heading
from notochord.ui.kit.controls.sections import Section
from notochord.ui.kit.icons import icon
from notochord.ui.kit.kit import Kit

ICON = 18


class Chapter(QWidget):
    """A large heading and what stands below it; it takes no room while it is hidden."""

    def __init__(self, kit: Kit, text: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kit = kit
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(0, 0, 0, 0)
        self.column.setSpacing(kit.theme.space.l)
        self.head = QHBoxLayout()
        self.head.addWidget(heading(kit, text), 1)
        self.column.addLayout(self.head)
        self.setAccessibleName(text)


class Group(QWidget):
    """A small heading with a remark, and a ground with rows that are replaced as a whole."""

    def __init__(self, kit: Kit, text: str = "", explanation: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit = kit
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(kit.theme.space.xs)
        if text:
            self._column.addWidget(Label(kit, text, bold=True))
            self.setAccessibleName(text)
        if explanation:
            self._column.addWidget(Label(kit, explanation, size="small", colour="text_soft"))
        self._section: Section | None = None

    def fill(self, rows: Iterable[QWidget]) -> None:
        """Put these rows in the place of those before."""
        if self._section is not None:
            self._column.removeWidget(self._section)
            self._section.hide()
            self._section.deleteLater()
        self._section = Section(self._kit)
        for row in rows:
            self._section.add(row)
        self._column.addWidget(self._section)


class Fact(QWidget):
    """An icon, a sentence, and a soft line below it."""

    def __init__(self, kit: Kit, icon_name: str, text: str, remark: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kit, self._icon_name = kit, icon_name
        space = kit.theme.space
        row = QHBoxLayout(self)
        row.setContentsMargins(space.l, space.m, space.l, space.m)
        row.setSpacing(space.m)
        self._glyph = QLabel()
        row.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(Label(kit, breakable(text), selectable=True))
        if remark:
            words.addWidget(Label(kit, breakable(remark), size="small", colour="text_soft", selectable=True))
        for at in range(words.count()):
            item = words.itemAt(at)
            if item is not None and (label := item.widget()) is not None:
                label.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        row.addLayout(words, 1)
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def _paint_again(self) -> None:
        theme = self._kit.theme
        side = theme.grown(ICON)
        self._glyph.setPixmap(icon(self._icon_name, theme.colours.text_soft, side).pixmap(side, side))
        self._glyph.setFixedHeight(max(side, theme.line_height()))
