"""Turns text that a stranger wrote into one harmless line before it enters a prompt."""

import unicodedata

_BREAKS = frozenset({"Cc", "Zl", "Zp", "Zs"})
_UNSEEN = frozenset({"Cf", "Cs", "Co", "Cn"})
_JOINERS = frozenset("\u200c\u200d")  # scripts and emoji need them


def flattened(text: str, limit: int = 0) -> str:
    """Return `text` as one line: no control, direction or invisible characters, no line breaks, single spaces.

    With a `limit`, a longer text is cut to that many characters and ends in "…"; what lies beyond is not even read.
    """
    read = text[: 4 * limit] if limit else text
    plain = read.isprintable() and "  " not in read
    line = read.strip() if plain else " ".join(read.translate(_SHOWN).split())
    cut = limit and (len(line) > limit or len(read) < len(text))
    return f"{line[: limit - 1]}…" if cut else line


class _Shown(dict[int, str]):
    """What stands for each character; found out once for each, as prompts are flattened at every step."""

    def __missing__(self, code: int) -> str:
        letter = chr(code)
        category = unicodedata.category(letter)
        if category in _BREAKS:
            letter = " "
        elif category in _UNSEEN and letter not in _JOINERS:
            letter = ""
        self[code] = letter
        return letter


_SHOWN = _Shown()
