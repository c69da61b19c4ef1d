"""Text that is read, not pressed: headings, paragraphs, soft remarks."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QLabel, QWidget

from notochord.ui.kit.kit import Kit
from notochord.ui.kit.unseen import shown


class Label(QLabel):
    """Plain text in a size and a colour of the theme; never read as markup, wrapped, selectable if asked for."""

    def __init__(
        self, kit: Kit, text: str, parent: QWidget | None = None, *, size: str = "body", bold: bool = False,
        colour: str = "text", selectable: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(shown(text), parent)
        self._kit = kit
        self._colour = colour
        self._size = size
        self._bold = bold
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        if selectable:
            self.setTextInteractionFlags(
                Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
            )
        kit.theme.changed.connect(self._paint_again)
        self._paint_again()

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(shown(text))

    def set_colour(self, colour: str) -> None:
        """Show the text in another colour of the theme."""
        self._colour = colour
        self._paint_again()

    def _paint_again(self) -> None:
        self.setFont(self._kit.theme.font(self._size, bold=self._bold))
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.WindowText, self._kit.theme.colour(self._colour))
        self.setPalette(palette)


def title(kit: Kit, text: str, parent: QWidget | None = None) -> Label:
    """Return the heading of a page."""
    return Label(kit, text, parent, size="title", bold=True)


def heading(kit: Kit, text: str, parent: QWidget | None = None) -> Label:
    """Return the heading of a part of a page."""
    return Label(kit, text, parent, size="large", bold=True)


def remark(kit: Kit, text: str, parent: QWidget | None = None, *, size: str = "body") -> Label:
    """Return a soft line that explains what stands above it."""
    return Label(kit, text, parent, size=size, colour="text_soft")
