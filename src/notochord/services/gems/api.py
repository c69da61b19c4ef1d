"""The door to gems."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.agents.api import model_setting
from notochord.services.data.api import OwnerStore
from notochord.services.gem_authoring.api import DraftTest
from notochord.services.gem_logs.api import LogLine
from notochord.services.gem_sources.api import GemRights as GemRights
from notochord.services.gem_sources.api import GemRightsChanged as GemRightsChanged
from notochord.services.gem_sources.api import KnowledgeFolder as KnowledgeFolder
from notochord.services.gem_sources.api import KnowledgePredicate as KnowledgePredicate
from notochord.services.gem_sources.api import KnowledgeRight as KnowledgeRight
from notochord.services.gem_sources.api import Mailbox as Mailbox
from notochord.services.raw_databases.api import RawTable
from notochord.services.settings.api import Setting


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
class GemAgent:
    """An agent of a gem. `requires` is what its model should be able to do, such as `image_input`."""

    name: str
    description: str
    exposed: bool
    tools: tuple[str, ...] = ()
    platform_tools: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()


def agent_name(gem: str, agent: str) -> str:
    """Return the name of a gem's agent among all agents."""
    return f"gem.{gem}.{agent}"


def agent_model(gem: str, agent: str) -> Setting[str]:
    """Return the setting that gives an agent of a gem its role or model; empty means the role `chat` (AGENT-041)."""
    return model_setting(agent_name(gem, agent))


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

    agents: tuple[GemAgent, ...] = ()
    knowledge: tuple[str, ...] = ()
    """The knowledge permissions that it asks for; `GemGrants` tells which of them are on."""

    reads_mail: bool = False


class ModelNotice(StrEnum):
    """What there is to say of the model chosen for an agent (AGENT-051 to AGENT-054)."""

    NONE = ""
    LACKS = "lacks"
    UNKNOWN = "unknown"
    NO_MODEL = "no_model"


class ResourceState(StrEnum):
    """How far a file that a gem declares is."""

    ABSENT = "absent"
    DOWNLOADING = "downloading"
    READY = "ready"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class ExtraFile:
    """What a manifest says of a file that is downloaded: right after the installation if `required`, else when a tool
    first asks (RES-019 to RES-022, RES-044). `size` in bytes; `description` is the id where there is none."""

    description: str
    size: int
    hosts: tuple[str, ...]
    required: bool


@dataclass(frozen=True, slots=True)
class GemResource(ExtraFile):
    """A file that Notochord downloads for a gem, and how far it is; `failure` tells why the last attempt failed."""

    id: str
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
class GemChanged:
    """Event: the code of a gem failed again, or the state of its files is another."""

    gem: str


@dataclass(frozen=True, slots=True)
class GemProcedure:
    """An SOP of a gem. `trigger` is "manual", "cron" or "event"; `when` the five fields or the name of the event.

    `calls` are the targets that were found in its code at the installation, such as `tool.save`, `agent.helper` and
    `storage.kv.get`; none are known of a gem that is not installed.
    """

    name: str
    description: str
    trigger: str = "manual"
    when: str = ""
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AskedAccount:
    """An account that a gem asks for. `account` is the connection that was chosen, which may be gone; "" for none."""

    slot: str
    reason: str
    account: str = ""


@dataclass(frozen=True, slots=True)
class GemFailure:
    """How often the gem's own code failed at one place in one way; never what it was working on (GEMUI-048)."""

    place: str
    code: str
    count: int
    last_at: int


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything that is known of an installed gem: what it is, asks for, was granted, and where it failed.

    All but the grants and the failures is from the record made at the installation. `size` are the bytes of its files,
    `changed_file` the first file that differs while the state is E_FILES_CHANGED.
    """

    gem: Gem
    publisher: str
    installed_at: int
    size: int
    procedures: tuple[GemProcedure, ...] = ()
    pages: tuple[tuple[str, str], ...] = ()
    """Name and title of each."""

    references: tuple[str, ...] = ()
    network_reason: str = ""
    local_network: bool = False
    accounts: tuple[AskedAccount, ...] = ()
    rights: GemRights = field(default_factory=GemRights)
    failures: tuple[GemFailure, ...] = ()
    changed_file: str = ""
    documents: tuple["GemDocument", ...] = ()
    files: tuple[ExtraFile, ...] = ()


class DocumentKind(StrEnum):
    """What a file of `docs/` is."""

    README = "readme"
    PROMPT = "prompt"
    EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class GemDocument:
    """A file of a gem's introduction in one language; those with the same kind and name are one entry (DOCS-019)."""

    kind: DocumentKind
    name: str
    language: str
    path: str


