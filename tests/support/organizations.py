"""Makes the organizations of a home as the program does, with keys in files or in memory."""

from pathlib import Path

from notochord.adapters.keychain.memory import MemoryKeys
from notochord.adapters.locks.files import FileLocks
from notochord.core.clock import SystemClock
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.core.paths import Home
from notochord.services.organizations.api import KeyPlace
from notochord.services.organizations.service import HomeOrganizations
from notochord.services.vault.api import KeyStore
from notochord.services.vault.key_file import KeyFiles


def organizations_in(
    folder: Path, *, keychain: KeyStore | None = None, redactor: Redactor | None = None
) -> HomeOrganizations:
    """Return the organizations of the home `folder`; without a keychain, an empty one in memory stands for it."""
    home = Home(folder)
    clock = SystemClock()
    return HomeOrganizations(
        home=home,
        key_stores={
            KeyPlace.KEYCHAIN: keychain or MemoryKeys(),
            KeyPlace.FILE: KeyFiles(lambda identifier: home.organization(identifier).key),
            KeyPlace.MEMORY: MemoryKeys(),
        },
        locks=FileLocks(),
        clock=clock,
        ids=IdMaker(clock),
        redactor=redactor or Redactor(),
    )
