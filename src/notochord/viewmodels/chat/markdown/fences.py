"""Reads code fences line by line, for the parser and the splitter alike: where a code block begins and where it ends.

A fence whose language is Markdown may hold fences itself, which CommonMark does not foresee and models write all the
time. There, an inner fence with a language is closed before the outer one is; an inner fence without one is told from
the end of the outer by the lines around it: an empty line before and text right after it.
"""

import re
from dataclasses import dataclass
from enum import Enum, auto

from markdown_it.rules_block import StateBlock

_OPENS = re.compile(r"(`{3,})([^`\n]*)$|(~{3,})(.*)$")
_NESTING = frozenset({"markdown", "md", "mdx"})


@dataclass(frozen=True, slots=True)
class FenceHead:
    """The line that opens a fence: its mark (` or ~), how many of them, and what follows them."""

    mark: str
    length: int
    info: str

    @property
    def language(self) -> str:
        """The first word after the marks, as written."""
        return self.info.split(" ", 1)[0]


def fence_head(body: str) -> FenceHead | None:
    """Read a line without its indentation; None if it opens no fence."""
    found = _OPENS.match(body) if body[:1] in ("`", "~") else None
    if found is None:
        return None
    run = found.group(1) or found.group(3)
    return FenceHead(run[0], len(run), (found.group(2) if found.group(1) else found.group(4)).strip())


class Line(Enum):
    """What a line is to the fence that was open before it."""

    INSIDE = auto()
    END = auto()
    AFTER = auto()
    """The line before was the end already; this one stands outside."""


class FenceReader:
    """Finds the end of one fence. Lines are given without their indentation; one indented by four or more as ""."""

    def __init__(self, head: FenceHead) -> None:
        self._head = head
        self.nests = head.language.lower() in _NESTING
        """Whether other fences may stand inside: only then the lines around an end matter."""
        self._inner = 0
        self._held = 0
        self._blank_before = False

    @property
    def ended(self) -> bool:
        """Whether the last line read would be the end if nothing followed it."""
        return self._held > 0

    def read(self, body: str, *, blank: bool) -> Line:
        """Say what the next line is. An end that only the line after it can tell is INSIDE at first."""
        if self._held:
            if blank:
                return Line.AFTER
            self._inner, self._held = self._held, 0
        run = self._run(body)
        if run and self.nests and not self._inner and self._blank_before and not body[run:].strip(" \t"):
            self._held = run
            return Line.INSIDE
        ends = bool(run) and self.closes(body, blank_before=self._blank_before, blank_after=True)
        self._blank_before = blank
        return Line.END if ends else Line.INSIDE

    def closes(self, body: str, *, blank_before: bool, blank_after: bool) -> bool:
        """Tell whether a line that begins with the mark ends the fence; keeps account of inner fences."""
        run = self._run(body)
        if not run:
            return False
        rest = body[run:].strip(" \t\r")
        if self._inner:
            if not rest and run >= self._inner:
                self._inner = 0
            return False
        if rest:
            if self.nests and not (self._head.mark == "`" and "`" in rest):
                self._inner = run
            return False
        if self.nests and blank_before and not blank_after:
            self._inner = run
            return False
        return True

    def _run(self, body: str) -> int:
        run = len(body) - len(body.lstrip(self._head.mark))
        return run if run >= self._head.length else 0


def fence_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """The parser's rule for fences. The token tells in `meta["closed"]` whether the end was there."""
    head = None if state.is_code_block(start) else fence_head(_body(state, start))
    if head is None:
        return False
    if silent:
        return True
    after, content_end, closed = _extent(state, start, end, FenceReader(head))
    state.line = after
    token = state.push("fence", "code", 0)
    token.info = head.info
    token.content = state.getLines(start + 1, content_end, state.sCount[start], True)
    token.markup = head.mark * head.length
    token.map = [start, after]
    token.meta = {"closed": closed}
    return True


def _extent(state: StateBlock, start: int, end: int, reader: FenceReader) -> tuple[int, int, bool]:
    """The line after the fence, the line after its content, and whether it was closed."""
    line = start + 1
    while line < end:
        blank = state.isEmpty(line)
        if not blank and state.sCount[line] < state.blkIndent:
            break
        match reader.read("" if state.is_code_block(line) else _body(state, line), blank=blank):
            case Line.END:
                return line + 1, line, True
            case Line.AFTER:
                return line, line - 1, True
            case Line.INSIDE:
                line += 1
    return line, line - 1 if reader.ended else line, reader.ended


def _body(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
