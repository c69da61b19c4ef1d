"""What a transcript shows: texts of people and models, and cards, which are real widgets."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto

from PySide6.QtWidgets import QWidget


class Role(Enum):
    """Whose words a text is."""

    USER = auto()
    ASSISTANT = auto()
    REASONING = auto()
    """What a model thought before it answered; folded until it is opened."""


@dataclass(frozen=True, slots=True)
class TextEntry:
    """A message or a piece of one, as Markdown. With neither `who`, `badge` nor `when` it has no line above it."""

    id: str
    role: Role
    text: str = ""
    who: str = ""
    badge: str = ""
    """Which model wrote it, and where that runs."""
    when: str = ""
    streaming: bool = False
    """Text is still to come, through `Transcript.feed`."""
    folded: bool = True
    """Of a REASONING entry: whether only its head line shows at first."""
    close: bool = False
    """Stands close to the entry before it: both are of one answer."""


@dataclass(frozen=True, slots=True)
class CardEntry:
    """A place for a widget: tool call, approval, plan, error, divider, attachments.

    `make` is called with the parent when the card comes near the view, and again when it comes back after it had gone:
    what it shows lives with the caller. The card grows and shrinks with its size hint (or height for width).
    """

    id: str
    make: Callable[[QWidget], QWidget]
    height: int = 56
    """A guess, used until the card was seen."""
    name: str = ""
    """What assistive technology calls it while it is out of view."""
    text: str = ""
    """What is copied and found."""
    close: bool = False
    """Stands close to the entry before it: both are of one answer."""


Entry = TextEntry | CardEntry
