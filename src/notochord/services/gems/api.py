"""The door to gems."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.core.caller import Cause
from notochord.core.strict_json import Json
from notochord.services.data.api import OwnerStore


class Trust(StrEnum):
    """What the signature of a package says; the order is from most to least."""

    OFFICIAL = "official"
    DEVELOPER = "developer"
    UNSIGNED = "unsigned"


@dataclass(frozen=True, slots=True)
class GemTool:
    name: str
    description: str
    exposed: bool
    side_effect: str


@dataclass(frozen=True, slots=True)
class Gem:
    """An installed gem, from the record made at its installation."""

    id: str
    name: str
    version: str
    description: str
    trust: Trust
    tools: tuple[GemTool, ...]
    has_skill: bool
    hosts: tuple[str, ...]
    state: str
    """"ready", or the code that stopped it, such as E_FILES_CHANGED."""


@dataclass(frozen=True, slots=True)
class GemInstalled:
    """Event: a gem was installed, upgraded or reinstalled."""

    gem: str
    version: str


@dataclass(frozen=True, slots=True)
class GemRemoved:
    """Event: a gem, its data and its key are gone."""

    gem: str


class Gems(Protocol):
    """Installed gems. Their tools reach agents through the registry of `services.tools`."""

    async def check(self, package: Path) -> Gem:
        """Run the six checks on a package without installing it; an unsigned one may pass. Raises as `install` does."""

    async def install(self, package: Path, *, allow_unsigned: bool = False) -> Gem:
        """Check, then install, upgrade or reinstall a package: the old state or the new one, never half of it.

        Raises NotochordError: PATH_TRAVERSAL, PACKAGE_INVALID, SIG_INVALID, UNKNOWN_KEY, PUBLISHER_MISMATCH, UNSIGNED,
        TRUST_LOWER, PERM_INVALID, VERSION_OLDER, HASH_MISMATCH, SIZE_MISMATCH, ACTIVATION_FAILED, FILE_MISSING,
        DISK_FULL, DISK_IO, and at a first installation whatever opening the gem's store raises.
        """

    async def all(self) -> tuple[Gem, ...]: ...

    async def get(self, gem: str) -> Gem:
        """Raises GEM_UNKNOWN."""

    async def remove(self, gem: str) -> None:
        """Remove code, data and key. Raises GEM_UNKNOWN."""

    async def choose_connection(self, gem: str, slot: str, connection: str) -> None:
        """Let a gem use an account for one id of its `permissions.connections`; an empty one takes it back.

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND.
        """

    async def call(self, gem: str, tool: str, arguments: Json, folder: Path, cause: Cause) -> Json:
        """Call any tool of a gem as its owner would (the command line, a page); arguments are checked.

        Raises NotochordError: GEM_UNKNOWN, TOOL_UNKNOWN, TOOL_ARGUMENTS, FILES_CHANGED, and as the sandbox does.
        """

    async def data(self, gem: str) -> OwnerStore:
        """Return the gem's own store, for its owner to look into. Raises GEM_UNKNOWN, and as opening the store does."""

    async def close(self) -> None: ...
