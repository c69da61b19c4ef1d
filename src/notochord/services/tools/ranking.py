"""Finds tools by keywords: whole words first, then parts of words, in every script."""

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from notochord.services.tools.api import ToolDefinition

SHORTEST_PART = 3
NAME, KEYWORDS, DESCRIPTION = 4.0, 3.0, 1.0
PART = 0.5
MAX_WORDS = 64

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\U00020000-\U0003ffff]+"
)


@dataclass(frozen=True, slots=True)
class _Field:
    weight: float
    text: str
    words: frozenset[str]


def rank(query: str, definitions: Iterable[ToolDefinition]) -> list[ToolDefinition]:
    """Return the definitions that share a keyword with `query`, best first, then by name.

    A keyword counts the more, the fewer definitions have it. Scripts without spaces are matched by substrings:
    a run as a whole, else its pairs of characters.
    """
    words = _keywords(query)
    candidates = [(definition, _fields(definition)) for definition in definitions]
    hits = [{word: hit for word in words if (hit := _best(word, fields))} for _, fields in candidates]
    rarity = {word: math.log(1 + len(candidates) / max(1, sum(word in hit for hit in hits))) for word in words}
    scored = [
        (sum(hit * rarity[word] for word, hit in found.items()), definition)
        for found, (definition, _) in zip(hits, candidates, strict=True)
        if found
    ]
    return [definition for _, definition in sorted(scored, key=lambda item: (-item[0], item[1].name))]


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _keywords(query: str) -> list[str]:
    found: dict[str, None] = {}
    for word in _WORD.findall(_fold(query)[:2_000]):
        rest = _UNSPACED.sub(" ", word)
        found.update(dict.fromkeys(rest.split()))
        for run in _UNSPACED.findall(word):
            found[run] = None
            found.update(dict.fromkeys(run[at : at + 2] for at in range(len(run) - 1)))
    return list(found)[:MAX_WORDS]


def _fields(definition: ToolDefinition) -> tuple[_Field, ...]:
    texts = (
        (NAME, definition.name),
        (KEYWORDS, " ".join(definition.keywords)),
        (DESCRIPTION, definition.description),
    )
    folded = ((weight, _fold(text)) for weight, text in texts)
    return tuple(
        _Field(weight, text, frozenset(map(_stem, _WORD.findall(_UNSPACED.sub(" ", text))))) for weight, text in folded
    )


def _best(word: str, fields: tuple[_Field, ...]) -> float:
    return max(field.weight * _match(word, field) for field in fields)


def _match(word: str, field: _Field) -> float:
    if _stem(word) in field.words:
        return 1.0
    unspaced = _UNSPACED.fullmatch(word)
    if (unspaced or len(word) >= SHORTEST_PART) and word in field.text:
        return 1.0 if unspaced and len(word) > 1 else PART
    return 0.0


def _stem(word: str) -> str:
    return word[:-1] if len(word) > SHORTEST_PART and word.endswith("s") and not word.endswith("ss") else word
