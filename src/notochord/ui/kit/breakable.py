"""Lets words wrap that are longer than any line."""

LONGEST_WORD = 32
"""Letters of a word that fit in any width; a label is never narrower than its longest word."""


def breakable(text: str) -> str:
    """Return the text with places in its very long words where a line may break; they are not seen."""
    return " ".join(_parted(word) if len(word) > LONGEST_WORD else word for word in text.split(" "))


def _parted(word: str) -> str:
    return "\u200b".join(word[at : at + LONGEST_WORD] for at in range(0, len(word), LONGEST_WORD))
