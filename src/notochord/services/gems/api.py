"""The door to gems."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError, Parameter
from notochord.core.strict_json import Json
from notochord.services.data.api import OwnerStore


class Trust(StrEnum):
    """What the signature of a package says; the order is from most to least.

    A signature with a key that this computer does not know proves nothing: it counts as much as none.
    """

    OFFICIAL = "official"
    DEVELOPER = "developer"
    UNSIGNED = "unsigned"
    UNKNOWN_KEY = "unknown_key"


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

    uses_model: bool = False
    """Whether its tools may ask the user's model."""


class ResourceState(StrEnum):
    """How far a file that a gem declares is."""

    ABSENT = "absent"
    DOWNLOADING = "downloading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class GemResource:
    """A file that Notochord downloads for a gem (RES-019 to RES-022); sizes in bytes.

    `description` is the id where the gem gives none. `required` files come right after the installation, the others
    when a tool first asks. `failure` tells why the last attempt failed.
    """

    id: str
    description: str
    size: int
    hosts: tuple[str, ...]
    required: bool
    state: ResourceState
    received: int
    failure: NotochordError | None = None


@dataclass(frozen=True, slots=True)
class GemResourceChanged:
    """Event: a download began, came further (about a hundred times at most), or ended; `Gems.resources` tells more."""

    gem: str
    resource: str
    received: int


@dataclass(frozen=True, slots=True)
class GemInstalled:
    """Event: a gem was installed, upgraded or reinstalled."""

    gem: str
    version: str


@dataclass(frozen=True, slots=True)
class GemRemoved:
    """Event: a gem, its data and its key are gone."""

    gem: str


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a draft that has to be corrected.

    `path` is the place: in the manifest (`exports.0.description`), or a file of the gem. `kind` names the sentence
    `problem.<kind>`, which says what is wrong and what to do; `detail` says what is wrong in English.
    """

    code: Code
    path: str
    kind: str
    detail: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DraftIdentity:
    """What a new draft is called, and whose it is."""

    id: str
    name: str
    publisher: str


@dataclass(frozen=True, slots=True)
class PackedGem:
    """A package that was written. `key` is the id of the key that signed it; empty for an unsigned one."""

    package: Path
    id: str
    version: str
    files: int
    size: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class DraftTest:
    """How one of a draft's own tests ended. `code` is empty for one that passed; `name` for a file without tests."""

    file: str
    name: str
    code: str = ""
    detail: str = ""


class Workshop(Protocol):
    """What the author of a gem needs before it is installed; no organization has to be open."""

    async def templates(self) -> Sequence[str]:
        """Return the names of the templates that a draft can start from, the simplest first."""

    async def new(self, folder: Path, template: str, identity: DraftIdentity) -> Sequence[str]:
        """Fill a folder, new or empty, from a template; return the files that were written.

        Raises NotochordError: NOT_FOUND (no such template), FILE_EXISTS, INPUT_INVALID, DISK_IO, DISK_FULL.
        """

    async def open_package(self, package: Path, folder: Path) -> Sequence[str]:
        """Fill a folder, new or empty, with the draft that a package can be made of; return the files.

        Raises NotochordError as unpacking does, PERM_INVALID, FILE_EXISTS, DISK_IO, DISK_FULL.
        """

    async def check(self, draft: Path) -> Sequence[Problem]:
        """Return everything that keeps a draft from being packed and installed, the first first.

        Raises NotochordError: FILE_MISSING (no such folder), DISK_IO.
        """

    async def pack(self, draft: Path, package: Path | None = None, *, key: Path | None = None) -> PackedGem:
        """Check a draft and write its package: the same draft gives the same bytes.

        Without `package` it is written beside the draft as `<id>-<version>.gem`; with a key file it is signed. Raises
        NotochordError as `check` and `sign` do, and with the code of the first problem: PERM_INVALID, PATH_TRAVERSAL,
        SIZE_MISMATCH.
        """

    async def sign(self, package: Path, *, key: Path) -> PackedGem:
        """Sign a package in place with a key file, instead of whoever signed it before.

        Raises NotochordError as unpacking does, FILE_MISSING, INPUT_INVALID (no key file, or one that others may read),
        DISK_IO, DISK_FULL.
        """

    async def make_key(self, file: Path) -> str:
        """Write a new private key that only its owner may read, and return the key's id.

        Raises NotochordError: FILE_EXISTS, DISK_IO, DISK_FULL.
        """


@dataclass(frozen=True, slots=True)
class AccountChoice:
    """The user lets a gem use an account for one id (`slot`) of its `permissions.connections`."""

    gem: str
    slot: str
    connection: str


@dataclass(frozen=True, slots=True)
class AccountChosen:
    """What a gem may use for one of its connections is another account now, or none."""

    gem: str


class Gems(Protocol):
    """Installed gems. Their tools reach agents through the registry of `services.tools`."""

    async def check(self, package: Path) -> Gem:
        """Run the six checks on a package without installing it; an unsigned one may pass. Raises as `install` does."""

    async def verify(self, package: Path) -> Gem:
        """Run the six checks on a package that has to be signed with a known key. Raises as `install` does."""

    async def install(self, package: Path, *, allow_unsigned: bool = False) -> Gem:
        """Check, then install, upgrade or reinstall a package: the old state or the new one, never half of it.

        With `allow_unsigned` a package without a signature, or signed with a key that is not known, may be installed.

        Raises NotochordError: PATH_TRAVERSAL, PACKAGE_INVALID, SIG_INVALID, UNKNOWN_KEY, PUBLISHER_MISMATCH, UNSIGNED,
        TRUST_LOWER, PERM_INVALID, VERSION_OLDER, HASH_MISMATCH, SIZE_MISMATCH, ACTIVATION_FAILED, FILE_MISSING,
        DISK_FULL, DISK_IO, and at a first installation whatever opening the gem's store raises.
        """

    async def test(self, draft: Path) -> tuple[DraftTest, ...]:
        """Run a draft's own tests in guests like those of an installed gem, each on empty storage and without network.

        Raises NotochordError: FILE_MISSING, NOT_FOUND (a draft without tests), and with the first problem of the draft
        as `Workshop.pack` does. A test that fails, hangs or ends its process raises nothing.
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

    async def account_choices(self) -> tuple[AccountChoice, ...]:
        """Return which account stands for which id of which gem, as chosen so far."""

    async def call(self, gem: str, tool: str, arguments: Json, folder: Path, cause: Cause) -> Json:
        """Call any tool of a gem as its owner would (the command line, a page); arguments are checked.

        Raises NotochordError: GEM_UNKNOWN, TOOL_UNKNOWN, TOOL_ARGUMENTS, FILES_CHANGED, and as the sandbox does.
        """

    async def data(self, gem: str) -> OwnerStore:
        """Return the gem's own store, for its owner to look into. Raises GEM_UNKNOWN, and as opening the store does."""

    async def resources(self, gem: str) -> tuple[GemResource, ...]:
        """Return the files that Notochord downloads for a gem, in the manifest's order. Raises GEM_UNKNOWN."""

    async def download(self, gem: str, resource: str) -> None:
        """Download a file if it is not there, and return once it is; who stops waiting does not stop it.

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND, RESOURCE_FAILED (with a reason for each address), DISK_FULL,
        DISK_IO, CANCELLED (stopped, or the gem was removed).
        """

    async def stop_download(self, gem: str, resource: str) -> None:
        """Stop a download, for everybody who waits for it. Raises GEM_UNKNOWN, NOT_FOUND."""

    async def close(self) -> None: ...
