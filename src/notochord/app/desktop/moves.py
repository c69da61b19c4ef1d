"""What the views ask of the session; it does one after the other."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from notochord.viewmodels.shell.navigation import Place
    from notochord.viewmodels.start.setup import Step


@dataclass(frozen=True, slots=True)
class OpenOrganization:
    """Close what is open and open the organization with this id, the current one for an empty text (ORG-029)."""

    organization: str


@dataclass(frozen=True, slots=True)
class SpeakLanguage:
    """Show the window in another language; a set-up goes on at `step`, the other pages at `place`."""

    language: str
    step: "Step | None" = None
    place: "Place | None" = None


@dataclass(frozen=True, slots=True)
class SetUp:
    """The set-up is complete: Home comes (SETUP-042)."""


@dataclass(frozen=True, slots=True)
class End:
    """The program ends."""


Move: TypeAlias = OpenOrganization | SpeakLanguage | SetUp | End
