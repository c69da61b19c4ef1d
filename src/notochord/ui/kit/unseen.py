"""Makes seen what a text from outside may hide: control characters, and what shows letters in another order.

No language needs the overrides U+202D and U+202E; "report\\u202efdp.exe" reads as a document with them.
"""

import re

_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f\u202d\u202e\ufff9-\ufffb]")
_TRICKS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufff9-\ufffb]"
)
_SHOWN = {
    "\u202a": "⇢",
    "\u202d": "⇢",
    "\u2066": "⇢",
    "\u200e": "⇢",
    "\u202b": "⇠",
    "\u202e": "⇠",
    "\u2067": "⇠",
    "\u200f": "⇠",
    "\u061c": "⇠",
    "\u2068": "⇄",
    "\u202c": "⇡",
    "\u2069": "⇡",
    "\x7f": "␡",
}


def shown(text: str, *, code: bool = False) -> str:
    """What is painted for a text, character for character: control characters and overrides as signs.

    In `code`, and in names, also what is not seen and what any language's prose may need: marks of direction.
    """
    if text.isprintable():
        return text
    return (_TRICKS if code else _CONTROLS).sub(lambda found: _sign(found.group()), text)


def escaped(json: str) -> str:
    """Return JSON that means the same, with what is not seen written as escapes: it stands in strings only."""
    return _TRICKS.sub(lambda found: f"\\u{ord(found.group()):04x}", json)


def tricks(text: str) -> list[int]:
    """Where code holds characters that are not seen or that turn its order round."""
    return [] if text.isascii() and text.isprintable() else [found.start() for found in _TRICKS.finditer(text)]


def _sign(letter: str) -> str:
    return _SHOWN.get(letter) or (chr(0x2400 + ord(letter)) if letter < " " else "·")
