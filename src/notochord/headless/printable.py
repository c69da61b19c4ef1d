"""Text of models, gems and files made harmless for a terminal."""

import unicodedata
from collections.abc import Sequence

_KEPT = "\n\t"
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_NEEDED = frozenset(
    "\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
"""Format characters without which words and emoji of some scripts fall apart, or that can be seen."""


def printable(text: str) -> str:
    """Show control, direction and invisible characters as escapes; line breaks and tabs stay.

    A terminal obeys escape sequences: a model's answer could otherwise rewrite the question that a person is asked, or
    hold a part of its arguments where nobody sees it.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def one_line(text: str, longest: int) -> str:
    """Return the text on one line of at most `longest` characters."""
    flat = printable(" ".join(text.split()))
    return flat if len(flat) <= longest else flat[: longest - 1] + "…"


def columns(rows: Sequence[tuple[str, ...]]) -> str:
    """Set rows of cells in columns, counting wide characters as two; one line for each row."""
    cleaned = [tuple(one_line(cell, 200) for cell in row) for row in rows]
    widths = [max(map(_width, cells)) for cells in zip(*cleaned, strict=True)]
    lines = [
        "  ".join(cell + " " * (width - _width(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in cleaned
    ]
    return "\n".join(lines)


def _shown(character: str) -> str:
    if character in _KEPT or character in _NEEDED or unicodedata.category(character) not in _UNSEEN:
        return character
    return f"\\u{ord(character):04x}" if character <= "\uffff" else f"\\U{ord(character):08x}"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
