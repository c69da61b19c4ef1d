"""Turns the tokens of one segment into flat blocks, each with its place in lists and quotes, ready to be laid out."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from markdown_it.token import Token

from notochord.viewmodels.chat.markdown.emphasis import is_wide_script
from notochord.viewmodels.chat.markdown.grammar import MAX_NESTING
from notochord.viewmodels.chat.markdown.links import bare_links, link_to
from notochord.viewmodels.chat.markdown.segments import Segment
from notochord.viewmodels.chat.markdown.splitter import Splitter

BOLD: Final = 1
ITALIC: Final = 2
CODE: Final = 4
STRIKE: Final = 8
LINK: Final = 16
IMAGE: Final = 32
FORMULA: Final = 64

BULLETS = "•◦▪"
TASKS: Final = {"[ ] ": "☐", "[x] ": "☑"}
TASK: Final = 4
PICTURE = "▣ "
"""Stands before what a picture shows, where the picture itself has no place."""


class Kind(Enum):
    """What a block is."""

    TEXT = "text"
    HEADING = "heading"
    CODE = "code"
    TABLE = "table"
    RULE = "rule"
    IMAGE = "image"
    FORMULA = "formula"


@dataclass(frozen=True, slots=True)
class Span:
    """How some characters look, and where they lead if they are a link or a picture."""

    start: int
    length: int
    flags: int
    address: str = ""

    @property
    def end(self) -> int:
        return self.start + self.length


@dataclass(frozen=True, slots=True)
class Line:
    """Text with its spans, in order and apart from each other."""

    text: str = ""
    spans: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """One block without children. A list item or a quote is a paragraph with a `depth`, a `marker`, `quotes`."""

    kind: Kind
    line: Line = Line()
    level: int = 0
    """Of a heading, 1 to 6."""
    quotes: int = 0
    depth: int = 0
    marker: str = ""
    """Only on the first block of an item."""
    language: str = ""
    address: str = ""
    """Of a picture."""
    rows: tuple[tuple[Line, ...], ...] = ()
    """Of a table, the head first."""
    headless: bool = False
    """The table goes on with one above and has no head of its own."""
    sides: tuple[str, ...] = ()
    """Of a table's columns: "left", "right", "center" or ""."""

    @classmethod
    def of_text(cls, text: str) -> "Leaf":
        """A paragraph without any marks."""
        return cls(Kind.TEXT, Line(text))

    @property
    def text(self) -> str:
        """What is copied, found and read out; the cells of a table with tabs between them."""
        if self.kind is Kind.TABLE:
            return "\n".join("\t".join(cell.text for cell in row) for row in self.rows)
        return self.line.text


def leaves_of(splitter: Splitter, segment: Segment) -> list[Leaf]:
    """Read one segment of a splitter. A code block that stands alone needs no parser, however long it grows."""
    if segment.fence is not None:
        return [Leaf(Kind.CODE, Line(segment.code(splitter.partial)), language=segment.fence.language)]
    tokens = splitter.tokens(segment)
    if any(token.level >= MAX_NESTING - 2 for token in tokens):
        return [Leaf(Kind.TEXT, Line(segment.text()))]
    return _Reader(segment, keeps_lines=splitter.keeps_lines).read(tokens)


