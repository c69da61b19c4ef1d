"""Conversations on a real, encrypted main.db with a scripted model: registry, approvals, journal and settings are real."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.persistence.database import Database
from notochord.services.agents.loop import AgentLoop
from notochord.services.approvals.component import COMPONENT as APPROVALS
from notochord.services.approvals.service import ApprovalService
from notochord.services.chat.component import COMPONENT as CHAT
from notochord.services.chat.service import ChatService
from notochord.services.journal.component import COMPONENT as JOURNAL
from notochord.services.journal.service import JournalService
from notochord.services.settings.component import COMPONENT as SETTINGS
from notochord.services.settings.service import StoredSettings
from notochord.services.tools.registry import ToolRegistry
from support.clocks import HandClock
from support.databases import database_in
from support.notes import Notes, PlainFiles
from support.scripted_models import ScriptedModels, Step

COMPONENTS = (SETTINGS, APPROVALS, JOURNAL, CHAT)


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


async def furnish(database: Database, folder: Path, models: ScriptedModels, clock: Clock) -> Office:
    ids, events = IdMaker(clock), EventBus()
    settings = StoredSettings(database=database, events=events)
    await settings.start()
    approvals = ApprovalService(database=database, clock=clock, ids=ids, events=events)
    journal = JournalService(database=database, clock=clock)
    tools = ToolRegistry(approvals=approvals, clock=clock, ids=ids)
    notes, files = Notes(journal), PlainFiles()
    journal.register(notes)
    tools.register(notes)
    chats = ChatService(
        database=database,
        folder=OrganizationFolder(folder),
        clock=clock,
        ids=ids,
        events=events,
        settings=settings,
        models=models,
        tools=tools,
        agents=AgentLoop(models=models, tools=tools),
        approvals=approvals,
        files=files,
        journal=journal,
    )
    await chats.start()
    return Office(database, clock, events, settings, approvals, journal, tools, notes, files, models, chats)


@asynccontextmanager
async def office_in(
    folder: Path, steps: Iterable[Step] = (), *, clock: Clock | None = None, **features: Iterable[Step]
) -> AsyncIterator[Office]:
    """Open (again) the conversations in `folder`; the script's steps are for the features `chat` and those named."""
    models = ScriptedModels(steps, **features)
    async with database_in(folder, *COMPONENTS) as database:
        office = await furnish(database, folder, models, clock or HandClock())
        try:
            yield office
        finally:
            await office.chats.close()
            await office.settings.close()
