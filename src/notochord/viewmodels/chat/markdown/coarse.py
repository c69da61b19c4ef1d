"""Cuts a long finished text at a glance: megabytes in milliseconds, as no line is read that need not be.

Safe places are an empty line followed by a letter in column 0, outside every fence. Where none is near (one list or
paragraph without end) the cut is before a list item, else at a line end, else at white space: there the look may
differ, never the text.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.utils import EnvType

from notochord.viewmodels.chat.markdown.fences import FenceReader, fence_head
from notochord.viewmodels.chat.markdown.segments import START, Continuation
from notochord.viewmodels.chat.markdown.splitter import Splitter, has_definition

PART = 4096
"""About how many characters a part has; a part with one long code block has more."""
MOST_HARVEST = 200_000
_REACH = 4
_END, _FINER = 2, 8
"""So many parts' worth of text at the end, which is seen first, is cut so much finer: a part is laid out whole."""
_ITEM = re.compile(r"\n(?=(?:[-*+]|\d{1,9}[.)])[ \t])")
_DELIMITERS = re.compile(r"[ \t]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")
_DEFINITION_REACH = 8000
_BACKTICKS, _TILDES = re.compile("```[^\n]*"), re.compile("~~~[^\n]*")


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a part begins, and what it goes on with."""

    at: int
    goes_on: Continuation = START


def cut(text: str, parser: MarkdownIt, size: int = PART) -> list[Cut]:
    """Cut a text, whose lines end in "\\n", into parts of about `size` characters. The first cut is at 0."""
    if len(text) <= size:
        return [Cut(0)]
    spans = _fences(text)
    places = _slow_places(text, parser, size) if spans is None else list(_places(text, spans, size))
    return _with_heads(text, places)


def harvest(text: str, parser: MarkdownIt, env: EnvType) -> None:
    """Read the link definitions of a long text into `env`, so that its parts can be parsed alone.

    At most `MOST_HARVEST` characters are parsed; definitions beyond are read when their part is.
    """
    at, parsed = text.find("]:") if "]" in text else -1, 0
    while at >= 0 and parsed < MOST_HARVEST:
        window = max(0, at - _DEFINITION_REACH)
        begin = text.rfind("\n\n", window, at)
        begin = window if begin < 0 else begin + 2
        end = text.find("\n\n", at, at + _DEFINITION_REACH)
        end = min(len(text), at + _DEFINITION_REACH) if end < 0 else end
        if has_definition(text, begin, end):
            parser.block.parse(text[begin:end] + "\n", parser, env, [])
            parsed += end - begin
        at = text.find("]:", end)


def _fences(text: str) -> list[tuple[int, int]] | None:
    """The code blocks that stand in no list, as spans; None if a glance cannot tell."""
    spans: list[tuple[int, int]] = []
    reader, begin, last = None, 0, -1
    for at, end in sorted([*_marks(text, _BACKTICKS), *_marks(text, _TILDES)]):
        start = text.rfind("\n", 0, at) + 1
        if start == last or at - start > 3 or text[start:at].strip(" "):
            continue
        last, line = start, text[at:end]
        if reader is None:
            head = fence_head(line)
            if head is None:
                continue
            if at != start or "|" in line:
                return None
            reader, begin = FenceReader(head), start
        elif reader.closes(
            line,
            blank_before=reader.nests and _blank_before(text, start),
            blank_after=reader.nests and _blank_after(text, end),
        ):
            spans.append((begin, end))
            reader = None
    if reader is not None:
        spans.append((begin, len(text)))
    return spans


def _blank_before(text: str, start: int) -> bool:
    return start > 0 and not text[text.rfind("\n", 0, start - 1) + 1 : start - 1].strip()


def _blank_after(text: str, end: int) -> bool:
    stop = text.find("\n", end + 1)
    return not text[end + 1 : len(text) if stop < 0 else stop].strip()


def _marks(text: str, mark: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Where the first mark of each line is, and where that line ends."""
    if mark.pattern[0] in text:  # one letter is found ten times as quickly as three
        for found in mark.finditer(text):
            yield found.span()


def _places(text: str, spans: list[tuple[int, int]], size: int) -> Iterator[int]:
    yield 0
    at, ends = size, [end for _, end in spans]
    while at < len(text):
        place = _exact(text, spans, ends, at, size)
        if place is None:
            if len(text) - at <= size:  # the rest is short enough to stay in this part
                return
            place = _rough(text, spans, ends, at, size)
        if place >= len(text):
            return
        yield place
        at = place + (size if len(text) - place > _END * size else max(1, size // _FINER))


def _exact(text: str, spans: list[tuple[int, int]], ends: list[int], at: int, size: int) -> int | None:
    """The next empty line before a letter in column 0, or the next edge of a fence; None if none is near."""
    limit = at + _REACH * size
    k = bisect_left(ends, at)
    fence = spans[k][0] if k < len(spans) else len(text)
    if fence <= at:
        return spans[k][1] + 1
    while (found := text.find("\n\n", at, min(limit, fence))) >= 0:
        if found + 2 < len(text) and text[found + 2].isalpha():
            return found + 2
        at = found + 1
    return fence if fence < min(limit, len(text)) else None


def _rough(text: str, spans: list[tuple[int, int]], ends: list[int], at: int, size: int) -> int:
    k = bisect_left(ends, at)
    item = _ITEM.search(text, at, at + _REACH * size)
    place = item.end() if item else text.find("\n", at, at + size) + 1 or text.find(" ", at, at + size) + 1 or at + size
    return spans[k][0] if k < len(spans) and at < spans[k][0] < place else place


def _slow_places(text: str, parser: MarkdownIt, size: int) -> list[int]:
    """Where a Splitter cuts: about 13 ms for a megabyte, for texts on which a glance cannot decide."""
    splitter = Splitter(parser)
    splitter.feed(text)
    places, at, grown = [0], 0, 0
    for segment, after in pairwise(splitter.segments):
        grown += len(segment.source(ends=0 not in after.joins))
        if grown > size:
            at += grown
            grown = 0
            places.append(at)
    return [place for place in places if place < len(text)]


def _with_heads(text: str, places: list[int]) -> list[Cut]:
    """Give a part that begins inside a table the head of that table."""
    cuts, block, searched = [], 0, 0
    for place in places:
        found = text.rfind("\n\n", max(block, searched - 1), place)  # a paragraph of megabytes is gone through once
        block, searched = found + 2 if found >= 0 else block, place
        cuts.append(Cut(place, _table_around(text, block, place)))
    return cuts


def _table_around(text: str, block: int, place: int) -> Continuation:
    if block >= place or text[place - 1] != "\n" or "|" not in text[place : place + 512]:
        return START
    near = min(place, block + PART + 1)
    first = text.find("\n", block, near)
    second = text.find("\n", first + 1, near)
    if first < 0 or second < 0:
        return START
    lines = text[block:second].split("\n")
    if "|" not in lines[0] or not _DELIMITERS.match(lines[1]):
        return START
    return Continuation(table_head=tuple(lines))
