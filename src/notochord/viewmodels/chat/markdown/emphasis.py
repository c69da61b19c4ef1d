"""Finds emphasis where readers of Chinese, Japanese and Korean expect it.

CommonMark decides by the white space and punctuation around the stars; these scripts put none between words, so that
`**「中文」**后` would stay bare stars. Here such letters and their punctuation count as neither: beside them stars may
open and close.

Two bold texts that touch, `**one****two**`, are both bold (fault A4). CommonMark pairs the four stars in the middle
with what comes later, so that what was bold would become bare stars again while the rest arrives.

Nothing changes for text without either.
"""

from markdown_it import MarkdownIt
from markdown_it.common.utils import isMdAsciiPunct, isPunctChar, isWhiteSpace
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline, image, link
from markdown_it.rules_inline.state_inline import Scanned
from markdown_it.token import Token
from markdown_it.utils import EnvType

MOST_BRACKETS = 400
"""In a paragraph with more, links are not looked for: the search costs the square of their number."""

_BOLD = 2
"""Stars around a bold text."""

_SCRIPTS = (
    (0x1100, 0x11FF),  # Hangul letters
    (0x2E80, 0x303E),  # radicals, signs and punctuation
    (0x3040, 0xA4CF),  # kana, bopomofo, ideographs, Yi
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF01, 0xFFEE),  # full width
    (0x1F200, 0x1F2FF),
    (0x20000, 0x3FFFD),
)


def is_wide_script(letter: str) -> bool:
    """Tell whether a character belongs to a script that is written without spaces (or is its punctuation)."""
    code = ord(letter)
    return code >= 0x1100 and any(first <= code <= last for first, last in _SCRIPTS)


class _State(StateInline):
    """One paragraph being read."""

    def __init__(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> None:
        super().__init__(src, md, env, tokens)
        self.too_many_brackets = src.count("[") > MOST_BRACKETS
        self._bold = False
        """Whether two stars before have begun what two stars could end."""

    def scanDelims(self, start: int, canSplitWord: bool) -> Scanned:
        marker, stop = self.src[start], start
        while stop < self.posMax and self.src[stop] == marker:
            stop += 1
        before = self.src[start - 1] if start > 0 else " "
        after = self.src[stop] if stop < self.posMax else " "
        wide_before, wide_after = is_wide_script(before), is_wide_script(after)
        mark_before, mark_after = _is_mark(before) and not wide_before, _is_mark(after) and not wide_after
        space_before, space_after = isWhiteSpace(ord(before)), isWhiteSpace(ord(after))
        opens = not space_after and (not mark_after or space_before or mark_before or wide_before)
        closes = not space_before and (not mark_before or space_after or mark_after or wide_after)
        if canSplitWord:
            return self._of_stars(opens, closes, stop - start)
        loose_before, loose_after = _is_mark(before), _is_mark(after)
        return Scanned(opens and (not closes or loose_before), closes and (not opens or loose_after), stop - start)

    def _of_stars(self, opens: bool, closes: bool, length: int) -> Scanned:
        """Read four stars between two bold texts as the end of the one; the beginning of the other follows."""
        if length == 2 * _BOLD and opens and closes and self._bold:
            opens, length = False, _BOLD
        if length == _BOLD:
            self._bold = opens and not closes
        return Scanned(opens, closes, length)


class Inline(ParserInline):
    """The parser's inline level with the emphasis above, and with a limit on brackets."""

    def __init__(self) -> None:
        super().__init__()
        self.ruler.at("link", _link_rule)
        self.ruler.at("image", _image_rule)

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _State(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens


def _is_mark(letter: str) -> bool:
    return isMdAsciiPunct(ord(letter)) or isPunctChar(letter)


def _link_rule(state: StateInline, silent: bool) -> bool:
    return not (isinstance(state, _State) and state.too_many_brackets) and link(state, silent)


def _image_rule(state: StateInline, silent: bool) -> bool:
    return not (isinstance(state, _State) and state.too_many_brackets) and image(state, silent)
