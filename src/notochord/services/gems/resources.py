"""Downloads the files that gems declare, once for all who want them, and tells where they are."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.tasks import Lifetime
from notochord.services.egress.api import Gateway
from notochord.services.gems.api import GemResource, GemResourceChanged, ResourceState
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.resource_declarations import ResourceRecord
from notochord.services.gems.resource_fetching import Fetching
from notochord.services.gems.resource_files import Fingerprint, ResourceFiles

AT_ONCE = 3
SPARE = 64 * 1024 * 1024
"""Bytes that a download leaves free on the disk."""

_OF_THE_DISK = frozenset({Code.DISK_FULL, Code.DISK_IO, Code.STORE_READ_ONLY, Code.CANCELLED})

_log = logging.getLogger(__name__)

Key = tuple[str, str]


@dataclass(slots=True)
class _Download:
    """One file on its way; `task` is there from the start on."""

    gem: str
    resource: ResourceRecord
    task: asyncio.Task[None]
    received: int = 0


class GemResources:
    """The files of all gems. `free` tells how much room a gem's disk has."""

    def __init__(
        self,
        *,
        gateway: Gateway,
        store_folder: Callable[[str], Path],
        bus: EventBus,
        free: Callable[[ResourceFiles], int] = ResourceFiles.free,
    ) -> None:
        self._gateway = gateway
        self._fetching = Fetching(gateway)
        self._store_folder = store_folder
        self._bus = bus
        self._free = free
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._lifetime = Lifetime("resources")
        self._running: dict[Key, _Download] = {}
        self._failures: dict[Key, NotochordError] = {}
        self._known: dict[Path, Fingerprint] = {}
        self._gone: set[str] = set()
        self._closed = False

    def elsewhere(self, store_folder: Callable[[str], Path]) -> "GemResources":
        """Return a keeper of the same kind whose files lie in other folders."""
        return GemResources(gateway=self._gateway, store_folder=store_folder, bus=self._bus, free=self._free)

    def folder(self, gem: str) -> Path:
        """Return the folder that the gem's tools may read."""
        return self._files(gem).folder

    async def path(self, gem: str, resource: ResourceRecord) -> Path:
        """Return where the file is, after downloading it if it is not there (TOOL-117, TOOL-124).

        Who stops waiting does not stop the download. Raises NotochordError: RESOURCE_FAILED, DISK_FULL, DISK_IO,
        CANCELLED.
        """
        if await self._is_there(gem, resource):
            return self._files(gem).path(resource)
        task = self._start(gem, resource).task
        await asyncio.wait([task])
        if task.cancelled():
            raise NotochordError(Code.CANCELLED, Fault.USER, "the download was stopped")
        task.result()
        return self._files(gem).path(resource)

    async def settle(self, gem: str, declared: Sequence[ResourceRecord], *, starting: bool = False) -> None:
        """After an installation or at the start: delete what is not declared, and begin what has to be there.

        At the start, what was begun once and is not there is tried again too (RES-038).
        """
        self._gone.discard(gem)
        hashes = {resource.sha256 for resource in declared}
        await self._stop(
            [one for one in self._running.values() if one.gem == gem and one.resource.sha256 not in hashes]
        )
        files = self._files(gem)
        wanted: frozenset[str] = frozenset()
        try:
            wanted = await asyncio.to_thread(files.wanted) if starting else wanted
            await asyncio.to_thread(files.tidy, declared)
        except OSError:  # an installation never fails for this (RES-035)
            _log.exception("files that %s does not declare any more are still there", gem)
        for resource in declared:
            if resource.required or resource.sha256 in wanted:
                self._start(gem, resource)

    async def forget(self, gem: str) -> None:
        """End the downloads of a gem and begin no more; its files go with its store."""
        self._gone.add(gem)
        await self.halt(gem)

    async def halt(self, gem: str) -> None:
        """End the downloads of a gem and forget what is known of its files."""
        await self._stop([one for one in self._running.values() if one.gem == gem])
        folder = self._store_folder(gem)
        self._known = {path: mark for path, mark in self._known.items() if folder not in path.parents}
        self._failures = {key: error for key, error in self._failures.items() if key[0] != gem}

    async def states(self, gem: str, declared: Sequence[ResourceRecord]) -> tuple[GemResource, ...]:
        """Return how far each file is."""
        return tuple([await self._shown(gem, resource) for resource in declared])

    async def close(self) -> None:
        """End all downloads; those that were begun are tried again at the next start."""
        self._closed = True
        await self._lifetime.close()

    def _files(self, gem: str) -> ResourceFiles:
        return ResourceFiles(self._store_folder(gem))

    async def _is_there(self, gem: str, resource: ResourceRecord) -> bool:
        files = self._files(gem)
        path = files.path(resource)
        with disk_failures():
            found = await asyncio.to_thread(files.find, resource, self._known.get(path))
        if found is None:
            self._known.pop(path, None)
            return False
        self._known[path] = found
        return True

    def _start(self, gem: str, resource: ResourceRecord) -> _Download:
        """Return the download of a file, the one that runs or a new one (TOOL-119). Raises CANCELLED."""
        key = (gem, resource.sha256)
        if key not in self._running:
            if self._closed or gem in self._gone:
                raise NotochordError(Code.CANCELLED, Fault.USER, "the gem was removed, or the program ends")
            task = self._lifetime.start(f"{gem}/{resource.id}", self._run(gem, resource))
            self._running[key] = _Download(gem, resource, task)
            task.add_done_callback(lambda ended: self._ended(key, ended))
        return self._running[key]

    def _ended(self, key: Key, task: asyncio.Task[None]) -> None:
        download = self._running.pop(key)
        failure = None if task.cancelled() else task.exception()
        if isinstance(failure, NotochordError):
            self._failures[key] = failure
        self._tell(download)

    async def _stop(self, downloads: Sequence[_Download]) -> None:
        for download in downloads:
            download.task.cancel()
        await asyncio.gather(*(download.task for download in downloads), return_exceptions=True)

    async def _run(self, gem: str, resource: ResourceRecord) -> None:
        async with self._turns:
            if await self._is_there(gem, resource):
                return
            self._failures.pop((gem, resource.sha256), None)
            self._tell(self._running[gem, resource.sha256])
            await self._check_room(gem, resource)
            await self._try_all(gem, resource)

    async def _check_room(self, gem: str, resource: ResourceRecord) -> None:
        with disk_failures():
            free = await asyncio.to_thread(self._free, self._files(gem))
        if free < resource.size + SPARE:
            detail = f"{resource.id} needs {resource.size} bytes, and {free} are free"
            raise NotochordError(Code.DISK_FULL, Fault.SYSTEM, detail, path=resource.id)

    async def _try_all(self, gem: str, resource: ResourceRecord) -> None:
        reasons: list[str] = []
        for address in resource.addresses:
            try:
                mark = await self._fetching.fetch(self._files(gem), gem, resource, address, self._heard(gem, resource))
            except NotochordError as error:
                if error.code in _OF_THE_DISK:
                    raise
                reasons.append(f"{address}: {error.code}: {error.detail}")
            else:
                if mark is not None:
                    self._known[self._files(gem).path(resource)] = mark
                return
        detail = f"{resource.id} could not be downloaded; {'; '.join(reasons)}"
        raise NotochordError(
            Code.RESOURCE_FAILED, Fault.NETWORK, detail, resource=resource.id, reason="; ".join(reasons)
        )

    async def _shown(self, gem: str, resource: ResourceRecord) -> GemResource:
        key = (gem, resource.sha256)
        running, failure = self._running.get(key), self._failures.get(key)
        if running is not None:
            state, received = ResourceState.DOWNLOADING, running.received
        elif await self._is_there(gem, resource):
            state, received, failure = ResourceState.READY, resource.size, None
        else:
            state, received = ResourceState.FAILED if failure else ResourceState.ABSENT, 0
        return GemResource(
            id=resource.id,
            description=resource.description or resource.id,
            size=resource.size,
            hosts=resource.hosts,
            required=resource.required,
            state=state,
            received=received,
            failure=failure,
        )

    def _heard(self, gem: str, resource: ResourceRecord) -> Callable[[int], None]:
        """Return who is told how much has come."""
        download = self._running[gem, resource.sha256]

        def heard(received: int) -> None:
            download.received = received
            self._tell(download)

        return heard

    def _tell(self, download: _Download) -> None:
        self._bus.publish(GemResourceChanged(download.gem, download.resource.id, download.received))
