"""Composition root: builds the services of one organization, and ends them in the reverse order."""

import os
import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from deno import find_deno_bin

from notochord.adapters.deno.launcher import DenoLauncher
from notochord.adapters.deno.walls import wall_of_this_system
from notochord.adapters.extraction.worker import ExtractionChildren
from notochord.adapters.http.clients import EgressClients
from notochord.adapters.http.resolver import SystemResolver
from notochord.adapters.http.sender import HttpSender
from notochord.adapters.local_models.client import LocalModels
from notochord.adapters.origin import SystemOriginMark
from notochord.adapters.providers.clients import ProviderClients
from notochord.adapters.raw_databases.launcher import RawChildren
from notochord.adapters.sign_in.loopback import LoopbackRedirects
from notochord.adapters.trash import SystemTrash
from notochord.core.clock import Clock
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.keys import derived_key
from notochord.core.log import Redactor
from notochord.core.paths import Home, shipped
from notochord.headless.services import Services
from notochord.persistence import outbox
from notochord.persistence.database import Database
from notochord.services.accounts.service import AccountService
from notochord.services.accounts.templates import bundled
from notochord.services.accounts.tokens import FreshAttachments, NoAttachments, TokenEndpoint
from notochord.services.agents.loop import AgentLoop
from notochord.services.approvals import component as approvals_tables
from notochord.services.approvals.service import ApprovalService
from notochord.services.chat import component as chat_tables
from notochord.services.chat.drafts import ChatDrafts
from notochord.services.chat.service import ChatService
from notochord.services.data.parsing import faults_of
from notochord.services.data.service import DataService
from notochord.services.egress.service import EgressService
from notochord.services.egress.tools import HttpTools
from notochord.services.extract.service import ExtractService
from notochord.services.files import component as files_tables
from notochord.services.files.choice import ChoiceRules
from notochord.services.files.service import FileService
from notochord.services.files.tools import FileTools
from notochord.services.gem_logs import component as gem_logs_tables
from notochord.services.gem_logs.service import StoredGemLogs
from notochord.services.gems import component as gems_tables
from notochord.services.gems.grants import component as gem_grants
from notochord.services.gems.service import GemService
from notochord.services.gems.workshop import GemWorkshop
from notochord.services.journal import component as journal_tables
from notochord.services.journal.service import JournalService
from notochord.services.models import component as models_tables
from notochord.services.models.capabilities import CapabilityList
from notochord.services.models.service import ModelsService
from notochord.services.organizations.api import Organizations, Unlocked
from notochord.services.raw_databases.service import RawDatabaseService
from notochord.services.sandbox.service import GuestSandbox
from notochord.services.settings import component as settings_tables
from notochord.services.settings.api import Setting
from notochord.services.settings.service import StoredSettings
from notochord.services.store.service import GemStore
from notochord.services.tools.registry import ToolRegistry
from notochord.services.usage import component as usage_tables
from notochord.services.usage.service import StoredUsage
from notochord.services.vault import component as vault_tables
from notochord.services.vault.accounts import StoredAccounts
from notochord.services.vault.grants import StoredGrants
from notochord.services.vault.service import StoredVault

MAIN_COMPONENTS = (
    outbox.COMPONENT,
    settings_tables.COMPONENT,
    vault_tables.COMPONENT,
    usage_tables.COMPONENT,
    models_tables.COMPONENT,
    approvals_tables.COMPONENT,
    journal_tables.COMPONENT,
    files_tables.COMPONENT,
    gems_tables.COMPONENT,
    gem_grants.COMPONENT,
    gem_logs_tables.COMPONENT,
    chat_tables.COMPONENT,
)

DEVICE = Setting("device.id", "")
"""Names this computer in change records."""

CHILD = (sys.executable, "-I", "-m", "notochord", "--child")


@asynccontextmanager
async def opened(
    organization: str,
    *,
    home: Home,
    organizations: Organizations,
    clock: Clock,
    redactor: Redactor,
    has_trash: bool = True,
) -> AsyncIterator[Services]:
    """Unlock an organization and start its services; see `headless.services.Opener`."""
    async with AsyncExitStack() as stack:
        unlocked = await organizations.unlock(organization)
        stack.push_async_callback(organizations.release, unlocked)
        key = derived_key(unlocked.key, "main.db")
        database = await Database.open(unlocked.folder.main_database, key, MAIN_COMPONENTS)
        stack.push_async_callback(database.close)
        building = _Building(
            unlocked=unlocked,
            home=home,
            database=database,
            clock=clock,
            ids=IdMaker(clock),
            events=EventBus(),
            redactor=redactor,
            stack=stack,
            has_trash=has_trash,
        )
        yield await building.services()


