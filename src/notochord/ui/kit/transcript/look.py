"""A style made ready for painting: fonts, metrics and character formats, each made once."""

from PySide6.QtGui import QColor, QFont, QFontMetricsF, QTextCharFormat

from notochord.ui.kit.transcript.style import TranscriptStyle
from notochord.viewmodels.chat.markdown.leaves import BOLD, CODE, FORMULA, IMAGE, ITALIC, LINK, STRIKE


class Look:
    """Dropped and made anew when the style changes."""

    def __init__(self, style: TranscriptStyle) -> None:
        self.style = style
        self.background = QColor(style.background)
        self.text = QColor(style.text)
        self.soft = QColor(style.text_soft)
        self.user = QColor(style.user)
        self.sunken = QColor(style.sunken)
        self.border = QColor(style.border)
        self.focus = QColor(style.focus)
        self.body = style.body
        self.fixed = style.fixed
        self.small = _sized(style.body, 0.87)
        self.strong_small = _sized(style.body, 0.93, bold=True)
        self.bold = _sized(style.body, 1.0, bold=True)
        self.headings = [_sized(style.body, size, bold=True) for size in style.heading_sizes]
        self.body_height = QFontMetricsF(style.body).height() * style.line_spacing
        self.letter_width = QFontMetricsF(style.body).averageCharWidth()
        fixed = QFontMetricsF(style.fixed)
        self.code_height = round(fixed.height() * 1.25)
        self.head_height = round(QFontMetricsF(self.strong_small).height() + 8)
        self.bar_height = round(QFontMetricsF(self.small).height() + 14)
        self._formats: dict[int, QTextCharFormat] = {}
        self._inks: dict[str, QTextCharFormat] = {}
        self.marks = {
            Mark.SELECTED: _background(style.selection),
            Mark.FOUND: _background(style.found),
            Mark.CURRENT: _background(style.found_current),
        }

    def format(self, flags: int) -> QTextCharFormat:
        """How characters with these flags of a Span look."""
        found = self._formats.get(flags)
        if found is None:
            found = self._formats[flags] = self._made(flags)
        return found

    def ink(self, kind: str) -> QTextCharFormat:
        """How a token of code looks; `kind` is a name in CodeColours."""
        found = self._inks.get(kind)
        if found is None:
            found = self._inks[kind] = QTextCharFormat()
            found.setForeground(QColor(getattr(self.style.code, kind)))
            if kind == "comment":
                found.setFontItalic(True)
        return found

    def _made(self, flags: int) -> QTextCharFormat:
        made = QTextCharFormat()
        if flags & BOLD:
            made.setFontWeight(QFont.Weight.DemiBold)
        if flags & ITALIC:
            made.setFontItalic(True)
        if flags & STRIKE:
            made.setFontStrikeOut(True)
        if flags & (CODE | FORMULA):
            made.setFontFamilies([self.fixed.family()])
            made.setFontPointSize(self.fixed.pointSizeF())
            made.setBackground(self.sunken)
        if flags & (LINK | IMAGE):
            made.setForeground(QColor(self.style.link))
            made.setFontUnderline(True)
        return made


class Mark:
    """Why characters have a background of their own; a later one lies over an earlier."""

    SELECTED = 0
    FOUND = 1
    CURRENT = 2


def _sized(font: QFont, factor: float, *, bold: bool = False) -> QFont:
    sized = QFont(font)
    sized.setPointSizeF(font.pointSizeF() * factor)
    if bold:
        sized.setWeight(QFont.Weight.DemiBold)
    return sized


def _background(colour: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setBackground(QColor(colour))
    return made
