"""Text of models, gems and files made harmless for a terminal."""

import unicodedata
from collections.abc import Sequence

_KEPT = "\n\t"
_DIRECTION = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def printable(text: str) -> str:
    """Show control characters and those that turn the reading direction as escapes; line breaks and tabs stay.

    A terminal obeys escape sequences: a model's answer could otherwise rewrite the question that a person is asked.
    """
    if text.isprintable():
        return text if _DIRECTION.isdisjoint(text) else "".join(map(_shown, text))
    return "".join(map(_shown, text))


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
    category = unicodedata.category(character)
    if character in _KEPT or (category not in ("Cc", "Cs", "Zl", "Zp") and character not in _DIRECTION):
        return character
    return f"\\u{ord(character):04x}"


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