@dataclass(frozen=True, slots=True)
class _Building:
    """What every part of the organization is made of."""

    unlocked: Unlocked
    home: Home
    database: Database
    clock: Clock
    ids: IdMaker
    events: EventBus
    redactor: Redactor
    stack: AsyncExitStack
    has_trash: bool

    async def services(self) -> Services:
        settings = StoredSettings(database=self.database, events=self.events)
        await settings.start()
        self.stack.push_async_callback(settings.close)
        vault = self._vault()
        keeping = StoredAccounts(database=self.database, ids=self.ids, redactor=self.redactor, events=self.events)
        usage = StoredUsage(database=self.database, clock=self.clock, ids=self.ids)
        egress = self._egress(settings, vault, keeping)
        models = await self._models(vault, usage, egress)
        approvals = ApprovalService(database=self.database, clock=self.clock, ids=self.ids, events=self.events)
        tools = ToolRegistry(approvals=approvals, clock=self.clock, ids=self.ids)
        journal = JournalService(database=self.database, clock=self.clock)
        files = await self._files(journal)
        sandbox = self._sandbox()
        data = await self._data(settings, vault, journal)
        raw = self._raw_databases(vault)
        gems = await self._gems(data, raw, files, egress, models, self._extract(), sandbox, tools, approvals, settings)
        for provider in (gems.provider, FileTools(files=files), HttpTools(egress=egress)):
            tools.register(provider)
        agents = AgentLoop(models=models, tools=tools)
        chats = await self._chats(gems, settings, models, tools, agents, approvals, files, journal)
        tools.register(gems.agent_tools(chats.runner))
        return Services(
            unlocked=self.unlocked,
            settings=settings,
            vault=vault,
            grants=StoredGrants(database=self.database, events=self.events),
            accounts=self._accounts(vault, keeping, egress),
            egress=egress,
            models=models,
            usage=usage,
            tools=tools,
            approvals=approvals,
            journal=journal,
            files=files,
            versions=files,
            data=data,
            gems=gems,
            gem_pages=gems.pages,
            dossiers=gems.dossiers,
            developers=gems.developers,
            workshop=GemWorkshop(data_faults=faults_of),
            store=await self._store(gems, egress, settings),
            agents=agents,
            chats=chats,
            drafts=await self._drafts(),
            sandbox=sandbox,
            events=self.events,
            clock=self.clock,
        )

    def _vault(self) -> StoredVault:
        vault = StoredVault(
            database=self.database, clock=self.clock, ids=self.ids, redactor=self.redactor, events=self.events
        )
        self.stack.push_async_callback(vault.close)
        return vault

    def _egress(self, settings: StoredSettings, vault: StoredVault, keeping: StoredAccounts) -> EgressService:
        """Two of one gateway: what renews a token on its way out cannot wait for the one that waits for the token."""
        resolver = SystemResolver()
        sender = HttpSender(resolver=resolver)
        self.stack.push_async_callback(sender.close)
        plain = EgressService(
            settings=settings, vault=NoAttachments(), resolver=resolver, sender=sender, environment=os.environ
        )
        self.stack.push_async_callback(plain.close)
        endpoint = TokenEndpoint(egress=plain, clock=self.clock)
        fresh = FreshAttachments(vault=vault, keeping=keeping, endpoint=endpoint)
        self.stack.push_async_callback(fresh.close)
        egress = EgressService(settings=settings, vault=fresh, resolver=resolver, sender=sender, environment=os.environ)
        self.stack.push_async_callback(egress.close)
        return egress

    async def _data(self, settings: StoredSettings, vault: StoredVault, journal: JournalService) -> DataService:
        device = await self._device(settings)
        data = DataService(vault=vault, clock=self.clock, device=device, journal=journal)
        self.stack.push_async_callback(data.close)
        return data

    def _raw_databases(self, vault: StoredVault) -> RawDatabaseService:
        raw = RawDatabaseService(vault=vault, launcher=RawChildren(command=(*CHILD, "raw-database")), clock=self.clock)
        self.stack.push_async_callback(raw.close)
        return raw

    def _accounts(self, vault: StoredVault, keeping: StoredAccounts, egress: EgressService) -> AccountService:
        return AccountService(
            vault=vault,
            keeping=keeping,
            egress=egress,
            redirects=LoopbackRedirects(),
            templates=bundled(),
            clock=self.clock,
            redactor=self.redactor,
        )

    async def _models(self, vault: StoredVault, usage: StoredUsage, egress: EgressService) -> ModelsService:
        models = ModelsService(
            database=self.database,
            vault=vault,
            usage=usage,
            egress=egress,
            remote=ProviderClients(http_clients=EgressClients(egress).client),
            local=LocalModels(folder=self.home.models, command=(*CHILD, "local-model")),
            capabilities=CapabilityList.bundled(),
            clock=self.clock,
            events=self.events,
        )
        await models.start()
        self.stack.push_async_callback(models.close)
        return models

    async def _files(self, journal: JournalService) -> FileService:
        files = FileService(
            database=self.database,
            journal=journal,
            clock=self.clock,
            ids=self.ids,
            history=self.unlocked.folder.history,
            key=derived_key(self.unlocked.key, "history"),
            rules=ChoiceRules(system=sys.platform, home=Path.home(), data=self.home.folder),
            trash=SystemTrash() if self.has_trash else None,
            mark=SystemOriginMark(),
        )
        await files.start()
        self.stack.push_async_callback(files.close)
        return files

    async def _gems(
        self,
        data: DataService,
        raw: RawDatabaseService,
        files: FileService,
        egress: EgressService,
        models: ModelsService,
        extract: ExtractService,
        sandbox: GuestSandbox,
        tools: ToolRegistry,
        approvals: ApprovalService,
        settings: StoredSettings,
    ) -> GemService:
        gems = GemService(
            database=self.database,
            folder=self.unlocked.folder,
            data=data,
            raw_databases=raw,
            files=files,
            egress=egress,
            downloads=egress,
            extract=extract,
            models=models,
            sandbox=sandbox,
            tools=tools,
            approvals=approvals,
            settings=settings,
            logs=StoredGemLogs(database=self.database),
            account_grants=StoredGrants(database=self.database, events=self.events),
            bus=self.events,
            clock=self.clock,
        )
        self.stack.push_async_callback(gems.close)
        await gems.start()
        return gems

    async def _store(self, gems: GemService, egress: EgressService, settings: StoredSettings) -> GemStore:
        resources = shipped("resources")
        store = GemStore(
            gems=gems,
            publications=gems.publications,
            gateway=egress,
            settings=settings,
            events=self.events,
            clock=self.clock,
            folder=self.unlocked.folder.store_list,
            bundled=resources / "store",
            packages=resources / "gems",
        )
        await store.start()
        return store

    async def _chats(
        self,
        gems: GemService,
        settings: StoredSettings,
        models: ModelsService,
        tools: ToolRegistry,
        agents: AgentLoop,
        approvals: ApprovalService,
        files: FileService,
        journal: JournalService,
    ) -> ChatService:
        chats = ChatService(
            database=self.database,
            folder=self.unlocked.folder,
            clock=self.clock,
            ids=self.ids,
            events=self.events,
            settings=settings,
            models=models,
            tools=tools,
            agents=agents,
            gem_agents=gems.agents,
            approvals=approvals,
            files=files,
            journal=journal,
        )
        await chats.start()
        self.stack.push_async_callback(chats.close)
        return chats

    async def _drafts(self) -> ChatDrafts:
        drafts = ChatDrafts(database=self.database, folder=self.unlocked.folder, ids=self.ids)
        await drafts.start()
        return drafts

    def _extract(self) -> ExtractService:
        reader = ExtractionChildren(command=(*CHILD, "extract"), folder=self.unlocked.folder.folder)
        extract = ExtractService(reader=reader)
        self.stack.push_async_callback(extract.close)
        return extract

    def _sandbox(self) -> GuestSandbox:
        launcher = DenoLauncher(
            deno=Path(find_deno_bin()), program=shipped("sandbox") / "main.ts", wall=wall_of_this_system()
        )
        sandbox = GuestSandbox(launcher=launcher, clock=self.clock, state=self.unlocked.folder.guest_state)
        self.stack.push_async_callback(sandbox.close)
        return sandbox

    async def _device(self, settings: StoredSettings) -> str:
        if not settings.current(DEVICE):
            await settings.change(DEVICE, self.ids.new())
        return settings.current(DEVICE)
