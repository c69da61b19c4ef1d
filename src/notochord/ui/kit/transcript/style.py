"""How a transcript looks and what its controls say: values made from the theme and the language."""

from dataclasses import dataclass, replace

from PySide6.QtGui import QFont, QFontDatabase, QFontMetricsF

from notochord.core.sentences import Sentences
from notochord.ui.kit.theme.theme import Theme

COLUMN = 720
"""Width of a conversation at the usual size of text; larger text has a wider one."""


@dataclass(frozen=True, slots=True)
class CodeColours:
    """Colours of code, as #RRGGBB."""

    plain: str
    keyword: str
    string: str
    number: str
    comment: str
    name: str
    error: str


@dataclass(frozen=True, slots=True)
class TranscriptStyle:
    """Colours as #RRGGBB or #AARRGGBB, distances in device-independent pixels."""

    background: str
    text: str
    text_soft: str
    user: str
    """Behind the user's own messages."""
    sunken: str
    """Behind code, formulas and the heads of tables."""
    raised: str
    border: str
    link: str
    focus: str
    selection: str
    found: str
    found_current: str
    code: CodeColours
    body: QFont
    fixed: QFont
    heading_sizes: tuple[float, ...] = (1.5, 1.3, 1.15, 1.05, 1.0, 1.0)
    column: int = COLUMN
    gap: int = 10
    indent: int = 26
    padding: int = 12
    message_gap: int = 24
    radius: int = 7
    line_spacing: float = 1.35

    @classmethod
    def of(cls, theme: Theme, *, scale: float = 1.0) -> "TranscriptStyle":
        """Make the style of a theme as it is now, with texts `scale` times as large as the system's."""
        colours, tokens = theme.colours, theme.tokens
        body = theme.font("body")
        body.setPointSizeF(body.pointSizeF() * scale)
        fixed = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        fixed.setPointSizeF(body.pointSizeF() * 0.93)
        return cls(
            background=colours.surface,
            text=colours.text,
            text_soft=colours.text_soft,
            user=colours.accent_soft,
            sunken=colours.sunken,
            raised=colours.raised,
            border=colours.border,
            link=colours.link,
            focus=colours.focus,
            selection=colours.selection,
            found=f"#60{colours.warning[1:]}",
            found_current=colours.selection,
            code=CodeColours(
                plain=colours.code,
                keyword=colours.code_keyword,
                string=colours.code_string,
                number=colours.code_number,
                comment=colours.code_comment,
                name=colours.code_name,
                error=colours.code_error,
            ),
            body=body,
            fixed=fixed,
            padding=tokens.space.m,
            message_gap=tokens.space.xl,
            radius=tokens.radius.medium,
            column=round(theme.grown(COLUMN) * max(1.0, scale)),
            indent=round(QFontMetricsF(body).height() * 1.4),
        )

    def scaled(self, factor: float) -> "TranscriptStyle":
        """The same with larger or smaller texts."""
        body, fixed = QFont(self.body), QFont(self.fixed)
        body.setPointSizeF(body.pointSizeF() * factor)
        fixed.setPointSizeF(fixed.pointSizeF() * factor)
        return replace(
            self, body=body, fixed=fixed, column=round(self.column * factor), indent=round(self.indent * factor)
        )


@dataclass(frozen=True, slots=True)
class TranscriptTexts:
    """What the controls of a transcript say; `{host}` is filled in where a link is named."""

    conversation: str
    copy: str
    copied: str
    copy_code: str
    wrap: str
    wrap_code: str
    copy_csv: str
    scroll_sideways: str
    newest: str
    copy_markdown: str
    copy_message: str
    copy_link: str
    open_link: str
    select_all: str
    image: str
    show_image: str
    image_failed: str
    reasoning: str
    show_reasoning: str
    hide_reasoning: str
    actions: str

    @classmethod
    def of(cls, sentences: Sentences) -> "TranscriptTexts":
        """Take them from the translations, where each is `transcript.<name>`."""
        return cls(**{name: sentences.sentence(f"transcript.{name}", host="{host}") for name in cls.__slots__})
