"""The door to the store."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from notochord.core.errors import NotochordError
from notochord.services.gems.api import Dossier, Gem, Standing
from notochord.services.settings.api import Setting

SOURCE: Setting[str] = Setting("store.source", "https://download.notochord.ai/gems/index.json")
"""Where the list comes from; empty: only what came with the program (APP-030)."""

Arrived = Callable[[int, int], None]
"""Hears how many bytes of how many are here."""


@dataclass(frozen=True, slots=True)
class ListedGem:
    """A gem of the store. `dossier` is proved by the official signature; `texts` is the list's own wording.

    `texts` has name and description by language; `size` are the bytes to download, 0 for one that came with the
    program; `installed` the version that is installed, empty for none; `asks_more` tells of an update that it asks for
    more than that version.
    """

    dossier: Dossier
    standing: Standing
    size: int
    installed: str = ""
    texts: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    asks_more: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """What the store has. `came_at` is when the list came, in milliseconds, 0 for never; `left_out` counts entries
    that were not accepted; `failure` tells why it could not be brought up to date."""

    gems: tuple[ListedGem, ...]
    source: str
    came_at: int = 0
    left_out: int = 0
    failure: NotochordError | None = None


@dataclass(frozen=True, slots=True)
class StoreListed:
    """Event: another list came, or the list comes from elsewhere now."""


class Store(Protocol):
    """Published gems. Only `refresh`, `install` and `repair` reach out, and only to where the list is from, or says.

    Whatever names a gem raises LISTING_UNKNOWN for one that is not listed.
    """

    async def known(self) -> Listing:
        """Return what is known on this computer: the last list, and what came with the program."""

    async def refresh(self) -> Listing:
        """Fetch the list. A failure is told in the answer, which has then what was known before.

        It carries one of: NETWORK_*, TIMEOUT, PAYLOAD_TOO_LARGE, LISTING_INVALID, LISTING_REFUSED, DISK_FULL, DISK_IO.
        """

    async def get(self, gem: str) -> ListedGem:
        """Return one gem."""

    async def document(self, gem: str, path: str) -> str:
        """Return a document of a gem's introduction, as its author signed it. Raises NOT_FOUND, DISK_IO."""

    async def install(self, gem: str, *, arrived: Arrived | None = None) -> Gem:
        """Install or update a gem; cancelling it before the package is whole changes nothing.

        Raises NotochordError: NETWORK_*, TIMEOUT, LISTING_REFUSED, LISTING_MISMATCH (another size, hash or content than
        listed), DISK_FULL, DISK_IO, and as `Publications.install` does.
        """

    async def updates(self) -> Mapping[str, str]:
        """Return the installed gems of which a later version is known, with that version."""

    async def asks_more(self, gem: str) -> bool:
        """Tell whether the update of a gem asks for more than the installed version (SOP-150, SOP-151)."""

    async def available(self, gem: str) -> bool:
        """Tell whether a gem's files can be had again: it is official, and listed in its version or a later one."""

    async def repair(self, gem: str) -> None:
        """Put the files of a gem back; its data and settings stay (PKG-085 to PKG-087). Raises as `install`."""

    def source(self) -> str:
        """Return where the list comes from."""

    async def change_source(self, address: str) -> None:
        """Take the list from another https address, or with an empty one from nowhere. Raises INPUT_INVALID."""
