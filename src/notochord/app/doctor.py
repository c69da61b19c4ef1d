"""The checks of `notochord doctor`: what the program stands on, and whether the data is whole."""

import asyncio
import importlib.util
import os
import platform
import shutil
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from notochord import __version__
from notochord.core.errors import NotochordError
from notochord.core.paths import Home
from notochord.headless.services import Finding, Health, Probe
from notochord.services.organizations.api import Organizations
from notochord.services.organizations.service import NOBODY
from notochord.services.vault.api import KeyStore

LOW_BYTES = 1 << 30
GIGABYTE = 1 << 30


@dataclass(frozen=True, slots=True)
class _Check:
    """A probe made of a function."""

    find: Callable[[], Awaitable[Sequence[Finding]]]

    async def findings(self) -> Sequence[Finding]:
        return await self.find()


def probes(*, home: Home, organizations: Organizations, keychain: KeyStore) -> tuple[Probe, ...]:
    """Return the checks in the order in which they are shown."""

    async def keychain_answers() -> Sequence[Finding]:
        return (await _keychain(keychain),)

    async def disk() -> Sequence[Finding]:
        return (_disk(home.folder),)

    async def data() -> Sequence[Finding]:
        from notochord.app.doctor_data import organization_finding

        return [await organization_finding(one, organizations) for one in await organizations.all()]

    return tuple(map(_Check, (_program, _sqlcipher, _deno, _wall, keychain_answers, disk, _local_models, data)))


async def _program() -> Sequence[Finding]:
    return (
        Finding("Notochord", Health.GOOD, "doctor.notochord", {"version": __version__}),
        Finding("Python", Health.GOOD, "doctor.python", {"version": platform.python_version()}),
    )


async def _sqlcipher() -> Sequence[Finding]:
    try:
        import sqlcipher3.dbapi2 as sqlite
    except ImportError as error:
        return (Finding("SQLCipher", Health.BAD, "doctor.sqlcipher.missing", {"problem": str(error)}),)
    connection = sqlite.connect(":memory:")
    try:
        version = connection.execute("PRAGMA cipher_version").fetchone()[0]
    finally:
        connection.close()
    return (Finding("SQLCipher", Health.GOOD, "doctor.sqlcipher", {"version": str(version)}),)


async def _deno() -> Sequence[Finding]:
    try:
        from deno import find_deno_bin

        command = (find_deno_bin(), "--version")
        process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL)
        told, _ = await process.communicate()
        version = told.decode(errors="replace").split()[1]
    except (ImportError, OSError, IndexError) as error:
        return (Finding("Deno", Health.BAD, "doctor.deno.missing", {"problem": str(error)}),)
    return (Finding("Deno", Health.GOOD, "doctor.deno", {"version": version}),)


async def _wall() -> Sequence[Finding]:
    from notochord.adapters.deno.walls import NoWall, wall_of_this_system

    wall = await asyncio.to_thread(wall_of_this_system)
    health = Health.NOTE if isinstance(wall, NoWall) else Health.GOOD
    return (Finding("Sandbox", health, "doctor.wall", {"wall": wall.describe()}),)


async def _keychain(keychain: KeyStore) -> Finding:
    try:
        await keychain.load(NOBODY)
    except NotochordError as error:
        problem = f"{error.code}: {error.detail}"
        return Finding("Keychain", Health.NOTE, "doctor.keychain.missing", {"problem": problem})
    return Finding("Keychain", Health.GOOD, "doctor.keychain", {"backend": platform.system()})


def _disk(folder: Path) -> Finding:
    present = next(one for one in (folder, *folder.parents) if one.exists())
    if not os.access(present, os.W_OK):
        return Finding("Disk", Health.BAD, "doctor.disk.closed", {"path": str(present)})
    free = shutil.disk_usage(present).free
    told = {"free": f"{free / GIGABYTE:.1f}", "path": str(present)}
    if free < LOW_BYTES:
        return Finding("Disk", Health.BAD, "doctor.disk.low", told)
    return Finding("Disk", Health.GOOD, "doctor.disk", told)


async def _local_models() -> Sequence[Finding]:
    """Only look whether the library is there: loading it takes a second, and its crash would be this program's."""
    if importlib.util.find_spec("llama_cpp") is None:
        return (Finding("Local models", Health.NOTE, "doctor.local.missing"),)
    from importlib import metadata

    version = metadata.version("llama-cpp-python")
    return (Finding("Local models", Health.GOOD, "doctor.local", {"version": version}),)
