"""The door to organizations."""

from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.core.paths import OrganizationFolder


class KeyPlace(StrEnum):
    """Where an organization's key lies. MEMORY ends with the process and is for throw-away homes only.

    UNDECIDED: nobody has chosen yet, so that there is neither a key nor a store.
    """

    KEYCHAIN = "keychain"
    FILE = "file"
    MEMORY = "memory"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Organization:
    """What is known of an organization without its key; `setup_step` counts finished steps of the first-run set-up."""

    id: str
    name: str
    key_place: KeyPlace
    fingerprint: str
    setup_step: int
    language: str
    current: bool


@dataclass(frozen=True, slots=True)
class Unlocked:
    """An organization that this process holds, with its key; closing the process or `release` gives it back."""

    organization: Organization
    folder: OrganizationFolder
    key: bytes

    def __repr__(self) -> str:
        return f"Unlocked({self.organization.id})"


class Organizations(Protocol):
    """The organizations in one home."""

    async def all(self) -> tuple[Organization, ...]:
        """Return them by name; folders that were copied in are found and listed."""

    async def find(self, name_or_id: str = "") -> Organization:
        """Return one by id or exact name, the current one for an empty text.

        Raises NotochordError: ORG_NONE (there is none at all), ORG_NOT_FOUND, ORG_AMBIGUOUS.
        """

    async def create(self, name: str, key_place: KeyPlace, language: str = "") -> Organization:
        """Make an organization and its key; UNDECIDED leaves both for `choose_key_place`. `language`: `set_language`.

        Raises INPUT_INVALID for an empty name or an unknown language, KEYCHAIN_*.
        """

    async def choose_key_place(self, organization: str, key_place: KeyPlace) -> Organization:
        """Give an organization in which nothing is kept yet its key and an empty store (SETUP-011).

        The place that it has already changes nothing. Raises ORG_DECIDED once the choice stands (SETUP-028), ORG_OPEN,
        KEYCHAIN_*; then it is as it was, or undecided.
        """

    async def is_begun(self, organization: str) -> bool:
        """Tell whether something is kept in it, so that the place of its key stands (SETUP-028).

        Raises NotochordError: KEY_MISSING, KEYCHAIN_*, STORE_*, DISK_*.
        """

    async def check_key_place(self, key_place: KeyPlace) -> None:
        """Return if keys can be kept there on this computer (OPEN-021). Raises NotochordError: KEYCHAIN_*."""

    def reserved(self, organization: str) -> AbstractAsyncContextManager[OrganizationFolder]:
        """Keep other processes out of an organization that has no key yet, for as long as the block runs.

        Entering raises NotochordError: ORG_OPEN.
        """

    async def adopt(self, folder: Path) -> Organization:
        """Copy organizations from another home, or one organization's folder, into this home; return the one to open.

        Raises NotochordError: ORG_NO_DATA (no organization lies there), ORG_EXISTS (it is here already), ORG_OPEN,
        ORG_DAMAGED, DISK_*. Nothing in `folder` is changed, and a copy cut short is none.
        """

    async def rename(self, organization: str, name: str) -> Organization:
        """Change the display name."""

    async def set_language(self, organization: str, language: str) -> Organization:
        """Change the language of its texts, such as "zh_CN"; empty: the system's. Raises INPUT_INVALID."""

    async def finish_setup_step(self, organization: str, step: int) -> Organization:
        """Note that the first `step` steps of the set-up are done, so that it goes on there; it never goes back."""

    async def make_current(self, organization: str) -> Organization:
        """Let it be the one that is opened when none is named."""

    async def unlock(self, organization: str) -> Unlocked:
        """Take hold of an organization for this process, with the right key.

        Raises NotochordError: ORG_OPEN (held by process `pid`), KEY_MISSING, KEY_WRONG, ORG_DAMAGED, ORG_UNDECIDED,
        KEYCHAIN_*.
        Never makes a new store in place of one whose key is missing.
        """

    async def release(self, unlocked: Unlocked) -> None:
        """Give the organization back."""

    async def check_recovery_file(self, file: Path) -> None:
        """Tell before anything is made whether a recovery key can be saved there. Raises FILE_EXISTS, INPUT_INVALID."""

    async def save_recovery_key(self, organization: str, file: Path) -> None:
        """Write the recovery key file. Raises INPUT_INVALID for a place inside the home; never overwrites."""

    async def recover(self, organization: str, file: Path) -> None:
        """Put the key from a recovery key file back into its place, if it opens this organization.

        Raises NotochordError: RECOVERY_INVALID (damaged), RECOVERY_OTHER_ORG; nothing is changed then.
        """

    async def lend(self, organization: str, file: Path) -> None:
        """Open it with the key from a recovery key file until this process ends, where no keychain would keep the key.

        Raises as `recover`, but for KEYCHAIN_*.
        """

    async def delete(self, organization: str, typed_name: str) -> None:
        """Destroy the key, then the data. Raises INPUT_INVALID unless the name is exact, ORG_OPEN, ORG_LAST."""
