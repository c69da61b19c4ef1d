"""Turns text that a stranger wrote into one harmless line before it enters a prompt."""

import re
import unicodedata

_JOINERS = "\u200c\u200d"  # needed inside words of some scripts and inside emoji
_SPACES = re.compile(r"\s+")


def flattened(text: str, limit: int = 0) -> str:
    """Return `text` as one line: no control or direction characters, no line breaks, single spaces.

    With a `limit`, a longer text is cut to that many characters and ends in "…".
    """
    kept = "".join(letter if _harmless(letter) else " " for letter in text)
    line = _SPACES.sub(" ", kept).strip()
    return f"{line[: limit - 1]}…" if limit and len(line) > limit else line


def _harmless(letter: str) -> bool:
    return letter in _JOINERS or unicodedata.category(letter) not in {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
