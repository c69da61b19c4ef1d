"""What keeps an organization from opening, and what can be done about it."""

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.observable import Observable
from notochord.services.organizations.api import KeyPlace, Organization, Organizations


class Kind(StrEnum):
    """Which screen tells it."""

    KEY_MISSING = "key_missing"
    KEY_WRONG = "key_wrong"
    KEYCHAIN = "keychain"
    HELD = "held"
    DAMAGED = "damaged"
    NEWER = "newer"
    DISK = "disk"
    OTHER = "other"


class Remedy(StrEnum):
    """What a person can do there; the first one of a screen is the primary one."""

    RETRY = "retry"
    RECOVERY_KEY = "recovery_key"
    SHOW_FOLDER = "show_folder"
    NEW_ORGANIZATION = "new_organization"


KINDS: Mapping[Code, Kind] = {
    Code.KEY_MISSING: Kind.KEY_MISSING,
    Code.KEY_WRONG: Kind.KEY_WRONG,
    Code.KEYCHAIN_LOCKED: Kind.KEYCHAIN,
    Code.KEYCHAIN_REFUSED: Kind.KEYCHAIN,
    Code.KEYCHAIN_TIMEOUT: Kind.KEYCHAIN,
    Code.KEYCHAIN_UNAVAILABLE: Kind.KEYCHAIN,
    Code.ORG_OPEN: Kind.HELD,
    Code.ORG_DAMAGED: Kind.DAMAGED,
    Code.ORG_MISMATCH: Kind.DAMAGED,
    Code.STORE_DAMAGED: Kind.DAMAGED,
    Code.STORE_UNREADABLE: Kind.DAMAGED,
    Code.STORE_NEWER: Kind.NEWER,
    Code.STORE_READ_ONLY: Kind.DISK,
    Code.STORE_LOCKED: Kind.DISK,
    Code.DISK_FULL: Kind.DISK,
    Code.DISK_IO: Kind.DISK,
}

REMEDIES: Mapping[Kind, tuple[Remedy, ...]] = {
    Kind.KEY_MISSING: (Remedy.RECOVERY_KEY, Remedy.NEW_ORGANIZATION, Remedy.RETRY),
    Kind.KEY_WRONG: (Remedy.RECOVERY_KEY, Remedy.NEW_ORGANIZATION),
    Kind.KEYCHAIN: (Remedy.RETRY, Remedy.RECOVERY_KEY, Remedy.NEW_ORGANIZATION),
    Kind.HELD: (Remedy.RETRY,),
    Kind.DAMAGED: (Remedy.SHOW_FOLDER, Remedy.RETRY, Remedy.NEW_ORGANIZATION),
    Kind.NEWER: (Remedy.RETRY, Remedy.NEW_ORGANIZATION),
    Kind.DISK: (Remedy.RETRY, Remedy.SHOW_FOLDER),
    Kind.OTHER: (Remedy.RETRY, Remedy.SHOW_FOLDER),
}
"""ORG-018, ORG-019; the keychain first asks again (OPEN-022). Existing data is never replaced."""

_NO_KEYCHAIN = {
    Code.KEYCHAIN_LOCKED,
    Code.KEYCHAIN_REFUSED,
    Code.KEYCHAIN_TIMEOUT,
    Code.KEYCHAIN_UNAVAILABLE,
}


class Trouble:
    """One organization that did not open. `leave` is called with the id of the organization to try next."""

    def __init__(
        self,
        *,
        organizations: Organizations,
        organization: Organization | None,
        error: NotochordError,
        folder: Path,
        leave: Callable[[str], None],
    ) -> None:
        self._organizations = organizations
        self._leave = leave
        self.organization = organization
        self.error = error
        self.folder = folder
        self.kind = KINDS.get(error.code, Kind.OTHER)
        self.remedies = tuple(one for one in REMEDIES[self.kind] if organization or one is not Remedy.RECOVERY_KEY)
        self.others: Observable[tuple[Organization, ...]] = Observable(())

    async def start(self) -> None:
        """Find the organizations that could be opened instead."""
        wanted = self.organization.id if self.organization else ""
        self.others.set(tuple(one for one in await self._organizations.all() if one.id != wanted))

    async def retry(self) -> None:
        """Try again to open it."""
        self._leave(self.organization.id if self.organization else "")

    async def recover(self, file: Path) -> None:
        """Put the key from a recovery key file back, then open; if no keychain keeps it, open for this once.

        Raises RECOVERY_INVALID, RECOVERY_OTHER_ORG, KEY_WRONG, FILE_MISSING; nothing is changed then.
        """
        if self.organization is None:
            return
        try:
            await self._organizations.recover(self.organization.id, file)
        except NotochordError as error:
            if error.code not in _NO_KEYCHAIN:
                raise
            await self._organizations.lend(self.organization.id, file)
        self._leave(self.organization.id)

    async def create(self, name: str) -> None:
        """Make another organization and open it; this one stays as it is (ORG-019). Raises INPUT_INVALID."""
        language = self.organization.language if self.organization else ""
        made = await self._organizations.create(name, KeyPlace.UNDECIDED, language)
        await self.switch(made.id)

    async def switch(self, organization: str) -> None:
        """Open another organization from now on."""
        await self._organizations.make_current(organization)
        self._leave(organization)