class _Reader:
    """Walks over the tokens of a segment once."""

    def __init__(self, segment: Segment, *, keeps_lines: bool) -> None:
        self._line_end = "\u2028" if keeps_lines else " "
        self._first_number = segment.goes_on.first_number
        self._headless = bool(segment.goes_on.table_head)
        self._leaves: list[Leaf] = []
        self._quotes = 0
        self._lists: list[int | None] = []
        self._marker = ""

    def read(self, tokens: Sequence[Token]) -> list[Leaf]:
        at = 0
        while at < len(tokens):
            at += self._block(tokens, at)
        return self._leaves

    def _block(self, tokens: Sequence[Token], at: int) -> int:
        """Take what begins here and return how many tokens it was."""
        token = tokens[at]
        match token.type:
            case "paragraph_open" | "heading_open":
                self._paragraph(tokens[at + 1], int(token.tag[1]) if token.type == "heading_open" else 0)
                return 3
            case "fence" | "code_block":
                text = token.content.removesuffix("\n")
                self._put(Leaf(Kind.CODE, Line(text), language=token.info.split(" ", 1)[0]))
            case "hr":
                self._put(Leaf(Kind.RULE))
            case "formula_block":
                self._put(Leaf(Kind.FORMULA, Line(token.content)))
            case "table_open":
                return self._table(tokens, at)
            case _:
                self._container(token)
        return 1

    def _container(self, token: Token) -> None:
        match token.type:
            case "blockquote_open":
                self._quotes += 1
            case "blockquote_close":
                self._quotes -= 1
            case "bullet_list_open":
                self._lists.append(None)
                self._first_number = None
            case "ordered_list_open":
                start = token.attrGet("start")
                self._lists.append(int(start or 1) if start != 0 else 0)
                if self._first_number is not None:
                    self._lists[-1], self._first_number = self._first_number, None
            case "bullet_list_close" | "ordered_list_close":
                self._lists.pop()
            case "list_item_open":
                self._item()
            case "list_item_close" if self._marker:
                self._put(Leaf(Kind.TEXT))
            case _:
                pass

    def _item(self) -> None:
        number = self._lists[-1]
        if number is None:
            self._marker = BULLETS[(len(self._lists) - 1) % len(BULLETS)]
        else:
            self._marker = f"{number}."
            self._lists[-1] = number + 1

    def _put(self, leaf: Leaf) -> None:
        self._leaves.append(
            Leaf(
                leaf.kind,
                leaf.line,
                level=leaf.level,
                quotes=self._quotes,
                depth=len(self._lists),
                marker=self._marker,
                language=leaf.language,
                address=leaf.address,
                rows=leaf.rows,
                headless=leaf.headless,
                sides=leaf.sides,
            )
        )
        self._marker = ""

    def _paragraph(self, inline: Token, level: int) -> None:
        kind = Kind.HEADING if level else Kind.TEXT
        for found in _lines(inline.children or (), self._line_end, apart=not level):
            if isinstance(found, Token):
                self._put(Leaf(Kind.IMAGE, Line(found.content), address=_address(found)))
            else:
                self._put(Leaf(kind, found if level else self._task(found), level=level))

    def _task(self, line: Line) -> Line:
        """Let a box stand for the mark of a task at the beginning of an item, as "[ ] " or "[x] "."""
        box = TASKS.get(line.text[:TASK].lower()) if self._marker in BULLETS and self._marker else None
        if box is None or any(span.start < TASK for span in line.spans):
            return line
        self._marker = box
        return Line(line.text[TASK:], tuple(replace(span, start=span.start - TASK) for span in line.spans))

    def _table(self, tokens: Sequence[Token], at: int) -> int:
        rows: list[tuple[Line, ...]] = []
        row: list[Line] = []
        sides: list[str] = []
        start = at
        while tokens[at].type != "table_close":
            token = tokens[at]
            if token.type == "th_open":
                sides.append(str(token.attrGet("style") or "").removeprefix("text-align:"))
            elif token.type == "inline":
                lines = _lines(token.children or (), self._line_end, apart=False)
                row.extend(line for line in lines if isinstance(line, Line))
            elif token.type == "tr_close":
                rows.append(tuple(row))
                row = []
            at += 1
        if self._headless:
            rows, self._headless = rows[1:], False
            headless = True
        else:
            headless = False
        if rows:
            self._put(Leaf(Kind.TABLE, rows=tuple(rows), sides=tuple(sides), headless=headless))
        return at - start + 1


def _address(token: Token) -> str:
    return str(token.attrGet("src") or "")


def _lines(tokens: Iterable[Token], line_end: str, *, apart: bool) -> list[Line | Token]:
    """Read inline tokens: one line, or with pictures set `apart` the lines between them and their tokens."""
    writer = _Writer(line_end)
    found: list[Line | Token] = []
    for token in tokens:
        if apart and token.type == "image" and not writer.link:
            if writer.text.strip():
                found.append(writer.line())
            found.append(token)
            writer.restart()
        else:
            writer.take(token)
    if writer.text.strip() or not found:
        found.append(writer.line())
    return found


_OPENING = {"strong_open": BOLD, "em_open": ITALIC, "s_open": STRIKE}


class _Writer:
    """Collects text and its spans; `line_end` stands where a line of a paragraph ended."""

    def __init__(self, line_end: str) -> None:
        self._line_end = line_end
        self._flags = 0
        self.link = ""
        self._outer: list[tuple[int, str]] = []
        self.restart()

    def restart(self) -> None:
        self._pieces: list[str] = []
        self._spans: list[Span] = []
        self._length = 0
        self._broken = False

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def line(self) -> Line:
        return Line(self.text, tuple(self._spans))

    def take(self, token: Token) -> None:
        match token.type:
            case "text":
                self._plain(token.content)
            case "code_inline":
                self._write(token.content, CODE)
            case "formula_inline":
                self._write(token.content, FORMULA)
            case "softbreak":
                self._broken = True
            case "hardbreak":
                self._write("\u2028")
            case "image":
                self._write(PICTURE + (token.content or _address(token)), IMAGE, _address(token))
            case "link_open":
                self._outer.append((self._flags, self.link))
                address = str(token.attrGet("href") or "")
                if link_to(address) is not None:
                    self._flags, self.link = self._flags | LINK, address
            case "strong_open" | "em_open" | "s_open":
                self._outer.append((self._flags, self.link))
                self._flags |= _OPENING[token.type]
            case _ if token.type.endswith("_close") and self._outer:
                self._flags, self.link = self._outer.pop()
            case _:
                self._write(token.content)

    def _plain(self, text: str) -> None:
        """Write text, with the addresses in it as links."""
        at = 0
        if not self.link:
            for start, end in bare_links(text):
                self._write(text[at:start])
                self._write(text[start:end], LINK, text[start:end])
                at = end
        self._write(text[at:])

    def _write(self, text: str, extra: int = 0, address: str = "") -> None:
        if not text:
            return
        if self._broken:
            self._broken = False
            if self._line_end != " ":
                self._write(self._line_end if self._pieces else "")
            elif not (is_wide_script(text[0]) and self._pieces and is_wide_script(self._pieces[-1][-1])):
                self._write(" ")  # scripts without spaces have none at the end of a line either
        self._pieces.append(text)
        flags, address = self._flags | extra, address or self.link
        if flags:
            last = self._spans[-1] if self._spans else None
            if last and last.end == self._length and (last.flags, last.address) == (flags, address):
                self._spans[-1] = Span(last.start, last.length + len(text), flags, address)
            else:
                self._spans.append(Span(self._length, len(text), flags, address))
        self._length += len(text)
