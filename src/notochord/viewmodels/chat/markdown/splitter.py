"""Cuts a growing Markdown text into segments, so that a chunk costs the parse of the last segment and no more.

With HTML off nothing but a fence survives an empty line in column 0. A segment ends

- before and after a fence in column 0 (or in columns 1 to 3 while no list is open);
- before and after a heading in column 0;
- at an empty line before a line in column 0, unless a list is open and that line begins with a list marker.

Only complete lines decide. A fence indented by 1 to 3 while a list is open is in doubt, as it may belong to the item:
then the parser is asked, at growing distances. Lists and tables without end are cut between items and rows.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from notochord.viewmodels.chat.markdown.fences import FenceReader, Line, fence_head
from notochord.viewmodels.chat.markdown.grammar import copy_env, new_env
from notochord.viewmodels.chat.markdown.segments import START, Continuation, Segment

ENDLESS = 4096
"""An open list or table longer than this, in characters, is cut inside."""
LONG_LINE = 16384
"""A line longer than this is cut at white space; there the look may differ, never the text."""

_HEADING = re.compile(r"#{1,6}(?:[ \t]|$)")
_ITEM = re.compile(r"\s*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
_DEFINITION = re.compile(r"(?m)^[ \t>*+\-\d.)]*\[(?:[^\[\]\\]|\\.)+\]:")
_HALF_A_MARK = re.compile(r"(?<=[^\s\\*_])[*_]\Z")
"""A mark at the end of what has come, which may be the first of two: read alone it would set the text in italics."""
_LABEL = re.compile(r"\[((?:[^\[\]\\]|\\.)+)\]")


def has_definition(text: str, start: int = 0, end: int | None = None) -> bool:
    """Tell whether a text may define a link."""
    return _DEFINITION.search(text, start, len(text) if end is None else end) is not None


class Splitter:
    """Takes text in any pieces. `segments` grows; only the last is open, and a closed one never changes.

    With `keeps_lines` a reader sees the lines as they were written: people mean the line breaks that they type.
    """

    def __init__(self, parser: MarkdownIt, *, goes_on: Continuation = START, keeps_lines: bool = False) -> None:
        self._parser = parser
        self.keeps_lines = keeps_lines
        self.env = new_env()
        self.segments: list[Segment] = []
        self.partial = ""
        self._after_return = False
        self._mid_line = False
        self._open(goes_on)

    def feed(self, chunk: str) -> None:
        """Take the next piece of the text."""
        if self._after_return and chunk.startswith("\n"):
            chunk = chunk[1:]
        self._after_return = chunk.endswith("\r")
        if "\r" in chunk:
            chunk = chunk.replace("\r\n", "\n").replace("\r", "\n")
        if "\n" in chunk:
            lines = (self.partial + chunk).split("\n")
            self.partial = lines.pop()
            for line in lines:
                self._line(self._shortened(line) if len(line) > LONG_LINE else line)
        else:
            self.partial += chunk
        if len(self.partial) > LONG_LINE:
            self.partial = self._shortened(self.partial)
        self.segments[-1].version += 1

    def finish(self) -> None:
        """Take the last line, which has no end, and close the last segment."""
        if self.partial:
            line, self.partial = self.partial, ""
            self._line(line)
        if self._fence is not None and self._fence.ended:
            self.segments[-1].fence_closed = True
        self._close()
        if not self.segments[-1].lines and len(self.segments) > 1:
            self.segments.pop()

    def tokens(self, segment: Segment) -> list[Token]:
        """Parse one of the segments."""
        text = segment.text()
        if not segment.closed and (arriving := _HALF_A_MARK.sub("", self.partial)):
            text += ("\n" if text else "") + arriving
        return self._parser.parse(text + "\n", self.env if segment.closed else copy_env(self.env))

    # The state of the open segment.

    def _open(self, goes_on: Continuation = START) -> None:
        self.segments.append(Segment(goes_on=goes_on))
        self._fence: FenceReader | None = None
        self._doubt = False
        self._in_list = False
        self._blank = False
        self._size = 0
        self._probe_at = ENDLESS
        self._ask_at = 0

    def _close(self, goes_on: Continuation = START) -> Segment:
        """Close the open segment, if it holds anything, and return the one that is open now."""
        segment = self.segments[-1]
        if segment.lines:
            segment.closed = True
            segment.version += 1
            if segment.fence is None:
                self._note_links(segment)
            self._open(goes_on)
        return self.segments[-1]

    def _note_links(self, segment: Segment) -> None:
        text = segment.text()
        if "[" not in text:
            return
        segment.labels = frozenset(" ".join(label.split()).casefold() for label in _LABEL.findall(text))
        if not has_definition(text):
            return
        before = set(self.env["references"])
        self._parser.block.parse(text + "\n", self._parser, self.env, [])
        new = {label.casefold() for label in set(self.env["references"]) - before}
        for earlier in self.segments[:-1]:
            if new & earlier.labels:
                earlier.version += 1

    def _shortened(self, line: str) -> str:
        """Take all of a long line but its end, which is returned and goes on with the line taken last."""
        at = 0
        while len(line) - at > LONG_LINE:
            cut = line.rfind(" ", at + LONG_LINE // 2, at + LONG_LINE) + 1 or at + LONG_LINE
            self._put(line[at:cut])
            if self._fence is None:
                self._close()
            self._mid_line = True
            at = cut
        return line[at:]

    def _put(self, line: str) -> None:
        segment = self.segments[-1]
        if self._mid_line:
            segment.joins.add(len(segment.lines))
            self._mid_line = False
        segment.lines.append(line)

    def _line(self, line: str) -> None:
        if self._fence is not None and self._line_of_fence(line, self._fence):
            return
        first = line[:1]
        if first.isalpha() and not self._doubt:  # the common line of prose needs no more than this
            if self._blank:
                self._close()
            self._put(line)
            self._size += len(line) + 1
            return
        columns, characters = indent_of(line)
        if characters == len(line):
            self._empty_line(line)
            return
        item = _ITEM.match(line) is not None
        if self._doubt and self._line_in_doubt(line, columns, item=item):
            return
        self._other_line(line, columns, line[characters:], item=item)

    def _empty_line(self, line: str) -> None:
        segment = self.segments[-1]
        if segment.lines or self._mid_line:
            self._put(line)
            self._blank = True
        else:
            segment.leading += line + "\n"

    def _line_of_fence(self, line: str, fence: FenceReader) -> bool:
        """Take a line while a fence is open; False if the fence had ended before it."""
        segment = self.segments[-1]
        columns, characters = indent_of(line)
        said = fence.read(line[characters:] if columns < 4 else "", blank=characters == len(line))
        if said is not Line.AFTER:
            self._put(line)
        if said is not Line.INSIDE:
            segment.fence_closed = True
            self._close()
        return said is not Line.AFTER

    def _line_in_doubt(self, line: str, columns: int, *, item: bool) -> bool:
        """Take a line while it is not known whether a fence is open; False once it is known that none is."""
        segment = self.segments[-1]
        if self._blank and columns == 0 and len(segment.lines) >= self._ask_at and self._settled():
            self._doubt = False
            return False
        self._put(line)
        self._in_list |= item
        self._blank = False
        return True

    def _other_line(self, line: str, columns: int, body: str, *, item: bool) -> None:
        head = fence_head(body) if columns < 4 else None
        if head is not None:
            if "|" not in line and (columns == 0 or not self._in_list):
                segment = self._close()
                self._put(line)
                segment.fence, segment.fence_indent = head, columns
                self._fence = FenceReader(head)
                return
            self._doubt = True
            self._ask_at = len(self.segments[-1].lines) + 8
        elif columns == 0 and _HEADING.match(body):
            self._close()
            if "|" not in line:  # the parser takes "# a | b" over a delimiter row as a table
                self._put(line)
                self._close()
                return
        elif self._blank and columns == 0 and not (self._in_list and item):
            self._close()
        self._put(line)
        self._blank = False
        self._size += len(line) + 1
        self._in_list |= item
        if self._size > self._probe_at:
            self._cut_inside()

    def _settled(self) -> bool:
        """Ask the parser whether every fence is closed by now."""
        segment = self.segments[-1]
        self._ask_at = len(segment.lines) * 5 // 4
        last = self._blocks(segment)[-1]
        return last.type != "fence" or last.level > 0 or bool(last.meta["closed"])

    def _blocks(self, segment: Segment) -> list[Token]:
        tokens: list[Token] = []
        self._parser.block.parse(segment.text() + "\n", self._parser, copy_env(self.env), tokens)
        return tokens

    def _cut_inside(self) -> None:
        """Close all but the last item of a list, or the last row of a table, that goes on and on."""
        segment = self.segments[-1]
        self._probe_at = self._size + ENDLESS
        tokens = self._blocks(segment)
        tops = [token for token in tokens if token.level == 0 and token.map]
        last = tops[-1] if tops else None
        if last is None or last.map is None:
            return
        before = len(segment.goes_on.table_head)
        if last.type in ("bullet_list_open", "ordered_list_open"):
            self._cut_list(segment, last, tokens, before)
        elif last.type == "table_open" and last.map[1] >= len(segment.lines) + before - 1:
            self._cut_table(segment, last.map[0] - before)

    def _cut_list(self, segment: Segment, last: Token, tokens: list[Token], before: int) -> None:
        begin = last.map[0] if last.map else 0
        items = [
            t.map[0] for t in tokens if t.type == "list_item_open" and t.level == 1 and t.map and t.map[0] >= begin
        ]
        if len(items) < 2:
            return
        number = None
        if last.type == "ordered_list_open":
            given = segment.goes_on.first_number
            number = (int(last.attrGet("start") or 1) if given is None else given) + len(items) - 1
        self._cut_at(segment, items[-1] - before, Continuation(first_number=number))
        self._in_list = True

    def _cut_table(self, segment: Segment, head: int) -> None:
        if len(segment.lines) - head >= 4:
            lines = segment.goes_on.table_head or tuple(segment.lines[head : head + 2])
            self._cut_at(segment, len(segment.lines) - 1, Continuation(table_head=lines))

    def _cut_at(self, segment: Segment, at: int, goes_on: Continuation) -> None:
        rest, joins = segment.lines[at:], {line - at for line in segment.joins if line >= at}
        del segment.lines[at:]
        segment.joins = {line for line in segment.joins if line < at}
        following = self._close(goes_on)
        following.lines, following.joins = rest, joins
        self._size = sum(map(len, rest))
        self._probe_at = self._size + ENDLESS


def indent_of(line: str) -> tuple[int, int]:
    """Columns and characters of leading white space; a tab goes to the next multiple of four."""
    columns = 0
    for characters, letter in enumerate(line):
        if letter == " ":
            columns += 1
        elif letter == "\t":
            columns += 4 - columns % 4
        else:
            return columns, characters
    return columns, len(line)
