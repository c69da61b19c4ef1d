"""The store of one organization: its list, brought up to date on request, and what is installed from it."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.gems.api import Gem, Gems, Publications, Standing, Trust
from notochord.services.settings.api import Settings
from notochord.services.store.api import SOURCE, Arrived, ListedGem, Listing, StoreListed
from notochord.services.store.downloads import Downloads, check_file
from notochord.services.store.index import Entry, Index, invalid, read_index
from notochord.services.store.kept import Kept
from notochord.services.store.ports import Gateway

LONGEST_ADDRESS = 2_048
BUNDLED = "index.json"


class GemStore:
    """Implements `api.Store`. `bundled` holds the program's own list, `packages` its packages; `start` comes first."""

    def __init__(
        self,
        *,
        gems: Gems,
        publications: Publications,
        gateway: Gateway,
        settings: Settings,
        events: EventBus,
        clock: Clock,
        folder: Path,
        bundled: Path,
        packages: Path,
    ) -> None:
        self._gems = gems
        self._publications = publications
        self._downloads = Downloads(gateway)
        self._settings = settings
        self._events = events
        self._clock = clock
        self._kept = Kept(folder)
        self._bundled_list = bundled / BUNDLED
        self._packages = packages
        self._bundled: Index | None = None
        self._fetched: Index | None = None
        self._came_at = 0
        self._reading = asyncio.Lock()
        self._changing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def start(self) -> None:
        """Delete what an interrupted download left."""
        await asyncio.to_thread(self._kept.sweep)

    async def known(self) -> Listing:
        async with self._reading:
            await self._read()
        return await self._listing()

    async def refresh(self) -> Listing:
        failure = None
        async with self._reading:
            await self._read()
            if source := self.source():
                try:
                    await self._fetch(source)
                except NotochordError as error:
                    failure = error
        if failure is None:
            self._events.publish(StoreListed())
        return replace(await self._listing(), failure=failure)

    async def get(self, gem: str) -> ListedGem:
        entry = await self._entry(gem)
        return self._listed(entry, {one.id: one for one in await self._gems.all()})

    async def document(self, gem: str, path: str) -> str:
        entry = await self._entry(gem)
        if path not in entry.documents:
            detail = f"{gem} has no document {path[:64]!r}"
            raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, why="why.gem_document")
        return entry.documents[path]

    async def install(self, gem: str, *, arrived: Arrived | None = None) -> Gem:
        entry = await self._entry(gem)
        async with self._changing[gem]:
            if self._is_bundled(entry):
                package = self._packages / entry.address
                await self._check_bundled(package, entry)
                return await self._publications.install(package, entry.publication)
            return await self._download_and_install(entry, arrived or _unheard)

    async def updates(self) -> Mapping[str, str]:
        listing = await self.known()
        found = [one.dossier.gem for one in listing.gems if one.standing is Standing.UPDATE]
        return {gem.id: gem.version for gem in found}

    async def asks_more(self, gem: str) -> bool:
        return (await self.get(gem)).asks_more

    async def available(self, gem: str) -> bool:
        try:
            entry, installed = await self._entry(gem), await self._gems.get(gem)
        except NotochordError:
            return False
        version = entry.publication.dossier.gem.version
        standing = self._publications.standing(entry.publication)
        in_place = version == installed.version or standing is Standing.UPDATE
        return in_place and standing is not Standing.OTHER and installed.trust is Trust.OFFICIAL

    async def repair(self, gem: str) -> None:
        await self.install(gem)

    def source(self) -> str:
        return self._settings.current(SOURCE)

    async def change_source(self, address: str) -> None:
        address = address.strip()
        if address and not _is_address(address):
            detail = "the list of the store comes from an https address"
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, detail, field="source", why="why.store_address")
        async with self._reading:
            await self._settings.change(SOURCE, address)
            self._fetched, self._came_at = None, 0
        self._events.publish(StoreListed())

    async def _download_and_install(self, entry: Entry, arrived: Arrived) -> Gem:
        with self._kept.arriving() as file:
            await self._downloads.fetch_package(
                entry.address, self.source(), file, size=entry.size, sha256=entry.sha256, arrived=arrived
            )
            return await self._publications.install(file, entry.publication)

    async def _check_bundled(self, package: Path, entry: Entry) -> None:
        try:
            await asyncio.to_thread(check_file, package, entry.size, entry.sha256)
        except OSError as error:
            detail = f"{package.name}: {error.strerror}"
            raise NotochordError(Code.FILE_MISSING, Fault.SYSTEM, detail, path=str(package)) from error

    async def _entry(self, gem: str) -> Entry:
        async with self._reading:
            await self._read()
        entry = self._entries().get(gem)
        if entry is None:
            raise NotochordError(Code.LISTING_UNKNOWN, Fault.USER, f"no gem {gem[:200]!r} is listed", gem=gem[:200])
        return entry

    async def _read(self) -> None:
        """Read what is on the disk, once."""
        if self._bundled is None:
            self._bundled = await asyncio.to_thread(self._read_bundled)
        if self._fetched is None:
            self._fetched, self._came_at = await asyncio.to_thread(self._read_kept, self.source())

    def _read_bundled(self) -> Index:
        try:
            return read_index(self._bundled_list.read_bytes(), "", self._publications)
        except OSError as error:
            raise invalid(f"{self._bundled_list.name}: {error.strerror}") from error

    def _read_kept(self, source: str) -> tuple[Index, int]:
        content, came_at = self._kept.read(source) if source else (b"", 0)
        if not content:
            return Index({}), 0
        try:
            return read_index(content, source, self._publications), came_at
        except NotochordError:
            return Index({}), 0

    async def _fetch(self, source: str) -> None:
        content = await self._downloads.fetch_list(source)
        index = await asyncio.to_thread(read_index, content, source, self._publications)
        now = self._clock.milliseconds()
        self._fetched, self._came_at = index, now
        await asyncio.to_thread(self._kept.write, source, content, now)

    def _entries(self) -> dict[str, Entry]:
        """Return the latest version of each gem; what came with the program before what has to be downloaded."""
        found = dict(self._bundled.entries if self._bundled else {})
        for gem, entry in (self._fetched.entries if self._fetched else {}).items():
            if gem not in found or self._publications.is_newer(entry.publication, found[gem].publication):
                found[gem] = entry
        return found

    async def _listing(self) -> Listing:
        installed = {gem.id: gem for gem in await self._gems.all()}
        gems = [self._listed(entry, installed) for _, entry in sorted(self._entries().items())]
        left_out = self._fetched.left_out if self._fetched else 0
        return Listing(tuple(gems), self.source(), self._came_at, left_out)

    def _listed(self, entry: Entry, installed: Mapping[str, Gem]) -> ListedGem:
        here = installed.get(entry.gem)
        standing = self._publications.standing(entry.publication)
        return ListedGem(
            dossier=entry.publication.dossier,
            standing=standing,
            size=0 if self._is_bundled(entry) else entry.size,
            installed=here.version if here is not None else "",
            texts=entry.texts,
            asks_more=standing is Standing.UPDATE and self._publications.asks_more(entry.publication),
        )

    def _is_bundled(self, entry: Entry) -> bool:
        return self._bundled is not None and self._bundled.entries.get(entry.gem) is entry


def _is_address(address: str) -> bool:
    bare = address.isascii() and address.isprintable() and " " not in address and "@" not in address
    return bare and address.startswith("https://") and len(address) <= LONGEST_ADDRESS


def _unheard(_: int, __: int) -> None:
    """Nobody asked how far it is."""
