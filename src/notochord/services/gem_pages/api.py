"""The door to the pages of installed gems; `services.gems` stands behind it."""

from dataclasses import dataclass
from typing import Protocol

from notochord.core.strict_json import Json


@dataclass(frozen=True, slots=True)
class GemPageDetails:
    """A page that is being opened: `entry` is its first file, `agents` are those of the gem, for its bubbles."""

    gem: str
    gem_name: str
    page: str
    title: str
    entry: str
    agents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PageFile:
    """A file of a page as it was installed; `media_type` follows from its name."""

    content: bytes
    media_type: str


class GemPages(Protocol):
    """The pages of installed gems. Who shows one says whose it is; nothing that a page says is taken for it."""

    async def open(self, gem: str, page: str) -> GemPageDetails:
        """Raises NotochordError: GEM_UNKNOWN, NOT_FOUND."""

    async def file(self, gem: str, path: str) -> PageFile:
        """Return a file below `pages/` as installed. Raises GEM_UNKNOWN, NOT_FOUND, FILES_CHANGED, DISK_IO."""

    async def call(self, gem: str, page: str, tool: str, arguments: Json) -> Json:
        """Call a tool of the gem, exposed or not (GEM-067), without `workspace:` (PERM-108). Raises as `Gems.call`."""
