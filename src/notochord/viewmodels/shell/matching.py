"""How well a text answers to what somebody typed: parts of Chinese texts, and letters in their order of Latin ones."""

from dataclasses import dataclass
from itertools import pairwise

WHOLE = 1000
AT_START = 120
AT_WORD = 80
INSIDE = 50


@dataclass(frozen=True, slots=True)
class Match:
    """`score` is higher for better ones; `places` are the positions of the letters that were found."""

    score: int
    places: tuple[int, ...]


def match(words: str, text: str) -> Match | None:
    """Return how `text` answers to all of `words`, regardless of case; None if one of them is not in it.

    A word is found as it stands; one of Latin letters and digits also if its letters come in this order.
    """
    folded = _folded(text)
    score, places = 0, set[int]()
    for word in _folded(words).split():
        found = _as_it_stands(word, folded) or _in_order(word, folded)
        if found is None:
            return None
        score += found.score
        places.update(found.places)
    if folded.strip() == _folded(words).strip():
        score += WHOLE
    return Match(score - min(len(text), 40) // 4, tuple(sorted(places)))


def _folded(text: str) -> str:
    """Return the text without case, each character in its place."""
    return "".join(low if len(low := letter.casefold()) == 1 else letter for letter in text)


def _as_it_stands(word: str, text: str) -> Match | None:
    starts = [at for at in range(len(text)) if text.startswith(word, at)]
    if not starts:
        return None
    best = next((at for at in starts if _begins_word(text, at)), starts[0])
    bonus = AT_START if best == 0 else AT_WORD if _begins_word(text, best) else INSIDE
    return Match(bonus + 10 * len(word), tuple(range(best, best + len(word))))


def _in_order(word: str, text: str) -> Match | None:
    """Find the letters one after another, each as near to the one before as it comes."""
    if not (word.isascii() and len(word) > 1):
        return None
    places: list[int] = []
    for letter in word:
        after = places[-1] + 1 if places else 0
        at = _next_place(letter, text, after)
        if at < 0:
            return None
        places.append(at)
    begun = sum(_begins_word(text, at) for at in places)
    joined = sum(later == earlier + 1 for earlier, later in pairwise(places))
    if begun + joined < len(word) / 2:
        return None
    return Match(6 * begun + 4 * joined - (places[-1] - places[0]) // 4, tuple(places))


def _next_place(letter: str, text: str, after: int) -> int:
    """Return the next letter itself, else where a word begins with it, else where it comes at all; -1 for nowhere."""
    if text.startswith(letter, after):
        return after
    at = text.find(letter, after)
    while at >= 0 and not _begins_word(text, at):
        at = text.find(letter, at + 1)
    return at if at >= 0 else text.find(letter, after)


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()