MAX_DOCUMENT_BYTES = 1_048_576

Exported = Callable[[int], None]
"""Hears how many records are written so far."""


class GemGrants(Protocol):
    """What the user allows gems. All is off after the installation, and new requests of an upgrade are off."""

    async def rights(self, gem: str) -> GemRights:
        """Return what a gem asks for and what is allowed now. Raises GEM_UNKNOWN."""

    async def mailboxes(self) -> tuple[Mailbox, ...]:
        """Return the mail accounts that can be allowed."""

    async def folders(self) -> tuple[KnowledgeFolder, ...]:
        """Return the folders of the knowledge base that can be chosen; none while there is no knowledge base."""

    async def allow_knowledge(self, gem: str, permission: str, *, allowed: bool) -> None:
        """Turn one of the permissions that a gem asks for on or off, from its next call on.

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND (the gem does not ask for it).
        """

    async def choose_collections(self, gem: str, permission: str, collections: Collection[str]) -> None:
        """Say which folders a permission with the target `user-selected` reaches, with all below them (PERM-160).

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND (the gem does not ask for it, or there is no such folder).
        """

    async def choose_mailboxes(self, gem: str, mailboxes: Collection[str], *, every: bool = False) -> None:
        """Say which mailboxes a gem may read; with `every` all, those added later too (TOOL-091, TOOL-092).

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND (the gem does not ask for mail, or there is no such mailbox).
        """

    async def choose_working_folder(self, gem: str, folder: Path | None) -> None:
        """Say in which folder the SOPs of a gem work that start by themselves; None for no folder (PERM-114 to 117).

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND (it has no such SOP), FOLDER_REFUSED.
        """

    async def working_folder_lost(self, gem: str) -> bool:
        """Tell whether the folder that was chosen cannot be used any more. Raises GEM_UNKNOWN."""

    async def model_notice(self, gem: str, agent: str, chosen: str) -> ModelNotice:
        """Compare a role or model, as `agent_model` holds it, with what an agent requires; it never forbids anything.

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND (no such agent).
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


class Packages(Protocol):
    """What a package is by itself; no organization has to be open, and what is installed makes no difference."""

    async def check(self, package: Path) -> Dossier:
        """Run the six checks; a package without a signature, or with an unknown key, may pass.

        Raises NotochordError as `Gems.install` does, but for UNSIGNED, TRUST_LOWER, VERSION_OLDER, ACTIVATION_FAILED.
        """

    async def verify(self, package: Path) -> Dossier:
        """Run them on a package that has to be signed with a known key. Raises as `check`, UNSIGNED, UNKNOWN_KEY."""


class Gems(Protocol):
    """Installed gems. Their tools reach agents through the registry of `services.tools`."""

    @property
    def grants(self) -> GemGrants: ...

    async def check(self, package: Path) -> Gem:
        """Run the six checks on a package without installing it; an unsigned one may pass. Raises as `install` does."""

    async def install(self, package: Path, *, allow_unsigned: bool = False) -> Gem:
        """Check, then install, upgrade or reinstall a package: the old state or the new one, never half of it.

        With `allow_unsigned` a package without a signature, or signed with a key that is not known, may be installed.

        Raises NotochordError: PATH_TRAVERSAL, PACKAGE_INVALID, SIG_INVALID, UNKNOWN_KEY, PUBLISHER_MISMATCH, UNSIGNED,
        TRUST_LOWER, PERM_INVALID, WORKFLOW_INVALID, INPUT_INVALID, VERSION_OLDER, HASH_MISMATCH, SIZE_MISMATCH,
        ACTIVATION_FAILED, FILE_MISSING, DISK_FULL, DISK_IO, and at a first installation whatever opening the gem's
        store raises.
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

    async def raw_tables(self, gem: str) -> tuple[RawTable, ...]:
        """Return the tables of the gem's raw database, none without one. Raises GEM_UNKNOWN, and as opening it does."""

    async def log(self, gem: str, count: int) -> tuple[LogLine, ...]:
        """Return the last lines of the gem's log, the oldest first. Raises GEM_UNKNOWN."""

    async def resources(self, gem: str) -> tuple[GemResource, ...]:
        """Return the files that Notochord downloads for a gem, in the manifest's order. Raises GEM_UNKNOWN."""

    async def download(self, gem: str, resource: str) -> None:
        """Download a file if it is not there, and return once it is; who stops waiting does not stop it.

        Raises NotochordError: GEM_UNKNOWN, NOT_FOUND, RESOURCE_FAILED (with a reason for each address), DISK_FULL,
        DISK_IO, CANCELLED (the gem was removed or replaced).
        """

    async def close(self) -> None: ...


