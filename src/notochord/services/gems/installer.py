"""Installs, upgrades, reinstalls and removes gems: the old state or the new one, whenever the program is killed."""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from notochord.core import tasks
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.data.api import Activation, Data
from notochord.services.gems.activations import Both
from notochord.services.gems.calls import StoreFolder, owner_of, raw_source_of, source_of
from notochord.services.gems.checks import CheckedPackage, OpenedPackage, Standing, finish, open_package
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.integrity import Inspection
from notochord.services.gems.migrations_in_guests import GuestMigrations
from notochord.services.gems.names import GENERATED
from notochord.services.gems.package_folders import PackageFolders
from notochord.services.gems.records import Record, Records
from notochord.services.gems.signatures import TrustedKeys
from notochord.services.raw_databases.api import RawActivation, RawDatabases, RawSource
from notochord.services.sandbox.api import Sandbox

_log = logging.getLogger(__name__)

Boundary = Callable[[str], None]
"""Told at each durable boundary; a test ends the process there."""


Judge = Callable[[OpenedPackage], None]
"""Looks at a package after its first three checks; what it raises ends the installation."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A package in its place that is not the installed one yet."""

    record: Record
    inspection: Inspection


class Installer:
    """Changes what is installed. One change of a gem at a time; what was interrupted is finished at the start."""

    def __init__(
        self,
        *,
        records: Records,
        library: Library,
        folders: PackageFolders,
        data: Data,
        raw: RawDatabases,
        sandbox: Sandbox,
        clock: Clock,
        keys: Callable[[], TrustedKeys],
        store_folder: StoreFolder,
        boundary: Boundary = lambda name: None,
    ) -> None:
        self._records = records
        self._library = library
        self._folders = folders
        self._data = data
        self._raw = raw
        self._sandbox = sandbox
        self._migrations = GuestMigrations(sandbox, clock)
        self._clock = clock
        self._keys = keys
        self._store_folder = store_folder
        self._boundary = boundary
        self._locks: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)

    async def start(self) -> None:
        """Finish what was interrupted, then read what is installed."""
        records = await self._records.all()
        await asyncio.to_thread(self._folders.sweep, {gem: record.folder for gem, record in records.items()})
        for gem in await self._records.unfinished():
            await self._try_to_clear(gem)
        folder = self._folders.folder
        self._library.fill(InstalledGem(record, folder(gem, record.folder)) for gem, record in records.items())
        for gem, record in records.items():
            self._data.know(source_of(record, self._store_folder(gem)))

    async def check(self, package: Path) -> CheckedPackage:
        """Run the six checks on a package, which need not be signed; keep nothing of it."""
        async with self._scratch() as scratch:
            opened = await self._opened(package, scratch, allow_unsigned=True)
            standing = _standing(self._library.get(opened.manifest.id))
            checks = asyncio.to_thread(finish, opened, standing, self._data.faults, allow_unsigned=True)
            return await tasks.finish(checks)

    async def install(self, package: Path, *, allow_unsigned: bool, judge: Judge = lambda _: None) -> InstalledGem:
        """Check a package, put it in place, try it, and make it the installed one.

        Cancelling it during the checks stops it; later it is finished all the same.
        """
        async with self._scratch() as scratch:
            opened = await self._opened(package, scratch, allow_unsigned=allow_unsigned)
            judge(opened)
            async with self._locks[opened.manifest.id]:
                before = self._library.get(opened.manifest.id)
                checks = asyncio.to_thread(
                    finish, opened, _standing(before), self._data.faults, allow_unsigned=allow_unsigned
                )
                return await tasks.finish(self._replace(before, await tasks.finish(checks)))

    async def _opened(self, package: Path, scratch: Path, *, allow_unsigned: bool) -> OpenedPackage:
        opening = asyncio.to_thread(open_package, package, scratch, self._keys(), allow_unsigned=allow_unsigned)
        return await tasks.finish(opening)

    async def remove(self, gem: str) -> None:
        """Remove a gem. Raises GEM_UNKNOWN."""
        async with self._locks[gem]:
            installed = self._library.get(gem)
            if installed is None:
                raise unknown(gem)
            await tasks.finish(self._remove(installed))

    async def _remove(self, installed: InstalledGem) -> None:
        gem = installed.record.id
        await self._records.drop(gem)
        self._boundary("dropped")
        self._library.drop(gem)
        await self._sandbox.stop(installed.record.instance)
        await self._clear(gem)
        await asyncio.to_thread(self._folders.delete_gem, gem)

    async def _replace(self, before: InstalledGem | None, checked: CheckedPackage) -> InstalledGem:
        if before is None:
            await self._begin(checked.manifest.id)
        try:
            prepared = await self._prepare(checked)
        except BaseException:
            if before is None:
                await self._clear(checked.manifest.id)
            raise
        try:
            activation = await self._try(before, prepared)
        except BaseException as error:
            await self._revert(before, prepared)
            if before is not None and isinstance(error, NotochordError):
                raise _activation_failed(prepared.record, error) from error
            raise
        self._boundary("committed")
        await activation.commit()
        return await self._switch(before, prepared)

    async def _begin(self, gem: str) -> None:
        """Note a first installation, after destroying what an earlier gem of this id may have left."""
        if gem in await self._records.unfinished():
            await self._clear(gem)
        await self._records.begin(gem)
        self._boundary("begun")

    async def _prepare(self, checked: CheckedPackage) -> _Prepared:
        return await asyncio.to_thread(self._put, checked)

    def _put(self, checked: CheckedPackage) -> _Prepared:
        manifest = checked.manifest
        name = self._folders.put(checked.folder, manifest.id, manifest.version)
        folder = self._folders.folder(manifest.id, name)
        try:
            self._boundary("placed")
            files = {**manifest.files, **self._folders.files_in(folder, GENERATED)}
        except BaseException:
            self._folders.delete(folder)
            raise
        record = Record(manifest, checked.trust, name, files, self._clock.milliseconds(), checked.calls)
        return _Prepared(record, Inspection(folder, files))

    async def _try(self, before: InstalledGem | None, prepared: _Prepared) -> Activation:
        """Try what the new version needs, its files as recorded and its data, and make it the installed one.

        The data is taken over afterwards: whatever interrupts that is finished when the store is opened next.
        """
        await asyncio.to_thread(prepared.inspection.check)
        activation = await self._prepare_data(before, prepared)
        try:
            self._boundary("activated")
            await self._records.put(prepared.record)
        except BaseException:
            await activation.abandon()
            raise
        return activation

    async def _prepare_data(self, before: InstalledGem | None, prepared: _Prepared) -> Activation:
        """Try what is stored under the new version: the declared data, then the raw database."""
        data = await self._prepare_declared(before, prepared)
        try:
            raw = await self._prepare_raw(before, prepared)
        except BaseException:
            await data.abandon()
            raise
        return Both(data, raw)

    async def _prepare_raw(self, before: InstalledGem | None, prepared: _Prepared) -> RawActivation:
        standing = None if before is None else self._raw_source(before.record)
        return await self._raw.prepare(self._raw_source(prepared.record), before=standing)

    def _raw_source(self, record: Record) -> RawSource:
        return raw_source_of(record, self._store_folder(record.id), self._folders.folder(record.id, record.folder))

    async def _prepare_declared(self, before: InstalledGem | None, prepared: _Prepared) -> Activation:
        record = prepared.record
        folder = self._store_folder(record.id)
        migrate = self._migrations.of(self._folders.folder(record.id, record.folder))
        standing = None if before is None else source_of(before.record, folder)
        return await self._data.prepare(source_of(record, folder), migrate, before=standing)

    async def _switch(self, before: InstalledGem | None, prepared: _Prepared) -> InstalledGem:
        record = prepared.record
        gem = InstalledGem(record, self._folders.folder(record.id, record.folder), prepared.inspection)
        self._library.put(gem)
        if before is not None:
            await self._retire(before)
        return gem

    async def _retire(self, before: InstalledGem) -> None:
        """End the old version; what of it cannot be deleted now is deleted at the next start."""
        try:
            await self._sandbox.stop(before.record.instance)
            await asyncio.to_thread(self._folders.delete, before.folder)
        except (NotochordError, OSError):
            _log.exception("the files of an old version are still there")

    async def _revert(self, before: InstalledGem | None, prepared: _Prepared) -> None:
        record = prepared.record
        await asyncio.to_thread(self._folders.delete, self._folders.folder(record.id, record.folder))
        if before is None:
            await self._clear(record.id)

    async def _clear(self, gem: str) -> None:
        """Destroy what a gem that is not installed has left, and note that it is done."""
        await self._raw.remove(owner_of(gem))
        await self._data.remove(owner_of(gem), self._store_folder(gem))
        self._boundary("cleared")
        await self._records.finish(gem)

    async def _try_to_clear(self, gem: str) -> None:
        """Destroy what a removed gem has left, or leave it for the next start, such as when the keychain is locked."""
        try:
            await self._clear(gem)
        except (NotochordError, OSError):
            _log.exception("the data of a removed gem is still there")

    @asynccontextmanager
    async def _scratch(self) -> AsyncIterator[Path]:
        scratch = self._folders.new_scratch()
        try:
            await asyncio.to_thread(scratch.mkdir, parents=True)
            yield scratch
        finally:
            await tasks.finish(asyncio.to_thread(self._folders.delete, scratch))


def unknown(gem: str) -> NotochordError:
    return NotochordError(Code.GEM_UNKNOWN, Fault.USER, f"no gem {gem[:200]!r} is installed", gem=gem[:200])


def _standing(gem: InstalledGem | None) -> Standing | None:
    if gem is None:
        return None
    manifest = gem.record.manifest
    return Standing(manifest.version, gem.record.trust, manifest.publisher)


def _activation_failed(record: Record, error: NotochordError) -> NotochordError:
    """Return the error of a failed upgrade or reinstallation, which names its cause (PKG-057 to PKG-060)."""
    detail = f"{error.code}: {error.detail}"
    return NotochordError(Code.ACTIVATION_FAILED, Fault.USER, detail, gem=record.id, reason=detail)
