r"""Recognizes formulas, which are shown as their source: `$x$`, `$$x$$`, `\(x\)`, `\[x\]`, never the price of a thing.

A single dollar opens a formula only where the very next dollar can close it: nothing but a formula reads `$x^2$`,
while in "from $5 to $10" the second dollar follows a space. Formulas hold no empty line, no heading and no fence.
"""

import re

from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from notochord.viewmodels.chat.markdown.fences import fence_head

MOST_CHARACTERS = 2000
MOST_LINES = 100
_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_CLOSERS = {"$$": "$$", r"\[": r"\]"}


def inline_formula_rule(state: StateInline, silent: bool) -> bool:
    """The parser's rule for a formula inside a line."""
    src, start = state.src, state.pos
    two = src[start : start + 2]
    if two in ("\\(", "\\[", "$$"):
        closer = {"\\(": "\\)", "\\[": "\\]", "$$": "$$"}[two]
        inner, stop = start + 2, src.find(closer, start + 2, min(state.posMax, start + MOST_CHARACTERS))
    elif two[:1] == "$":
        closer, inner, stop = "$", start + 1, _single(src, start, state.posMax)
    else:
        return False
    if stop < 0 or not src[inner:stop].strip():
        return False
    if not silent:
        token = state.push("formula_inline", "", 0)
        token.content, token.markup = src[inner:stop].strip(), src[start:inner]
    state.pos = stop + len(closer)
    return True


def _single(src: str, start: int, end: int) -> int:
    """Where a formula that begins with one dollar ends; -1 if this dollar means money or nothing."""
    before = src[start - 1] if start else " "
    if before in "$\\" or (before.isascii() and before.isalnum()):
        return -1
    stop = src.find("$", start + 1, min(end, start + MOST_CHARACTERS))
    if stop <= start + 1 or src[start + 1].isspace() or src[stop - 1].isspace() or src[stop - 1] == "\\":
        return -1
    after = src[stop + 1 : stop + 2]
    return -1 if after == "$" or (after.isascii() and after.isalnum()) else stop


def block_formula_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The parser's rule for a formula that has its lines for itself."""
    if state.is_code_block(start):
        return False
    first = _text(state, start)
    closer = _CLOSERS.get(first[:2])
    if closer is None:
        return False
    last = _last_line(state, start, end, first, closer)
    if last is None:
        return False
    if silent:
        return True
    source = "\n".join(_text(state, line) for line in range(start, last + 1))
    state.line = last + 1
    token = state.push("formula_block", "", 0)
    token.content, token.markup, token.map = source[2:-2].strip(), first[:2], [start, last + 1]
    return True


def _last_line(state: StateBlock, start: int, end: int, first: str, closer: str) -> int | None:
    if len(first) > 4 and first.endswith(closer):
        return start if closer not in first[2:-2] else None
    if closer in first[2:]:
        return None
    for line in range(start + 1, min(end, start + MOST_LINES)):
        text = _text(state, line)
        outside = state.isEmpty(line) or state.sCount[line] < state.blkIndent
        if outside or _HEADING.match(text) or fence_head(text):
            return None
        if closer in text:
            return line if text.endswith(closer) and text.count(closer) == 1 else None
    return None


def _text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()
