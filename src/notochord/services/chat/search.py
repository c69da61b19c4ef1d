"""Finds words in titles and messages."""

from collections.abc import Iterator

from sqlalchemy import Connection, select

from notochord.services.chat.api import Found
from notochord.services.chat.codec import decode_parts
from notochord.services.chat.tables import CHATS, ENTRIES
from notochord.services.models.api import Text

BEFORE, AFTER = 14, 100
"""Characters around a find: few before it, so that it stands in view where the end is cut off."""


def find(connection: Connection, words: str, most: int) -> tuple[Found, ...]:
    """Return up to `most` places that hold all of the words, regardless of case; conversations last active first."""
    wanted = [word.casefold() for word in words.split()]
    if not wanted or most < 1:
        return ()
    found: list[Found] = []
    chats = select(CHATS.c.id, CHATS.c.title).where(CHATS.c.deleted == 0, CHATS.c.parent.is_(None))
    for chat in connection.execute(chats.order_by(CHATS.c.changed_at.desc(), CHATS.c.id.desc())).all():
        for entry, text in _texts(connection, chat.id, chat.title):
            if _holds(text, wanted):
                found.append(Found(chat.id, entry, _around(text, wanted[0])))
                if len(found) == most:
                    return tuple(found)
    return tuple(found)


def _texts(connection: Connection, chat: str, title: str) -> Iterator[tuple[str, str]]:
    yield "", title
    rows = select(ENTRIES.c.id, ENTRIES.c.parts).where(ENTRIES.c.chat == chat).order_by(ENTRIES.c.id.desc())
    for row in connection.execute(rows):
        yield row.id, "\n".join(part.text for part in decode_parts(row.parts) if isinstance(part, Text))


def _holds(text: str, wanted: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in wanted)


def _around(text: str, word: str) -> str:
    """Return the words around the first find; folding may change lengths, so the place is only near for some texts."""
    place = max(text.casefold().find(word), 0)
    start, end = max(place - BEFORE, 0), place + len(word) + AFTER
    if start and (gap := text.find(" ", start, place)) >= 0:
        start = gap + 1
    piece = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{piece}{'…' if end < len(text) else ''}"
