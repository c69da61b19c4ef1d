"""The gems of one organization: what is installed, changing it, and calling their tools."""

from pathlib import Path

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.core.strict_json import Json
from notochord.persistence.database import Database
from notochord.services.agents.api import SubAgents
from notochord.services.approvals.api import Approvals
from notochord.services.data.api import Data, OwnerStore
from notochord.services.egress.api import Egress, Gateway
from notochord.services.extract.api import Extract
from notochord.services.files.api import Files
from notochord.services.gem_authoring.api import DraftTest
from notochord.services.gem_logs.api import GemLogs, LogLine
from notochord.services.gems.account_rights import AccountRights
from notochord.services.gems.agent_tools import CONSENT, GemAgentTools
from notochord.services.gems.api import (
    AccountChoice,
    AccountChosen,
    Gem,
    GemInstalled,
    GemRemoved,
    GemResource,
    agent_model,
)
from notochord.services.gems.calls import CallParts, CallPlace, ToolCalls, raw_source_of, source_of
from notochord.services.gems.described import described
from notochord.services.gems.developers import StoredDevelopers
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.dossiers import StoredDossiers
from notochord.services.gems.draft_tests import DraftTests
from notochord.services.gems.failures import Failures
from notochord.services.gems.gem_agents import StoredGemAgents
from notochord.services.gems.grants.store import GrantStore
from notochord.services.gems.installed import READY, InstalledGem, Library
from notochord.services.gems.installer import Boundary, Installer, unknown
from notochord.services.gems.package_folders import PackageFolders
from notochord.services.gems.pages import PageService
from notochord.services.gems.ports import Knowledge, Mail, NoKnowledge, NoMail
from notochord.services.gems.provider import GemTools
from notochord.services.gems.publications import OfficialPublications
from notochord.services.gems.records import Records
from notochord.services.gems.resource_declarations import ResourceRecord, resources_of
from notochord.services.gems.resources import GemResources
from notochord.services.gems.rights import Rights
from notochord.services.gems.signatures import TrustedKeys
from notochord.services.gems.skill import SkillReader
from notochord.services.gems.work import Work
from notochord.services.models.api import Models
from notochord.services.raw_databases.api import RawDatabases, RawTable
from notochord.services.sandbox.api import Sandbox
from notochord.services.settings.api import Settings
from notochord.services.tools.api import Tools
from notochord.services.vault.api import Grants


