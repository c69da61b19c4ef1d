"""Conversations on a real, encrypted main.db: only the model, its tools and the files are played."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.persistence.database import Database
from notochord.services.agents.api import Engaged, GemAgents
from notochord.services.agents.loop import AgentLoop
from notochord.services.approvals.component import COMPONENT as APPROVALS
from notochord.services.approvals.service import ApprovalService
from notochord.services.chat.component import COMPONENT as CHAT
from notochord.services.chat.service import ChatService
from notochord.services.journal.component import COMPONENT as JOURNAL
from notochord.services.journal.service import JournalService
from notochord.services.models.api import Models
from notochord.services.models.component import COMPONENT as MODELS
from notochord.services.settings.component import COMPONENT as SETTINGS
from notochord.services.settings.service import StoredSettings
from notochord.services.tools.registry import ToolRegistry
from support.clocks import HandClock
from support.databases import database_in
from support.notes import Notes, PlainFiles
from support.scripted_models import ScriptedModels, Step

_SEEDS = count(1)
"""Reopened conversations go on with other chance, as they would with the machine's own."""

COMPONENTS = (SETTINGS, MODELS, APPROVALS, JOURNAL, CHAT)


@dataclass
class Office:
    """Everything that a conversation needs."""

    database: Database
    clock: Clock
    events: EventBus
    settings: StoredSettings
    approvals: ApprovalService
    journal: JournalService
    tools: ToolRegistry
    notes: Notes
    files: PlainFiles
    models: ScriptedModels
    chats: ChatService


class NoGems:
    """Implements `GemAgents` where none is installed."""

    async def engage(self, gem: str, agent: str, workspace: Path) -> Engaged:
        raise NotochordError(Code.GEM_UNKNOWN, Fault.USER, gem, gem=gem)


async def furnish(
    database: Database,
    folder: Path,
    models: ScriptedModels,
    clock: Clock,
    notes: Notes | None = None,
    gateway: Models | None = None,
    gem_agents: GemAgents | None = None,
) -> Office:
    """Start everything; a `gateway` answers instead of the script."""
    ids, events = IdMaker(clock), EventBus()
    settings = StoredSettings(database=database, events=events)
    await settings.start()
    approvals = ApprovalService(database=database, clock=clock, ids=ids, events=events)
    journal = JournalService(database=database, clock=clock)
    tools = ToolRegistry(approvals=approvals, clock=clock, ids=ids)
    notes, files = notes or Notes(journal), PlainFiles()
    notes.journal = journal
    journal.register(notes)
    tools.register(notes)
    chats = ChatService(
        database=database,
        folder=OrganizationFolder(folder),
        clock=clock,
        ids=ids,
        events=events,
        settings=settings,
        models=gateway or models,
        tools=tools,
        agents=AgentLoop(models=gateway or models, tools=tools),
        gem_agents=gem_agents or NoGems(),
        approvals=approvals,
        files=files,
        journal=journal,
    )
    await chats.start()
    return Office(database, clock, events, settings, approvals, journal, tools, notes, files, models, chats)


@asynccontextmanager
async def office_in(
    folder: Path,
    steps: Iterable[Step] = (),
    *,
    clock: Clock | None = None,
    notes: Notes | None = None,
    gem_agents: GemAgents | None = None,
    **features: Iterable[Step],
) -> AsyncIterator[Office]:
    """Open (again) the conversations in `folder`; the script's steps are for the features `chat` and those named."""
    models = ScriptedModels(steps, **features)
    async with database_in(folder, *COMPONENTS) as database:
        office = await furnish(
            database, folder, models, clock or HandClock(seed=next(_SEEDS)), notes, gem_agents=gem_agents
        )
        try:
            yield office
        finally:
            await office.chats.close()
            await office.settings.close()
