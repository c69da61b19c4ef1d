"""Which gem the page shows, and which view of it: both stand in the subject of the place."""

from dataclasses import dataclass
from enum import StrEnum


class View(StrEnum):
    """A view of a gem."""

    MAIN = ""
    DATA = "data"
    INTRODUCTION = "introduction"


@dataclass(frozen=True, slots=True)
class GemPlace:
    """A gem and the view of it."""

    gem: str
    view: View = View.MAIN

    @classmethod
    def of(cls, subject: str) -> "GemPlace":
        """Read a subject; a view that there is not is the main one. No id of a gem holds "#"."""
        gem, _, view = subject.partition("#")
        return cls(gem, View(view) if view in set(View) else View.MAIN)

    @property
    def subject(self) -> str:
        """The subject of `Place` that leads here."""
        return f"{self.gem}#{self.view.value}" if self.view else self.gem
