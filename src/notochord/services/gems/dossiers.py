"""What the owner of an installed gem sees of it and sets for it: the page of a gem and `gem show` stand on this."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.data.api import OwnerStore
from notochord.services.gems.api import Dossier, Exported, Gem, GemChanged
from notochord.services.gems.contents import accounts_in, files_in, pages_in, procedures_in
from notochord.services.gems.data_export import write_lines
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.failures import Failures
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.installer import unknown
from notochord.services.gems.introductions import documents_among, read_document
from notochord.services.gems.records import Records
from notochord.services.gems.rights import Rights


class StoredDossiers:
    """Implements `api.Dossiers` over the records. `describe` and `store` are the service's own."""

    def __init__(
        self,
        *,
        library: Library,
        records: Records,
        rights: Rights,
        failures: Failures,
        describe: Callable[[InstalledGem], Gem],
        store: Callable[[str], Awaitable[OwnerStore]],
        bus: EventBus,
    ) -> None:
        self._library = library
        self._records = records
        self._rights = rights
        self._failures = failures
        self._describe = describe
        self._store = store
        self._bus = bus

    async def all(self) -> tuple[Dossier, ...]:
        return tuple([await self._dossier(gem) for gem in self._library.all()])

    async def get(self, gem: str) -> Dossier:
        return await self._dossier(self._installed(gem))

    async def verify(self, gem: str) -> Dossier:
        installed = self._installed(gem)
        installed.inspection.forget()
        try:
            await self._library.verify(installed)
        except NotochordError as error:
            if error.code is not Code.FILES_CHANGED:
                raise
        self._bus.publish(GemChanged(gem))
        return await self._dossier(installed)

    async def document(self, gem: str, path: str) -> str:
        installed = self._installed(gem)
        files = installed.record.files
        if path not in {one.path for one in documents_among(files)}:
            detail = f"{gem} has no document {path[:64]!r}"
            raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, why="why.gem_document")
        with disk_failures():
            return await asyncio.to_thread(read_document, installed.folder, path, files[path])

    async def export(self, gem: str, collection: str, file: Path, *, progress: Exported | None = None) -> int:
        store = await self._store(gem)
        with disk_failures():
            return await write_lines(store.records.export(collection), file, progress)

    async def _dossier(self, gem: InstalledGem) -> Dossier:
        record, manifest = gem.record, gem.record.manifest
        chosen = await self._records.connections_of(record.id)
        network = manifest.network
        return Dossier(
            gem=self._describe(gem),
            publisher=manifest.publisher,
            installed_at=record.installed_at,
            size=sum(file.size for file in record.files.values()),
            procedures=procedures_in(manifest, record.calls),
            pages=pages_in(manifest),
            references=manifest.references,
            network_reason=network.reason if network is not None else "",
            local_network=network is not None and network.local,
            accounts=tuple(replace(one, account=chosen.get(one.slot, "")) for one in accounts_in(manifest)),
            rights=await self._rights.rights(record.id),
            failures=await self._failures.of(record.id),
            changed_file=gem.changed_file,
            documents=documents_among(record.files),
            files=files_in(manifest),
        )

    def _installed(self, gem: str) -> InstalledGem:
        found = self._library.get(gem)
        if found is None:
            raise unknown(gem)
        return found
