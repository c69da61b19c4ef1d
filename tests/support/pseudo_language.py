"""A made-up language: every sentence of the catalogue between ⟦ and ⟧ and 40 % longer."""

from notochord.core.sentences import ENGLISH, Sentences

OPEN, CLOSE = "⟦", "⟧"
LONGER = 0.4
FILLING = "ẋẋẋẋẋẋ "


def pseudo(language: str = ENGLISH) -> Sentences:
    """Return the language's catalogue in the made-up language; views take it for the language itself."""
    texts = Sentences.load(language).texts
    return Sentences(language, {key: stretched(text) for key, text in texts.items()})


def stretched(text: str) -> str:
    """Return the text between marks and longer, its places for parameters untouched."""
    added = max(2, round(len(text) * LONGER))
    filling = (FILLING * (added // len(FILLING) + 1))[:added].strip()
    return f"{OPEN}{text} {filling}{CLOSE}" if len(text) > 12 else f"{OPEN}{text}{filling}{CLOSE}"
