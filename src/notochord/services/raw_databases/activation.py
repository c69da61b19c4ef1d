"""Tries the script of a new version on a copy, and takes it over or leaves everything as it was."""

import asyncio
from collections.abc import Callable

from notochord.persistence.changeover import Boundary
from notochord.persistence.failures import translated
from notochord.services.raw_databases import files
from notochord.services.raw_databases.api import RawSource
from notochord.services.raw_databases.ports import RawLauncher


class Taken:
    """A script that went well; the owner's lock is held until `commit` or `abandon`."""

    def __init__(self, take: Callable[[], None], release: Callable[[], None], source: RawSource) -> None:
        self._take = take
        self._release = release
        self._source = source

    async def commit(self) -> None:
        try:
            self._take()
        finally:
            self._release()

    async def abandon(self) -> None:
        try:
            await asyncio.to_thread(_abandon, self._source)
        finally:
            self._release()


async def tried_on_a_copy(source: RawSource, key: bytes, launcher: RawLauncher, boundary: Boundary) -> None:
    """Run a script on a copy of the closed database, which waits for its version if migrations changed it."""
    try:
        order = await asyncio.to_thread(files.copied, source, key)
        boundary("raw copied")
        process = await launcher.open(order)
        await process.close()
        boundary("raw migrated")
        await asyncio.to_thread(_keep, source, changed=bool(process.migrated))
        boundary("raw copy waits")
    except BaseException:
        await asyncio.to_thread(_abandon, source)
        raise


def _keep(source: RawSource, *, changed: bool) -> None:
    """Let the copy wait for its version; one that no migration changed was a trial, which the opening repeats."""
    changeover = files.changeover(source)
    with translated(changeover.database):
        files.drop_empty_log(changeover.part)
        if changed:
            changeover.made()
        else:
            changeover.abandon()


def _abandon(source: RawSource) -> None:
    with translated(source.folder):
        files.changeover(source).abandon()
