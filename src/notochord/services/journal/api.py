"""The door to the journal: what a cause touched, and taking it back."""

from dataclasses import dataclass
from typing import Protocol

from notochord.core.caller import Cause


@dataclass(frozen=True, slots=True)
class Change:
    """One change in one store; `what` is a short English text such as "report.md overwritten"."""

    store: str
    subject: str
    what: str
    at: int
    revertible: bool


@dataclass(frozen=True, slots=True)
class Reverted:
    """What a revert did: what went back, and what was left alone since something else changed it afterwards."""

    undone: tuple[Change, ...]
    skipped: tuple[Change, ...]


class JournalStore(Protocol):
    """A store that can tell what a cause changed in it. An empty field of the cause matches everything."""

    @property
    def name(self) -> str: ...

    async def changes(self, cause: Cause) -> tuple[Change, ...]: ...

    async def revert(self, cause: Cause) -> Reverted: ...


class Journal(Protocol):
    """Asks the stores that a cause touched."""

    def register(self, store: JournalStore) -> None:
        """Add a store; at start only."""

    async def touch(self, store: str, cause: Cause) -> None:
        """Note, durably and beforehand, that `cause` is about to change `store`."""

    async def changes(self, cause: Cause) -> tuple[Change, ...]: ...

    async def revert(self, cause: Cause) -> Reverted:
        """Take back what `cause` changed; what changed again since is skipped and named."""
