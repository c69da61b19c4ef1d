"""Shows the journal each owner's store, whether it is open or not."""

from collections.abc import Awaitable, Callable

from notochord.core.caller import Cause
from notochord.services.data.api import Source
from notochord.services.data.store import EncryptedStore
from notochord.services.journal.api import Change, Journal, Reverted

OpenStore = Callable[[Source], Awaitable[EncryptedStore]]


class OwnerJournal:
    """What a cause changed in one owner's store; nothing once the owner is gone."""

    def __init__(self, source: Source, store: OpenStore) -> None:
        self.source: Source | None = source
        self._owner = source.owner
        self._store = store

    @property
    def name(self) -> str:
        return self._owner

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        if self.source is None:
            return ()
        return await (await self._store(self.source)).undo.changes(cause)

    async def revert(self, cause: Cause) -> Reverted:
        if self.source is None:
            return Reverted((), ())
        return await (await self._store(self.source)).undo.revert(cause)


class JournalStores:
    """The stores that the journal knows of."""

    def __init__(self, *, journal: Journal | None, store: OpenStore) -> None:
        self._journal = journal
        self._store = store
        self._known: dict[str, OwnerJournal] = {}

    def know(self, source: Source) -> None:
        """Register an owner, or take note of its new version."""
        if source.owner in self._known:
            self._known[source.owner].source = source
            return
        self._known[source.owner] = OwnerJournal(source, self._store)
        if self._journal is not None:
            self._journal.register(self._known[source.owner])

    def forget(self, owner: str) -> None:
        if owner in self._known:
            self._known[owner].source = None
