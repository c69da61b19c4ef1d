"""What the owner of an installed gem sees of it and sets for it: the page of a gem and `gem show` stand on this."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.data.api import OwnerStore
from notochord.services.gems.api import (
    AskedKnowledge,
    Dossier,
    Exported,
    Gem,
    GemChanged,
    GemTool,
    GrantKind,
    Trust,
)
from notochord.services.gems.asked import agents_in, asked_by, pages_in, procedures_in
from notochord.services.gems.data_export import write_lines
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.failures import Failures
from notochord.services.gems.grants import Grants
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.introductions import documents_among, read_document
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.records import Records

MAX_TARGET = 512


class StoredDossiers:
    """Implements `api.Dossiers` over the records. `store` opens a gem's data."""

    def __init__(
        self,
        *,
        library: Library,
        records: Records,
        grants: Grants,
        failures: Failures,
        store: Callable[[str], Awaitable[OwnerStore]],
        bus: EventBus,
    ) -> None:
        self._library = library
        self._records = records
        self._grants = grants
        self._failures = failures
        self._store = store
        self._bus = bus

    async def all(self) -> tuple[Dossier, ...]:
        return tuple([await self._dossier(gem) for gem in self._library.all()])

    async def get(self, gem: str) -> Dossier:
        return await self._dossier(self._library.installed(gem))

    async def grant(self, gem: str, kind: GrantKind, target: str, *, allowed: bool) -> None:
        asked = asked_by(self._library.installed(gem).record.manifest)
        fits = {
            GrantKind.MAILBOX: asked.reads_mail and 0 < len(target) <= MAX_TARGET,
            GrantKind.KNOWLEDGE: target in asked.knowledge,
        }
        if not fits[kind]:
            detail = f"{gem} does not ask for {kind} {target[:64]!r}"
            raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, why="why.gem_permission")
        await self._grants.set(gem, kind, target, allowed=allowed)
        self._bus.publish(GemChanged(gem))

    async def verify(self, gem: str) -> Dossier:
        installed = self._library.installed(gem)
        installed.inspection.forget()
        try:
            await self._library.verify(installed)
        except NotochordError as error:
            if error.code is not Code.FILES_CHANGED:
                raise
        self._bus.publish(GemChanged(gem))
        return await self._dossier(installed)

    async def document(self, gem: str, path: str) -> str:
        installed = self._library.installed(gem)
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
        asked, granted = asked_by(manifest), await self._grants.of(record.id)
        chosen = await self._records.connections(record.id)
        network = manifest.network
        return Dossier(
            gem=shown(manifest, record.trust, gem.state),
            publisher=manifest.publisher,
            installed_at=record.installed_at,
            size=sum(file.size for file in record.files.values()),
            agents=agents_in(manifest),
            procedures=procedures_in(manifest),
            pages=pages_in(manifest),
            references=manifest.references,
            network_reason=network.reason if network is not None else "",
            local_network=network is not None and network.local,
            accounts=tuple(replace(one, account=chosen.get(one.slot, "")) for one in asked.accounts),
            reads_mail=asked.reads_mail,
            mailboxes=granted[GrantKind.MAILBOX],
            knowledge=tuple(AskedKnowledge(one, one in granted[GrantKind.KNOWLEDGE]) for one in asked.knowledge),
            knowledge_reason=asked.knowledge_reason,
            failures=await self._failures.of(record.id),
            changed_file=gem.changed_file,
            documents=documents_among(record.files),
        )


def shown(manifest: Manifest, trust: Trust, state: str) -> Gem:
    """Return a gem as everybody sees it."""
    network = manifest.network
    return Gem(
        id=manifest.id,
        name=manifest.name,
        version=manifest.version,
        description=manifest.description,
        trust=trust,
        tools=tuple(
            GemTool(tool.name, tool.description, tool.exposed, tool.side_effect.value) for tool in manifest.tools
        ),
        has_skill=manifest.has_skill,
        hosts=network.hosts if network is not None else (),
        state=state,
        uses_model=any(tool.llm for tool in manifest.tools),
    )
