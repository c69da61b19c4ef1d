"""What the window can do by key and from the palette, with each platform's usual keys."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtGui import QKeySequence

Standard = QKeySequence.StandardKey


@dataclass(frozen=True, slots=True)
class ShellCommand:
    """Something to do: `key` is its sentence; `keys` are the sequences that do it, the first of which is shown."""

    key: str
    do: Callable[[], None] | None
    icon: str = ""
    keys: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """Return the key sequence that is shown to people, in Qt's portable spelling."""
        return self.keys[0] if self.keys else ""


def keys_of(standard: QKeySequence.StandardKey | None, *usual: str) -> tuple[str, ...]:
    """Return the platform's own keys for something, or the usual ones where it names none."""
    if standard is None:
        return usual
    text = QKeySequence.SequenceFormat.PortableText
    named = [keys.toString(text) for keys in QKeySequence.keyBindings(standard)]
    typed = tuple(keys for keys in named if "+" in keys or keys.startswith("F"))
    return tuple(dict.fromkeys((*usual, *typed))) if typed and usual and usual[0] in typed else (typed or usual)


NEW = (Standard.New, "Ctrl+N")
SETTINGS = (Standard.Preferences, "Ctrl+,")
FIND = (Standard.Find, "Ctrl+F")
CLOSE = (Standard.Close, "Ctrl+W")
QUIT = (Standard.Quit, "Ctrl+Q")
LARGER = (Standard.ZoomIn, "Ctrl++")
SMALLER = (Standard.ZoomOut, "Ctrl+-")
