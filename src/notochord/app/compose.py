"""Composition root: what a command has before an organization is open. What it opens is in `app.organization`."""

import logging
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.adapters.keychain.system import SystemKeychain
from notochord.adapters.locks.files import FileLocks
from notochord.app.doctor import probes
from notochord.app.endpoint import local_endpoint
from notochord.core.clock import Clock, SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.core.paths import Home
from notochord.headless.services import Services, Surroundings
from notochord.services.gem_authoring.api import Workshop
from notochord.services.gems.api import Packages
from notochord.services.organizations.api import KeyPlace
from notochord.services.organizations.service import HomeOrganizations
from notochord.services.vault.key_file import KeyFiles


@asynccontextmanager
async def surround(home: Home, *, has_trash: bool = True) -> AsyncIterator[Surroundings]:
    """Give a command the organizations of a home, and a way to open one.

    Without a trash, as on a server, what agents and gems delete is gone but for the file history (PERM-106, PERM-107).
    Raises NotochordError: INPUT_INVALID for a home that is a file.
    """
    _require_folder(home.folder)
    clock = SystemClock()
    redactor = Redactor()
    _log_to_stderr(redactor)
    keychain = SystemKeychain(clock=clock)
    organizations = HomeOrganizations(
        home=home,
        key_stores=MappingProxyType(
            {
                KeyPlace.KEYCHAIN: keychain,
                KeyPlace.FILE: KeyFiles(lambda identifier: home.organization(identifier).key),
                KeyPlace.MEMORY: MemoryKeys(),
            }
        ),
        locks=FileLocks(),
        clock=clock,
        ids=IdMaker(clock),
        redactor=redactor,
    )
    await organizations.start()
    opener = _Opener(home, organizations, clock, redactor, has_trash)
    yield Surroundings(
        home=home,
        organizations=organizations,
        opener=opener,
        endpoint=local_endpoint(clock),
        probes=probes(home=home, organizations=organizations, keychain=keychain),
        workshop=_workshop,
        packages=_packages,
        clock=clock,
    )


@dataclass(frozen=True, slots=True)
class _Opener:
    home: Home
    organizations: HomeOrganizations
    clock: Clock
    redactor: Redactor
    has_trash: bool

    def open(self, organization: str) -> AbstractAsyncContextManager[Services]:
        from notochord.app.organization import opened

        return opened(
            organization,
            home=self.home,
            organizations=self.organizations,
            clock=self.clock,
            redactor=self.redactor,
            has_trash=self.has_trash,
        )


def _workshop() -> Workshop:
    from notochord.services.data.parsing import faults_of
    from notochord.services.gems.workshop import GemWorkshop

    return GemWorkshop(data_faults=faults_of)


def _packages() -> Packages:
    from notochord.services.data.parsing import faults_of
    from notochord.services.gems.package_checks import PackageChecks

    return PackageChecks(data_faults=faults_of)


def _require_folder(home: Path) -> None:
    """Raise INPUT_INVALID if the home, or a folder on the way to it, is a file."""
    there = next((folder for folder in (home, *home.parents) if folder.exists()), home)
    if there.exists() and not there.is_dir():
        path = str(there)
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, f"{path} is not a folder", path=path, why="why.home_no_folder"
        )


def _log_to_stderr(redactor: Redactor) -> None:
    """Warnings go to standard error, with every secret that was registered hidden."""
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(redactor)
    handler.setFormatter(logging.Formatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
