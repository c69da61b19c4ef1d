"""What the front ends need: the doors of one open organization, and of a home in which none is open yet."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from notochord.core.clock import Clock
from notochord.core.errors import Parameter
from notochord.core.events import EventBus
from notochord.core.paths import Home
from notochord.headless.control.channel import Endpoint
from notochord.services.accounts.api import Accounts
from notochord.services.agents.api import Agents
from notochord.services.approvals.api import Approvals
from notochord.services.chat.api import Chats, Drafts
from notochord.services.data.api import Data
from notochord.services.egress.api import Egress
from notochord.services.files.api import Files, FileVersions
from notochord.services.gem_authoring.api import Workshop
from notochord.services.gem_developers.api import Developers
from notochord.services.gem_pages.api import GemPages
from notochord.services.gems.api import Dossiers, Gems, Packages
from notochord.services.journal.api import Journal
from notochord.services.models.api import Models
from notochord.services.organizations.api import Organizations, Unlocked
from notochord.services.sandbox.api import Sandbox
from notochord.services.settings.api import Settings
from notochord.services.store.api import Store
from notochord.services.tools.api import Tools
from notochord.services.usage.api import Usage
from notochord.services.vault.api import Grants, Vault


@dataclass(frozen=True, slots=True)
class Services:
    """The doors of one open organization."""

    unlocked: Unlocked
    settings: Settings
    vault: Vault
    grants: Grants
    accounts: Accounts
    egress: Egress
    models: Models
    usage: Usage
    tools: Tools
    approvals: Approvals
    journal: Journal
    files: Files
    versions: FileVersions
    data: Data
    gems: Gems
    gem_pages: GemPages
    dossiers: Dossiers
    developers: Developers
    workshop: Workshop
    store: Store
    agents: Agents
    chats: Chats
    drafts: Drafts
    sandbox: Sandbox
    events: EventBus
    clock: Clock


class Opener(Protocol):
    """Opens an organization with everything that works in it."""

    def open(self, organization: str) -> AbstractAsyncContextManager[Services]:
        """Unlock the organization with this id and start its services; leaving the block closes and releases all.

        Entering raises what `Organizations.unlock` raises, and STORE_*.
        """


class Health(StrEnum):
    """How a check of `doctor` ended."""

    GOOD = "good"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found: `subject` such as "Deno" or an organization's name, and a sentence with its parameters."""

    subject: str
    health: Health
    sentence: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


class Probe(Protocol):
    """One check of `doctor`. It reports a failure as a finding and raises nothing but CancelledError."""

    async def findings(self) -> Sequence[Finding]: ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a command has before an organization is open; `workshop` and `packages` are loaded when asked for."""

    home: Home
    organizations: Organizations
    opener: Opener
    endpoint: Endpoint
    probes: Sequence[Probe]
    workshop: Callable[[], Workshop]
    packages: Callable[[], Packages]
    clock: Clock
