"""What a gem has stored, for its owner: collections, counts, sizes, the last changes, and taking a collection out."""

import asyncio
from dataclasses import dataclass, replace
from pathlib import Path

from notochord.core.errors import NotochordError
from notochord.core.flat_text import flattened
from notochord.core.observable import Observable
from notochord.core.tasks import Lifetime
from notochord.services.data.api import Overview
from notochord.services.gems.api import Dossiers, Gems
from notochord.viewmodels.settings.pane import LOADING, READY, Pane, PaneState

LAST_CHANGES = 50
SUBJECT = 120


@dataclass(frozen=True, slots=True)
class Export:
    """A collection that is being written, was written, or could not be."""

    collection: str
    file: Path
    written: int = 0
    total: int = 0
    done: bool = False
    error: NotochordError | None = None

    @property
    def running(self) -> bool:
        return not self.done and self.error is None


class GemDataModel:
    """One gem's data. An export goes on when the view is left; it ends with the window or by `cancel`."""

    def __init__(self, *, gems: Gems, dossiers: Dossiers) -> None:
        self._gems = gems
        self._dossiers = dossiers
        self._lifetime = Lifetime("gem data")
        self._writing: asyncio.Task[None] | None = None
        self.gem = ""
        self.state: Observable[PaneState] = Observable(LOADING)
        self.overview: Observable[Overview | None] = Observable(None)
        self.export: Observable[Export | None] = Observable(None)

    async def close(self) -> None:
        await self._lifetime.close()

    async def load(self, gem: str) -> None:
        """Count what is there now; what was shown of the same gem stays meanwhile, a failure is told by `state`."""
        if gem != self.gem:
            self.gem = gem
            self.overview.set(None)
        if self.state.value.pane is not Pane.READY or self.overview.value is None:
            self.state.set(LOADING)
        try:
            found = await self.count(gem, LAST_CHANGES)
        except NotochordError as error:
            if gem == self.gem:
                self.state.set(PaneState(Pane.FAILED, error))
            return
        if gem == self.gem:
            self.overview.set(found)
            self.state.set(READY)

    async def count(self, gem: str, changes: int = 0) -> Overview:
        """Return what a gem has stored. Raises as `Gems.data` does."""
        found = await (await self._gems.data(gem)).overview(changes=changes)
        told = tuple(
            replace(one, name=flattened(one.name, SUBJECT), subject=flattened(one.subject, SUBJECT))
            for one in found.last_changes
        )
        return replace(found, last_changes=told)

    def begin_export(self, collection: str, file: Path) -> None:
        """Write a collection into a file; one at a time, a second one is not begun."""
        if self.export.value is not None and self.export.value.running:
            return
        overview = self.overview.value
        total = next((one.count for one in overview.collections if one.name == collection), 0) if overview else 0
        self.export.set(Export(collection, file, total=total))
        self._writing = self._lifetime.start("export", self._write(self.gem, collection, file))

    def cancel(self) -> None:
        """Stop the export; the file is as it was before."""
        if self._writing is not None and self.export.value is not None and self.export.value.running:
            self._writing.cancel()
            self.export.set(None)

    def dismiss(self) -> None:
        """Tell no more of an export that ended."""
        if self.export.value is not None and not self.export.value.running:
            self.export.set(None)

    async def _write(self, gem: str, collection: str, file: Path) -> None:
        try:
            count = await self._dossiers.export(gem, collection, file, progress=self._progress)
        except NotochordError as error:
            self._become(error=error)
        else:
            self._become(written=count, done=True)

    def _progress(self, written: int) -> None:
        self._become(written=written)

    def _become(self, *, written: int | None = None, done: bool = False, error: NotochordError | None = None) -> None:
        if (export := self.export.value) is not None:
            count = export.written if written is None else written
            total = max(export.total, count)
            self.export.set(replace(export, written=count, total=total, done=done, error=error))
