"""Writes blocks as plain text and as HTML, whole or from one character to another."""

from collections.abc import Iterable
from html import escape

from notochord.viewmodels.chat.markdown.leaves import BOLD, CODE, FORMULA, ITALIC, LINK, STRIKE, Kind, Leaf, Line, Span

Chosen = tuple[Leaf, int, int]
"""A block and which of its characters are meant."""

_TAGS = ((BOLD, "b"), (ITALIC, "i"), (STRIKE, "s"), (CODE | FORMULA, "code"))


def plain(chosen: Iterable[Chosen]) -> str:
    """Blocks as text: an empty line between blocks, none between the items of a list."""
    out: list[str] = []
    before: Leaf | None = None
    for leaf, start, end in chosen:
        text = leaf.text[start:end].replace("\u2028", "\n")
        if leaf.kind is Kind.RULE:
            text = "---"
        marker = f"{'  ' * (leaf.depth - 1)}{leaf.marker} " if leaf.marker and start == 0 else ""
        if before is not None:
            out.append("\n" if leaf.marker and before.depth else "\n\n")
        out.append(marker + text)
        before = leaf
    return "".join(out)


def html(chosen: Iterable[Chosen]) -> str:
    """Blocks as HTML that holds nothing but their text, marks and links."""
    return "\n".join(_block(leaf, start, end) for leaf, start, end in chosen)


def _block(leaf: Leaf, start: int, end: int) -> str:
    match leaf.kind:
        case Kind.RULE:
            return "<hr>"
        case Kind.CODE | Kind.FORMULA:
            return f"<pre><code>{escape(leaf.text[start:end])}</code></pre>"
        case Kind.TABLE:
            return _table(leaf, start, end)
        case Kind.HEADING:
            return f"<h{leaf.level}>{_inline(leaf.line, start, end)}</h{leaf.level}>"
        case Kind.IMAGE | Kind.TEXT:
            inside = _inline(leaf.line, start, end)
            if leaf.marker and start == 0:
                inside = f"{escape(leaf.marker)} {inside}"
            body = f'<p style="margin-left:{leaf.depth * 1.5}em">{inside}</p>' if leaf.depth else f"<p>{inside}</p>"
            return "<blockquote>" * leaf.quotes + body + "</blockquote>" * leaf.quotes


def _table(leaf: Leaf, start: int, end: int) -> str:
    rows, at = [], 0
    for number, row in enumerate(leaf.rows):
        cells = []
        tag = "td" if number or leaf.headless else "th"
        for cell in row:
            a, b = max(start - at, 0), min(end - at, len(cell.text))
            cells.append(f"<{tag}>{_inline(cell, a, b) if a < b else ''}</{tag}>")
            at += len(cell.text) + 1
        if start < at and end > at - sum(len(cell.text) + 1 for cell in row):
            rows.append(f"<tr>{''.join(cells)}</tr>")
    return f"<table>{''.join(rows)}</table>"


def _inline(line: Line, start: int, end: int) -> str:
    out, at = [], start
    for span in line.spans:
        a, b = max(span.start, start), min(span.end, end)
        if a < b:
            out.append(_escaped(line.text[at:a]))
            out.append(_marked(span, line.text[a:b]))
            at = b
    out.append(_escaped(line.text[at:end]) if at < end else "")
    return "".join(out)


def _marked(span: Span, text: str) -> str:
    inside = _escaped(text)
    for flag, tag in _TAGS:
        if span.flags & flag:
            inside = f"<{tag}>{inside}</{tag}>"
    return f'<a href="{escape(span.address)}">{inside}</a>' if span.flags & LINK else inside


def _escaped(text: str) -> str:
    return escape(text).replace("\u2028", "<br>")