class Standing(StrEnum):
    """How a published gem stands to what is installed here; OTHER: another publisher's gem has its id."""

    AVAILABLE = "available"
    INSTALLED = "installed"
    UPDATE = "update"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Publication:
    """A gem that an official signature vouches for, before its package is here.

    `dossier` tells what it is and can do, with nothing granted; `manifest` are the bytes that were signed; `digests`
    the SHA-256 of each document.
    """

    dossier: Dossier
    manifest: bytes = field(repr=False)
    digests: Mapping[str, str] = field(repr=False)


class Publications(Protocol):
    """Published gems: what a list says of them counts only as far as the signature of the manifest reaches."""

    def read(self, manifest: Json, signature: Json) -> Publication:
        """Check a packaged manifest with its signature; takes about a millisecond.

        Raises NotochordError: SIG_INVALID, UNKNOWN_KEY, GEM_NOT_OFFICIAL, PERM_INVALID, PUBLISHER_MISMATCH.
        """

    def standing(self, publication: Publication) -> Standing:
        """Compare a publication with what is installed."""

    def asks_more(self, publication: Publication) -> bool:
        """Tell whether it asks for more than the installed version does, or starts by itself where that does not."""

    def is_newer(self, one: Publication, than: Publication) -> bool:
        """Compare the versions of two publications."""

    async def install(self, package: Path, publication: Publication) -> Gem:
        """Install, update or repair with a package that is exactly this publication; data and settings stay.

        Raises NotochordError: GEM_NOT_OFFICIAL, LISTING_MISMATCH (another gem, version or content), PUBLISHER_MISMATCH
        (the id belongs to another publisher's gem here), and as `Gems.install` does.
        """


class Dossiers(Protocol):
    """What the owner of an installed gem sees of it and sets for it. Everything raises GEM_UNKNOWN."""

    async def all(self) -> tuple[Dossier, ...]:
        """Return the dossiers of all installed gems, by id."""

    async def get(self, gem: str) -> Dossier: ...

    async def verify(self, gem: str) -> Dossier:
        """Read every file of a gem, and return how it stands; files that changed stop it (PKG-075)."""

    async def document(self, gem: str, path: str) -> str:
        """Return a file of `docs/`, as it was installed.

        Raises NotochordError: NOT_FOUND, PAYLOAD_TOO_LARGE (over MAX_DOCUMENT_BYTES), FILES_CHANGED, DISK_IO.
        """

    async def export(self, gem: str, collection: str, file: Path, *, progress: Exported | None = None) -> int:
        """Write a collection as JSON lines into a file that only its owner may read; return how many there are.

        What was there before stays until all is written; cancelling leaves it as it was. Raises NotochordError:
        INPUT_INVALID (no such collection), DISK_FULL, DISK_IO, and as opening the store does.
        """
