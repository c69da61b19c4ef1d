"""A gem of the store as the list shows it: in the window's language, in one line each, with nothing unseen in it."""

from dataclasses import dataclass

from notochord.core.flat_text import flattened
from notochord.services.store.api import ListedGem
from notochord.viewmodels.gem.introduction import best_language
from notochord.viewmodels.gem.lengths import NAME, TEXT


@dataclass(frozen=True, slots=True)
class StoreRow:
    """`standing` is a value of `Standing`; `size` are the bytes to download, 0 for a gem that came with the program."""

    id: str
    name: str
    version: str
    description: str
    publisher: str
    standing: str
    installed: str = ""
    size: int = 0
    asks_more: bool = False


def row_of(found: ListedGem, language: str) -> StoreRow:
    """Return how a gem is shown where `language` is spoken."""
    gem = found.dossier.gem
    name, description = texts_of(found, language)
    return StoreRow(
        id=gem.id,
        name=flattened(name, NAME) or gem.id,
        version=flattened(gem.version, NAME),
        description=flattened(description, TEXT),
        publisher=flattened(found.dossier.publisher, NAME),
        standing=found.standing.value,
        installed=flattened(found.installed, NAME),
        size=found.size,
        asks_more=found.asks_more,
    )


def texts_of(found: ListedGem, language: str) -> tuple[str, str]:
    """Return name and description: the list's own in this language, else those that the author signed."""
    gem = found.dossier.gem
    first = language.replace("_", "-").partition("-")[0].lower()
    fitting = [one for one in found.texts if one.partition("-")[0].lower() == first]
    if not fitting:
        return gem.name, gem.description
    return found.texts[best_language(fitting, language.replace("_", "-"))]


def answers(row: StoreRow, words: str) -> bool:
    """Tell whether every word stands somewhere in name, id, description or publisher."""
    text = f"{row.name}\n{row.id}\n{row.description}\n{row.publisher}".casefold()
    return all(word in text for word in words.casefold().split())