class GemService:
    """Installed gems. `provider` is to be registered with the tools; `start` comes before everything else.

    `developers` are those whose signatures the user trusts.
    """

    def __init__(
        self,
        *,
        database: Database,
        folder: OrganizationFolder,
        data: Data,
        raw_databases: RawDatabases,
        files: Files,
        egress: Egress,
        downloads: Gateway,
        extract: Extract,
        models: Models,
        sandbox: Sandbox,
        tools: Tools,
        approvals: Approvals,
        settings: Settings,
        logs: GemLogs,
        account_grants: Grants,
        bus: EventBus,
        clock: Clock,
        mail: Mail | None = None,
        knowledge: Knowledge | None = None,
        keys: TrustedKeys | None = None,
        boundary: Boundary = lambda name: None,
    ) -> None:
        self._records = Records(database)
        self._failures = Failures(database=database, clock=clock, bus=bus)
        self._library = Library(sandbox)
        self._data = data
        self._files = files
        self._raw = raw_databases
        self._logs = logs
        self._store_folder = folder.gem_store
        self._bus = bus
        mail, knowledge, grants = mail or NoMail(), knowledge or NoKnowledge(), GrantStore(database)
        self._rights = Rights(
            library=self._library, store=grants, mail=mail, knowledge=knowledge, files=files, models=models, bus=bus
        )
        self._approvals = approvals
        self._settings = settings
        self.developers = StoredDevelopers(database=database, clock=clock, bus=bus, built_in=keys or TrustedKeys())
        ids = self._ids = IdMaker(clock)
        folders = PackageFolders(folder.packages, ids)
        self._installer = self._new_installer(folders, sandbox, clock, boundary)
        self._resources = GemResources(gateway=downloads, store_folder=folder.gem_store, bus=bus)
        parts = CallParts(
            records=self._records, failures=self._failures, data=data, raw=raw_databases, files=files, egress=egress,
            models=models, extract=extract, resources=self._resources, sandbox=sandbox, tools=tools, logs=logs,
            clock=clock, ids=ids, store_folder=folder.gem_store, grants=grants, mail=mail, knowledge=knowledge,
            accounts=AccountRights(records=self._records, grants=account_grants),
        )  # fmt: skip
        self._calls = ToolCalls(library=self._library, parts=parts)
        self._tests = DraftTests(parts=parts, folders=folders, clock=clock)
        self.provider = GemTools(library=self._library, skills=SkillReader(self._library), calls=self._calls)

    def _new_installer(self, folders: PackageFolders, sandbox: Sandbox, clock: Clock, boundary: Boundary) -> Installer:
        return Installer(
            records=self._records,
            library=self._library,
            folders=folders,
            data=self._data,
            raw=self._raw,
            sandbox=sandbox,
            clock=clock,
            keys=self.developers.trusted,
            store_folder=self._store_folder,
            boundary=boundary,
        )

    @property
    def pages(self) -> PageService:
        """The pages of gems."""
        return PageService(library=self._library, calls=self._calls, ids=self._ids, store_folder=self._store_folder)

    @property
    def dossiers(self) -> StoredDossiers:
        """What the owner sees of each gem."""
        return StoredDossiers(
            library=self._library,
            records=self._records,
            rights=self._rights,
            failures=self._failures,
            describe=_of,
            store=self.data,
            bus=self._bus,
        )

    @property
    def publications(self) -> OfficialPublications:
        """Published gems, for the store."""
        return OfficialPublications(
            keys=self.developers.trusted, library=self._library, installer=self._installer, bus=self._bus
        )

    @property
    def grants(self) -> Rights:
        """What the user allows gems."""
        return self._rights

    @property
    def agents(self) -> StoredGemAgents:
        """The agents of gems, for conversations with them."""
        return StoredGemAgents(self._library)

    def agent_tools(self, sub_agents: SubAgents) -> GemAgentTools:
        """Return the source of tools that are agents of gems, to be registered too; `sub_agents` runs them."""
        return GemAgentTools(library=self._library, files=self._files, sub_agents=sub_agents)

    async def start(self) -> None:
        """Finish what was interrupted and read what is installed."""
        await self.developers.start()
        with disk_failures():
            await self._installer.start()
        for gem in self._library.all():
            await self._resources.settle(gem.record.id, _declared(gem), starting=True)

    async def check(self, package: Path) -> Gem:
        with disk_failures():
            checked = await self._installer.check(package)
        return described(checked.manifest, checked.trust, READY)

    async def install(self, package: Path, *, allow_unsigned: bool = False) -> Gem:
        with disk_failures():
            gem = await self._installer.install(package, allow_unsigned=allow_unsigned)
        await self._resources.settle(gem.record.id, _declared(gem))
        self._bus.publish(GemInstalled(gem.record.id, gem.record.manifest.version))
        return _of(gem)

    async def test(self, draft: Path) -> tuple[DraftTest, ...]:
        with disk_failures():
            return await self._tests.run(draft)

    async def all(self) -> tuple[Gem, ...]:
        return tuple(_of(gem) for gem in self._library.all())

    async def get(self, gem: str) -> Gem:
        return _of(self._installed(gem))

    async def remove(self, gem: str) -> None:
        agents = self._installed(gem).record.manifest.agents
        # First: another gem that gets this id later must not have the consent that was given to this one.
        await self._approvals.revoke(CONSENT, gem)
        for chosen in (agent_model(gem, agent.name) for agent in agents):
            if self._settings.current(chosen):
                await self._settings.change(chosen, "")
        await self._resources.forget(gem)
        try:
            with disk_failures():
                await self._installer.remove(gem)
        finally:
            if (still := self._library.get(gem)) is not None:
                await self._resources.settle(gem, _declared(still))
        await self._logs.forget(gem)
        self._bus.publish(GemRemoved(gem))

    async def choose_connection(self, gem: str, slot: str, connection: str) -> None:
        manifest = self._installed(gem).record.manifest
        if slot not in manifest.connections:
            detail = f"{gem} asks for no account {slot[:64]!r}"
            raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, why="why.account_slot")
        await self._records.choose_connection(gem, slot, connection)
        self._bus.publish(AccountChosen(gem))

    async def account_choices(self) -> tuple[AccountChoice, ...]:
        return await self._records.connections()

    async def call(self, gem: str, tool: str, arguments: Json, folder: Path, cause: Cause) -> Json:
        installed = self._installed(gem)
        found = installed.record.manifest.tool(tool)
        if found is None:
            names = ", ".join(entry.name for entry in installed.record.manifest.tools) or "none"
            detail = f"{gem} has no tool {tool[:64]!r}; its tools are: {names}"
            raise NotochordError(
                Code.TOOL_UNKNOWN, Fault.USER, detail, gem=gem, tool=tool[:64], names=names, why="why.gem_tool"
            )
        place = CallPlace(Work.of(cause, folder), folder, cause)
        return await self._calls.run(installed, found, arguments, place)

    async def data(self, gem: str) -> OwnerStore:
        return await self._data.store(source_of(self._installed(gem).record, self._store_folder(gem)))

    async def raw_tables(self, gem: str) -> tuple[RawTable, ...]:
        installed = self._installed(gem)
        source = raw_source_of(installed.record, self._store_folder(gem), installed.folder)
        return await self._raw.tables(source)

    async def log(self, gem: str, count: int) -> tuple[LogLine, ...]:
        self._installed(gem)
        return await self._logs.last(gem, count)

    async def resources(self, gem: str) -> tuple[GemResource, ...]:
        return await self._resources.states(gem, _declared(self._installed(gem)))

    async def download(self, gem: str, resource: str) -> None:
        _ = await self._resources.path(gem, self._resource(gem, resource))

    async def close(self) -> None:
        """End the downloads; stores and guests belong to their own services."""
        await self._resources.close()

    def _resource(self, gem: str, resource: str) -> ResourceRecord:
        found = next((one for one in _declared(self._installed(gem)) if one.id == resource), None)
        if found is None:
            detail = f"{gem} declares no resource {resource[:64]!r}"
            raise NotochordError(Code.NOT_FOUND, Fault.USER, detail, why="why.gem_resource")
        return found

    def _installed(self, gem: str) -> InstalledGem:
        found = self._library.get(gem)
        if found is None:
            raise unknown(gem)
        return found


def _declared(gem: InstalledGem) -> tuple[ResourceRecord, ...]:
    return resources_of(gem.record.manifest.raw)


def _of(gem: InstalledGem) -> Gem:
    return described(gem.record.manifest, gem.record.trust, gem.state)
