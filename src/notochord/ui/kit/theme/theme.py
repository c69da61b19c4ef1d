"""The theme of a running window: follows the setting or the system, and tells widgets when it changes."""

from collections.abc import Callable
from enum import StrEnum
from math import ceil

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPalette, QTextLayout
from PySide6.QtWidgets import QApplication

from notochord.ui.kit.theme.measures import grown
from notochord.ui.kit.theme.style import NotochordStyle
from notochord.ui.kit.theme.tokens import Colours, Scheme, Space, Tokens, load_tokens

UNBOUNDED = 1e6
SCRIPTS = "Åg字"
"""Letters as high and as deep as any that are common."""


class ThemeChoice(StrEnum):
    """What the user wants."""

    SYSTEM = "system"
    LIGHT = "light"
    DARK = "dark"


class Theme(QObject):
    """Colours, distances and fonts for views that draw; standard controls get theirs from palette and style.

    `changed` is emitted after the colours or the size of text became others; whoever keeps a colour, a font or a drawn
    picture makes it anew then. With `reduced_motion` nothing moves.
    """

    changed = Signal()

    def __init__(
        self, application: QApplication, choice: ThemeChoice = ThemeChoice.SYSTEM, *,
        blends: Callable[[], bool] = lambda: True,
    ) -> None:  # fmt: skip
        super().__init__(application)
        self._application = application
        self._choice = choice
        self._system_font = QFont(application.font())
        self._text_size = 100
        self._lines: dict[str, int] = {}
        self._reduced_motion = False
        self.tokens: Tokens = load_tokens()
        self._scheme = self._wanted()
        self._style = NotochordStyle(self.tokens, self.colours, blends)
        application.setStyle(self._style)
        application.setPalette(palette_of(self.colours))
        application.styleHints().colorSchemeChanged.connect(self._follow)

    @property
    def scheme(self) -> Scheme:
        return self._scheme

    @property
    def colours(self) -> Colours:
        return self.tokens.colours(self._scheme)

    @property
    def space(self) -> Space:
        return self.tokens.space

    @property
    def choice(self) -> ThemeChoice:
        return self._choice

    @property
    def reduced_motion(self) -> bool:
        return self._reduced_motion

    def set_reduced_motion(self, reduced: bool) -> None:
        """Let nothing move from now on, or again."""
        self._reduced_motion = reduced
        self._style.set_reduced_motion(reduced)

    def colour(self, name: str) -> QColor:
        """Return the colour with this name in `Colours`."""
        return QColor(getattr(self.colours, name))

    def font(self, size: str = "body", *, bold: bool = False) -> QFont:
        """Return the system's font in a size of `TypeScale`."""
        font = QFont(self._application.font())
        font.setPointSizeF(font.pointSizeF() * getattr(self.tokens.type, size))
        if bold:
            font.setWeight(QFont.Weight.DemiBold)
        return font

    def line_height(self, size: str = "body") -> int:
        """Return the height of a line of text in pixels, whatever it is written in.

        Controls around text are measured by it. The font that stands in for Chinese is often taller than the system's.
        """
        font = self.font(size)
        if (known := self._lines.get(font.key())) is None:
            layout = QTextLayout(SCRIPTS, font)
            layout.beginLayout()
            line = layout.createLine()
            line.setLineWidth(UNBOUNDED)  # lays it out
            known = self._lines[font.key()] = ceil(line.height())
            layout.endLayout()
        return known

    def grown(self, pixels: int) -> int:
        """Return a measure that is `pixels` at the usual size of text: larger text has larger icons and columns."""
        return grown(pixels, self._application.font())

    def set_text_size(self, per_cent: int) -> None:
        """Show all text in this size, in per cent of the system's."""
        if per_cent == self._text_size:
            return
        self._text_size = per_cent
        self._set_font()

    def set_system_font(self, font: QFont) -> None:
        """Take this for the system's font, as the gallery does to be the same on every machine."""
        self._system_font = QFont(font)
        self._set_font()

    def _set_font(self) -> None:
        font = QFont(self._system_font)
        font.setPointSizeF(self._system_font.pointSizeF() * self._text_size / 100)
        self._application.setFont(font)
        self.changed.emit()

    def choose(self, choice: ThemeChoice) -> None:
        """Show what the user wants from now on."""
        self._choice = choice
        self._follow()

    def _wanted(self) -> Scheme:
        if self._choice is not ThemeChoice.SYSTEM:
            return Scheme(self._choice.value)
        dark = self._application.styleHints().colorScheme() is Qt.ColorScheme.Dark
        return Scheme.DARK if dark else Scheme.LIGHT

    def _follow(self) -> None:
        if self._wanted() is self._scheme:
            return
        self._scheme = self._wanted()
        self._style.set_colours(self.colours)
        self._application.setPalette(palette_of(self.colours))
        self.changed.emit()


def palette_of(colours: Colours) -> QPalette:
    """Return the palette that standard controls draw with."""
    palette = QPalette()
    role = QPalette.ColorRole
    for found, name in {
        role.Window: "surface",
        role.WindowText: "text",
        role.Base: "surface",
        role.AlternateBase: "raised",
        role.ToolTipBase: "popup",
        role.ToolTipText: "text",
        role.PlaceholderText: "text_soft",
        role.Text: "text",
        role.Button: "raised",
        role.ButtonText: "text",
        role.BrightText: "on_accent",
        role.Highlight: "selection",
        role.HighlightedText: "text",
        role.Accent: "accent",
        role.Link: "link",
        role.LinkVisited: "link",
        role.Light: "raised",
        role.Midlight: "border",
        role.Mid: "border",
        role.Dark: "border_strong",
        role.Shadow: "border_strong",
    }.items():
        palette.setColor(found, QColor(getattr(colours, name)))
    for found in (role.WindowText, role.Text, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, found, QColor(colours.text_disabled))
    return palette
