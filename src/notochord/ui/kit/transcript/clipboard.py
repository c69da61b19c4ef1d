"""Puts what is selected on the clipboard: as text, as HTML and as Markdown."""

from collections.abc import Iterator

from PySide6.QtCore import QMimeData

from notochord.core.surrogates import mended
from notochord.ui.kit.transcript.content import Content
from notochord.ui.kit.transcript.export import Chosen, html, plain
from notochord.ui.kit.transcript.parts import Item, Part, TextPart
from notochord.ui.kit.transcript.selection import Position, Selection
from notochord.viewmodels.chat.markdown.leaves import Leaf, leaves_of
from notochord.viewmodels.chat.markdown.splitter import Splitter

MOST_RENDERED = 256 * 1024
"""Characters of source up to which a selection is rendered; a longer one is copied as its Markdown."""
MARKDOWN = "text/markdown"


def selected_data(content: Content, selection: Selection) -> QMimeData | None:
    """Return what to put on the clipboard; None if nothing is selected."""
    if selection.empty:
        return None
    data = QMimeData()
    data.setData(MARKDOWN, markdown_of(content, selection).encode("utf-8", "replace"))
    if _size(content, selection) > MOST_RENDERED:
        data.setText(markdown_of(content, selection))
        return data
    groups = list(_chosen(content, selection))
    data.setText("\n\n".join(text for group in groups if (text := plain(group))))
    data.setHtml("\n".join(html(group) for group in groups))
    return data


def message_data(item: Item, content: Content) -> QMimeData:
    """Return a whole message for the clipboard."""
    data, text = QMimeData(), item.text
    data.setData(MARKDOWN, text.encode("utf-8", "replace"))
    if len(text) > MOST_RENDERED:
        data.setText(text)
        return data
    splitter = Splitter(content.parser, keeps_lines=item.keeps_lines)
    splitter.feed(mended(text))
    splitter.finish()
    chosen = [(leaf, 0, len(leaf.text)) for segment in splitter.segments for leaf in leaves_of(splitter, segment)]
    data.setText(plain(chosen))
    data.setHtml(html(chosen))
    return data


def markdown_of(content: Content, selection: Selection) -> str:
    """The source of what is selected; the plain text where a block is selected in part."""
    out: list[str] = []
    for part in _parts(content, selection):
        if not isinstance(part, TextPart):
            out.append(mended(part.entry.text))
        elif _covered(part, selection):
            out.append(mended(part.item.text) if len(part.item.parts) == 1 else _source(part))
        else:
            out.append(_partial(content, part, selection))
    return "\n\n".join(text.strip("\n") for text in out if text.strip())


def part_leaves(content: Content, part: TextPart) -> list[list[Leaf]]:
    """The blocks of a part by row, without laying anything out."""
    if part.rows is not None and part.splitter is not None:
        return [row.leaves(part.splitter) for row in part.rows]
    splitter = part.parsed(content.parser)
    return [leaves_of(splitter, segment) for segment in splitter.segments]


def _parts(content: Content, selection: Selection) -> Iterator[Part]:
    first, last = selection.bounds()
    for index in range(first.part, min(last.part + 1, content.count)):
        yield content.part(index)


def _covered(part: TextPart, selection: Selection) -> bool:
    first, last = selection.bounds()
    before = first.part < part.index or first == Position(part.index, 0, 0, 0)
    return before and last.part > part.index


def _source(part: TextPart) -> str:
    if part.live:
        return "".join(row.segment.source() for row in part.rows or ())
    return mended(part.source)


def _size(content: Content, selection: Selection) -> int:
    return sum(len(_source(part)) for part in _parts(content, selection) if isinstance(part, TextPart))


def _chosen(content: Content, selection: Selection) -> Iterator[list[Chosen]]:
    """What is selected, message by message."""
    item: Item | None = None
    group: list[Chosen] = []
    for part in _parts(content, selection):
        if part.item is not item and group:
            yield group
            group = []
        item = part.item
        if isinstance(part, TextPart):
            group += [] if part.hidden else _chosen_in(content, part, selection)
        elif part.entry.text:
            from_card = Leaf.of_text(part.entry.text)
            group.append((from_card, 0, len(part.entry.text)))
    if group:
        yield group


def _chosen_in(content: Content, part: TextPart, selection: Selection) -> list[Chosen]:
    chosen: list[Chosen] = []
    for r, leaves in enumerate(part_leaves(content, part)):
        for k, leaf in enumerate(leaves):
            within = selection.within(part.index, r, k, len(leaf.text))
            if within is not None and (within[0] < within[1] or not leaf.text):
                chosen.append((leaf, *within))
    return chosen


def _partial(content: Content, part: TextPart, selection: Selection) -> str:
    out = []
    rows = part_leaves(content, part)
    sources = [row.segment.source() for row in part.rows] if part.rows is not None else None
    for r, leaves in enumerate(rows):
        found = [(leaf, selection.within(part.index, r, k, len(leaf.text))) for k, leaf in enumerate(leaves)]
        if sources is not None and found and all(w == (0, len(leaf.text)) for leaf, w in found):
            out.append(sources[r].strip("\n"))
        else:
            out.append(plain([(leaf, *within) for leaf, within in found if within and within[0] < within[1]]))
    return "\n\n".join(text for text in out if text)
