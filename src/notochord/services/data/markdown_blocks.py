"""Markdown as blocks with ids: paragraphs, headings, lists …, each marked in the file by `{#b_…}`.

In a file every content line that ends in a mark has had one mark added: the block's own on the line where it belongs,
the empty one `{#b_}` on any other line that looks marked by itself. Reading takes exactly one mark from each such line,
so that whatever a text holds, writing and reading it gives the same blocks.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from markdown_it import MarkdownIt

from notochord.services.data.api import Block

NO_ID = ""
_MARK = re.compile(r" \{#(b_[A-Za-z0-9]{0,64})\}$")
_EMPTY_MARK = " {#b_}"
_TYPES = {
    "heading_open": "heading",
    "paragraph_open": "paragraph",
    "bullet_list_open": "list",
    "ordered_list_open": "list",
    "fence": "code",
    "code_block": "code",
    "blockquote_open": "quote",
    "table_open": "table",
    "hr": "thematic_break",
    "html_block": "html",
}


@dataclass(frozen=True, slots=True)
class _Span:
    """A block's place among the lines, and the line that carries its mark."""

    type: str
    first: int
    end: int
    marked: int


def split(markdown: str) -> list[Block]:
    """Return the blocks of a text, without ids."""
    lines = _lines(markdown)
    return [Block(NO_ID, span.type, _text(lines, span)) for span in _spans(lines)]


def read_file(text: str) -> list[Block]:
    """Return the blocks of a file; a block without a mark has no id."""
    lines, ids = [], dict[int, str]()
    for number, line in enumerate(_lines(text)):
        found = _MARK.search(line)
        if found is not None:
            ids[number] = found[1]
            line = line[: found.start()]
        lines.append(line)
    blocks = []
    for span in _spans(lines):
        identifier = ids.get(span.marked, NO_ID)
        blocks.append(Block(identifier if identifier != "b_" else NO_ID, span.type, _text(lines, span)))
    return blocks


def composed(blocks: Sequence[Block]) -> tuple[list[Block], str]:
    """Return the blocks as they stand in one file, and its text: marks, and a blank line between blocks.

    Blocks that run into each other when they follow each other (a list on a list, anything behind a fence that is not
    closed) are one block, with the id of the first.
    """
    lines: list[str] = []
    waiting: deque[tuple[int, str]] = deque()
    for block in blocks:
        lines += [""] if lines else []
        waiting.append((len(lines), block.id))
        lines += block.markdown.split("\n")
    spans = _spans(lines)
    settled: list[Block] = []
    marks: dict[int, str] = {}
    for span in spans:
        identifier = NO_ID
        while waiting and waiting[0][0] < span.end:
            _, found = waiting.popleft()
            identifier = identifier or found
        settled.append(Block(identifier, span.type, _text(lines, span)))
        marks[span.marked] = identifier
    written = [_marked(line, marks.get(number)) for number, line in enumerate(lines)]
    return settled, _spaced(written, spans)


def identified(blocks: Iterable[Block], known: Iterable[Block], new_id: Callable[[], str]) -> list[Block]:
    """Give each block without an id the id of a known block of the same content, else a new one.

    An id that stands twice is kept where it stands first. Known ids that are taken are not given again.
    """
    given: set[str] = set()
    kept: list[Block] = []
    for block in blocks:
        again = block.id in given
        kept.append(Block(NO_ID, block.type, block.markdown) if again else block)
        given.add(block.id)
    free: dict[str, list[str]] = {}
    for block in known:
        if block.id not in given:
            free.setdefault(block.markdown, []).append(block.id)
    found = []
    for block in kept:
        if not block.id:
            same = free.get(block.markdown)
            block = Block(same.pop(0) if same else new_id(), block.type, block.markdown)
        found.append(block)
    return found


def _lines(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").removeprefix("\ufeff").split("\n")


def _text(lines: Sequence[str], span: _Span) -> str:
    return "\n".join(lines[span.first : span.end])


@cache
def _parser() -> MarkdownIt:
    """Blocks only: what stands inside a line makes no difference here."""
    parser = MarkdownIt("commonmark").enable("table")
    parser.core.ruler.enableOnly(["block"])
    return parser


def _spans(lines: Sequence[str]) -> list[_Span]:
    """Find the blocks; lines that belong to none, which define links, are paragraphs of their own."""
    spans: list[_Span] = []
    reached = 0
    for token in _parser().parse("\n".join(lines)):
        if token.level or token.map is None or token.type not in _TYPES:
            continue
        first, end = token.map
        spans += _loose(lines, reached, first)
        while end > first + 1 and not lines[end - 1].strip(" \t"):
            end -= 1
        spans.append(_span(lines, _TYPES[token.type], token.type, token.markup, first, end))
        reached = end
    return spans + _loose(lines, reached, len(lines))


def _span(lines: Sequence[str], kind: str, token: str, markup: str, first: int, end: int) -> _Span:
    marked = end - 1
    if kind == "code":
        marked = first
    elif token == "heading_open" and markup in ("=", "-"):
        marked = end - 2
    return _Span(kind, first, end, marked)


def _loose(lines: Sequence[str], start: int, end: int) -> list[_Span]:
    found, first = [], -1
    for number in range(start, end + 1):
        blank = number == end or not lines[number].strip(" \t")
        if not blank and first < 0:
            first = number
        elif blank and first >= 0:
            found.append(_Span("paragraph", first, number, number - 1))
            first = -1
    return found


def _marked(line: str, identifier: str | None) -> str:
    if identifier is not None:
        return f"{line} {{#{identifier}}}"
    return f"{line}{_EMPTY_MARK}" if _MARK.search(line) else line


def _spaced(lines: Sequence[str], spans: Sequence[_Span]) -> str:
    return "".join("\n".join(lines[span.first : span.end]) + "\n\n" for span in spans)[:-1]
