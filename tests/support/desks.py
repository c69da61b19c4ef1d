"""A desk of conversations over the real chat service: only models, tools, files of the disk and gems are played."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.services.agents.api import Agent, Engaged, GemAgents
from notochord.services.chat.drafts import ChatDrafts
from notochord.services.gems.api import Gem, agent_model
from notochord.services.tools.api import Confinement
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.desk import ChatDesk
from notochord.viewmodels.chat.page import ChatPageModel
from notochord.viewmodels.chat.pieces import CallMade, Piece, Said, WentBack
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.conversations import Office, office_in
from support.notes import Notes
from support.scripted_models import Step


class FakeOpening:
    """Remembers what it was asked to show."""

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.folders: list[Path] = []

    def open_file(self, path: Path) -> bool:
        self.files.append(path)
        return True

    def show_folder(self, path: Path) -> bool:
        self.folders.append(path)
        return True


class NoGems:
    """No gem is installed."""

    async def get(self, gem: str) -> Gem:
        raise NotochordError(Code.GEM_UNKNOWN, Fault.USER, gem, gem=gem)

    async def all(self) -> tuple[()]:
        return ()


@dataclass
class Room:
    """An office with a desk and a page in it."""

    office: Office
    drafts: ChatDrafts
    desk: ChatDesk
    navigation: Navigation
    page: ChatPageModel
    opening: FakeOpening


class OneGem:
    """Implements `GemAgents` for the agent `helper` of `board`."""

    async def engage(self, gem: str, agent: str, workspace: Path) -> Engaged:
        confined = Confinement(frozenset(), workspace, "runs/helper")
        return Engaged(Agent(agent, "gem_agent", "You help."), "Board › helper", confined, agent_model(gem, agent))


@asynccontextmanager
async def room_in(
    folder: Path,
    steps: Iterable[Step] = (),
    *,
    clock: Clock | None = None,
    notes: Notes | None = None,
    egress: object = None,
    gem_agents: GemAgents | None = None,
    **features: Iterable[Step],
) -> AsyncIterator[Room]:
    """Open (again) the conversations in `folder`, sit down at the desk, and show the page of a new one."""
    async with office_in(folder, steps, clock=clock, notes=notes, gem_agents=gem_agents, **features) as office:
        drafts = ChatDrafts(database=office.database, folder=OrganizationFolder(folder), ids=IdMaker(office.clock))
        await drafts.start()
        opening = FakeOpening()
        desk = ChatDesk(
            chats=office.chats,
            drafts=drafts,
            approvals=office.approvals,
            models=office.models,
            settings=office.settings,
            files=office.files,
            versions=cast(Any, office.files),
            opening=opening,
            gems=cast(Any, NoGems()),
            egress=cast(Any, egress),
            events=office.events,
            clock=office.clock,
        )
        navigation = Navigation(Place(Page.CHAT))
        page = ChatPageModel(desk=desk, navigation=navigation)
        await desk.start()
        await page.start()
        try:
            yield Room(office, drafts, desk, navigation, page, opening)
        finally:
            await page.close()
            await desk.close()


def texts(pieces: Iterable[Piece]) -> list[str]:
    """Return who said what, and which tools were called, in order."""
    found = []
    for piece in pieces:
        if isinstance(piece, Said):
            found.append(f"{piece.who}: {piece.text}")
        elif isinstance(piece, CallMade):
            found.append(f"{piece.name} {piece.state}")
        elif isinstance(piece, WentBack):
            found.append("went back")
    return found


async def opened(room: Room, chat: str) -> Conversation:
    """Return the conversation as the page has it, read to its end."""
    conversation = room.desk.conversation(chat)
    await conversation.start()
    return conversation
