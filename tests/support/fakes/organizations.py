"""Organizations that are folders, for front ends."""

import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import Home, OrganizationFolder
from notochord.services.organizations.api import KeyPlace, Organization, Unlocked


class FakeOrganizations:
    """One organization for each folder; a file made exclusively is the hold on it, across processes."""

    def __init__(self, home: Home, language: str = "") -> None:
        self._home = home
        self._language = language
        (home.folder / "organizations").mkdir(parents=True, exist_ok=True)

    async def all(self) -> tuple[Organization, ...]:
        current = self._current.read_text() if self._current.exists() else ""
        names = sorted(folder.name for folder in (self._home.folder / "organizations").iterdir())
        return tuple(
            Organization(name, name, KeyPlace.FILE, "print", 0, self._language, name == current) for name in names
        )

    async def find(self, name_or_id: str = "") -> Organization:
        for one in await self.all():
            if one.id == name_or_id or (not name_or_id and one.current):
                return one
        raise NotochordError(Code.ORG_NOT_FOUND, Fault.USER, "no such organization", name=name_or_id)

    async def create(self, name: str, key_place: KeyPlace, language: str = "") -> Organization:
        self._home.organization(name).folder.mkdir(mode=0o700)
        return replace(next(one for one in await self.all() if one.id == name), key_place=key_place)

    async def choose_key_place(self, organization: str, key_place: KeyPlace) -> Organization:
        return replace(await self.find(organization), key_place=key_place)

    async def check_key_place(self, key_place: KeyPlace) -> None:
        return

    async def is_begun(self, organization: str) -> bool:
        return False

    async def lend(self, organization: str, file: Path) -> None:
        return

    @asynccontextmanager
    async def reserved(self, organization: str) -> AsyncIterator[OrganizationFolder]:
        unlocked = await self.unlock(organization)
        yield unlocked.folder
        await self.release(unlocked)

    async def adopt(self, folder: Path) -> Organization:
        return await self.find(folder.name)

    async def rename(self, organization: str, name: str) -> Organization:
        self._home.organization(organization).folder.rename(self._home.organization(name).folder)
        return await self.find(name)

    async def make_current(self, organization: str) -> Organization:
        self._current.write_text(organization)
        return await self.find(organization)

    async def set_language(self, organization: str, language: str) -> Organization:
        self._language = language
        return await self.find(organization)

    async def finish_setup_step(self, organization: str, step: int) -> Organization:
        return replace(await self.find(organization), setup_step=step)

    async def unlock(self, organization: str) -> Unlocked:
        held = self._home.organization(organization).folder / "held"
        with contextlib.suppress(FileNotFoundError, ValueError):
            holder = int(held.read_text())
            if _alive(holder):
                raise NotochordError(Code.ORG_OPEN, Fault.USER, "held", pid=holder, name=organization)
            held.unlink()
        try:
            descriptor = os.open(held, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError as error:
            raise NotochordError(Code.ORG_OPEN, Fault.USER, "held", pid=0, name=organization) from error
        os.write(descriptor, str(os.getpid()).encode())
        os.close(descriptor)
        return Unlocked(await self.find(organization), self._home.organization(organization), b"\0" * 32)

    async def release(self, unlocked: Unlocked) -> None:
        (unlocked.folder.folder / "held").unlink(missing_ok=True)

    async def check_recovery_file(self, file: Path) -> None:
        if file.exists():
            raise NotochordError(Code.FILE_EXISTS, Fault.USER, "there", path=file.name)

    async def save_recovery_key(self, organization: str, file: Path) -> None:
        with file.open("x") as opened:
            opened.write("recovery of " + organization)

    async def recover(self, organization: str, file: Path) -> None:
        if file.read_text() != "recovery of " + organization:
            raise NotochordError(Code.RECOVERY_OTHER_ORG, Fault.USER, "another organization's")

    async def delete(self, organization: str, typed_name: str) -> None:
        self._home.organization(organization).folder.rmdir()

    @property
    def _current(self) -> Path:
        return self._home.folder / "current"


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
