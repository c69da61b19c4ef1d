"""A chat page in a window, over a room: what tests of the page sit down at."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from PySide6.QtWidgets import QWidget

from notochord.core.tasks import Lifetime
from notochord.services.agents.api import GemAgents
from notochord.services.chat.api import NewChat
from notochord.ui.chat.open_chat import OpenChatView
from notochord.ui.chat.page import ChatPage
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.pieces import Said
from notochord.viewmodels.shell.navigation import Page
from support.desks import Room, room_in
from support.scripted_models import Step
from support.windows import Presenter, destroyed, until_seen

Card = TypeVar("Card", bound=QWidget)


class Seat:
    """A page in a window, over a room."""

    def __init__(self, room: Room, page: ChatPage, presenter: Presenter, links: list[str]) -> None:
        self.room, self.page, self.presenter, self.links = room, page, presenter, links

    @property
    def open(self) -> OpenChatView:
        assert isinstance(self.page.content, OpenChatView)
        return self.page.content

    def shown(self, kind: type[Card]) -> list[Card]:
        return [widget for widget in self.page.findChildren(kind) if widget.isVisible()]

    def texts(self) -> list[str]:
        view = self.open.pane.view
        keys = [piece.key for piece in self.open.pane._pieces]
        return [view.text_of(key) for key in keys if view.content.item(key).parts]


@asynccontextmanager
async def seat_in(
    folder: Path, kit: Kit, *steps: Step, sub_agent: Sequence[Step] = (), gem_agents: GemAgents | None = None
) -> AsyncIterator[Seat]:
    lifetime, presenter, links = Lifetime("window"), Presenter(), list[str]()
    async with room_in(folder, steps, sub_agent=sub_agent, gem_agents=gem_agents) as room:
        page = ChatPage(replace(kit, runner=presenter.runner(lifetime)), room.page, links.append)
        page.resize(1000, 700)
        page.show()
        try:
            yield Seat(room, page, presenter, links)
        finally:
            page.close()
            page.deleteLater()
            destroyed()
            await lifetime.close()
            destroyed()


def shows(seat: Seat, chat: str) -> bool:
    content = seat.page.content
    return isinstance(content, OpenChatView) and content._conversation.id == chat and content.isVisible()


async def opened(seat: Seat) -> str:
    chat = (await seat.room.office.chats.create(NewChat())).id
    seat.room.navigation.go(Page.CHAT, chat)
    await until_seen(lambda: shows(seat, chat))
    return chat


async def ended(seat: Seat, chat: str) -> None:
    """Wait until the answer is over, its record was read to the end, and all of it is shown."""
    outbox = seat.room.desk.writing(chat).outbox

    def over() -> bool:
        shown, view = seat.open._conversation, seat.open.pane.view
        return not (outbox.busy.value or shown._refreshing or shown.answering) and view.streaming.idle

    await until_seen(over)


async def the_only(seat: Seat, kind: type[Card]) -> Card:
    """Wait until there is one such card, however often it was made anew."""
    await until_seen(lambda: len(seat.shown(kind)) == 1)
    (card,) = seat.shown(kind)
    return card


def said(seat: Seat) -> list[tuple[str, str]]:
    return [(piece.model, piece.text) for piece in seat.open.pane._pieces if isinstance(piece, Said)]
