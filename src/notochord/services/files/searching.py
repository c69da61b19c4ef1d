"""Finds files by their names and by text in them; blocks, and stops at its limits."""

from collections.abc import Iterator
from dataclasses import dataclass

from notochord.core.errors import NotochordError
from notochord.core.text_files import decode
from notochord.services.files import content, reading
from notochord.services.files.api import Root
from notochord.services.files.places import Place

MOST_HITS = 50
MOST_FILES = 20_000
MOST_BYTES = 64 * 1_048_576
LARGEST_FILE = 4 * 1_048_576
SHOWN = 200


@dataclass(frozen=True, slots=True)
class Hit:
    """A file whose name matches (`line` 0), or a line of it."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Hits:
    """What was found; `complete` is False when a limit ended the search."""

    hits: tuple[Hit, ...]
    complete: bool


def search(root: Root, path: str, wanted: str) -> Hits:
    """Look for `wanted` in names and texts below a folder, without regard to case; dot entries are left out."""
    hits: list[Hit] = []
    folded, budget = wanted.casefold(), MOST_BYTES
    for seen, (found, place, status) in enumerate(reading.files_below(root, path, with_dots=False), start=1):
        if folded in found.casefold():
            hits.append(Hit(found, 0, ""))
        if status.st_size <= LARGEST_FILE:
            budget -= status.st_size
            hits += [Hit(found, number, line) for number, line in _lines_with(folded, place)]
        if len(hits) >= MOST_HITS or seen >= MOST_FILES or budget <= 0:
            return Hits(tuple(hits[:MOST_HITS]), complete=False)
    return Hits(tuple(hits), complete=True)


def _lines_with(folded: str, place: Place) -> Iterator[tuple[int, str]]:
    try:
        text = decode(b"".join(content.chunks(place))).text
    except (NotochordError, OSError):
        return  # no text, or gone meanwhile
    if folded not in text.casefold():
        return
    for number, line in enumerate(text.splitlines(), start=1):
        at = line.casefold().find(folded)
        if at >= 0:
            yield number, line[max(0, at - SHOWN // 2) :][:SHOWN].strip()
