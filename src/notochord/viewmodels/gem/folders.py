"""The folders of the knowledge base as a gem's page offers them: each below the one that it lies in."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from notochord.core.flat_text import flattened
from notochord.services.gems.api import KnowledgeFolder
from notochord.viewmodels.gem.lengths import NAME


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder; `included` tells that one above it is chosen, which decides for it (GEMUI-032)."""

    id: str
    name: str
    depth: int
    chosen: bool
    included: bool


def folder_rows(folders: Sequence[KnowledgeFolder], chosen: Collection[str]) -> tuple[FolderRow, ...]:
    """Return the rows of a choice, from the top down, by name. Folders in a circle are left out."""
    below: dict[str, list[KnowledgeFolder]] = {}
    there = {folder.id for folder in folders}
    for folder in sorted(folders, key=lambda one: (one.name.casefold(), one.id)):
        below.setdefault(folder.parent if folder.parent in there else "", []).append(folder)

    def rows(parent: str, depth: int, included: bool) -> Iterator[FolderRow]:
        for folder in below.get(parent, ()):
            row = FolderRow(folder.id, flattened(folder.name, NAME), depth, folder.id in chosen, included)
            yield row
            yield from rows(folder.id, depth + 1, included or row.chosen)

    return tuple(rows("", 0, False))
