"""Which folders of the knowledge base a gem reaches through those that the user chose for it."""

from collections.abc import Collection, Iterable

from notochord.services.gems.api import KnowledgeFolder


def reached(chosen: Collection[str], folders: Iterable[KnowledgeFolder]) -> frozenset[str]:
    """Return the chosen folders that are there, with all below them as they lie now (GEMUI-032 to GEMUI-034).

    Folders that lie in a circle, which no knowledge base should hold, are reached only if one of them is chosen.
    """
    parents = {folder.id: folder.parent for folder in folders}
    return frozenset(folder for folder in parents if any(above in chosen for above in _line(folder, parents)))


def _line(folder: str, parents: dict[str, str]) -> list[str]:
    """Return a folder and those that it lies in."""
    line: list[str] = []
    while folder in parents and folder not in line:
        line.append(folder)
        folder = parents[folder]
    return line
