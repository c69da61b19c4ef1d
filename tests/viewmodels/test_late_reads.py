"""What was read before a change, and comes after what was read then, is not what holds in the end."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.events import EventBus
from notochord.services.chat.api import Chat, ChatChanged, ChatState, NewChat, Outgoing
from notochord.services.models.api import ProviderDraft, ProviderKind, RolesChanged
from notochord.viewmodels.chat.experts import ExpertsModel
from notochord.viewmodels.chat.files import FilesModel
from notochord.viewmodels.chat.models import ModelChoices
from notochord.viewmodels.settings.pane import SectionModel
from notochord.viewmodels.shell.navigation import Navigation
from notochord.viewmodels.start.connection import ModelConnection
from support.desks import FakeOpening, room_in
from support.eventually import until
from support.file_services import workshop_in
from support.scripted_models import Hold, say
from support.settings import MemoryModels, MemorySettings
from viewmodels.shell.conftest import watching


class Late:
    """A door whose first answer to `name` is kept back until `come`: it is read by then, and too old."""

    def __init__(self, door: Any, name: str) -> None:
        self._door, self._name = door, name
        self.was_read = asyncio.Event()
        self._go, self._came = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name: str) -> Any:
        return self._answer if name == self._name else getattr(self._door, name)

    async def _answer(self, *words: object) -> Any:
        found = await getattr(self._door, self._name)(*words)
        if not self.was_read.is_set():
            self.was_read.set()
            await self._go.wait()
            self._came.set()
        return found

    async def come(self) -> None:
        """Let whoever does not wait go first; then let the late answer come, and be taken in."""
        await asyncio.sleep(0.02)
        self._go.set()
        await self._came.wait()
        await asyncio.sleep(0.02)


class Provided(SectionModel):
    """A section that shows the names of the providers."""

    def __init__(self, models: Any, events: EventBus) -> None:
        super().__init__("provided", events, RolesChanged)
        self._models = models
        self.names: list[str] = []

    async def _load(self) -> None:
        self.names = [provider.name for provider in await self._models.providers()]


async def change(models: MemoryModels, events: EventBus) -> None:
    """Connect a provider, and tell of it."""
    await models.add_provider(ProviderDraft("cloud", ProviderKind.OPENAI, models=("big",)), None)
    events.publish(RolesChanged())


async def test_an_answer_that_ended_is_not_at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with watching(tmp_path, [say("Yes.")]) as watch:
        hold = watch.office.models.hold = Hold()
        chat = (await watch.office.chats.create(NewChat())).id
        await until(lambda: chat in watch.attention._chats)
        late = Late(watch.office.chats, "get")
        monkeypatch.setattr(watch.attention, "_chats_door", late)
        answering = asyncio.create_task(watch.office.chats.send(chat, Outgoing("Is it?")))
        await late.was_read.wait()
        hold.go.set()
        await answering
        await late.come()
        await until(lambda: chat in watch.attention.unread.value and not watch.attention.running)


async def test_a_model_that_was_connected_is_there() -> None:
    models, events, navigation = MemoryModels(), EventBus(), Navigation()
    late = Late(models, "providers")
    connection = ModelConnection(models=late, events=events, navigation=navigation)
    starting = asyncio.create_task(connection.start())
    await late.was_read.wait()
    await change(models, events)
    await late.come()
    await starting
    await until(lambda: navigation.model_connected.value)
    await connection.close()


async def test_a_section_shows_what_was_read_last() -> None:
    models, events = MemoryModels(), EventBus()
    late = Late(models, "providers")
    section = Provided(late, events)
    starting = asyncio.create_task(section.start())
    await late.was_read.wait()
    await change(models, events)
    await late.come()
    await starting
    await until(lambda: section.names == ["cloud"])
    await section.close()


async def test_a_model_that_was_connected_can_be_chosen() -> None:
    models, events = MemoryModels(), EventBus()
    late = Late(models, "providers")
    choices = ModelChoices(models=late, settings=MemorySettings(events), events=events)
    starting = asyncio.create_task(choices.start())
    await late.was_read.wait()
    await change(models, events)
    await late.come()
    await starting
    await until(lambda: "cloud/big" in [option.value for option in choices.options])
    await choices.close()


async def test_tools_that_were_switched_are_shown_so(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        chat = (await room.office.chats.create(NewChat())).id
        late = Late(room.office.chats, "tools")
        experts = ExpertsModel(chat, chats=late, events=room.office.events)
        starting = asyncio.create_task(experts.start())
        await late.was_read.wait()
        await room.office.chats.switch(chat, {"note.read"}, on=False)
        room.office.events.publish(ChatChanged(chat))
        await late.come()
        await starting
        await until(lambda: [tool.name for tool in experts.tools if not tool.on] == ["note.read"])
        await experts.close()


async def test_of_tools_that_are_switched_at_once_each_is(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        chat = (await room.office.chats.create(NewChat())).id
        experts = room.desk.experts(chat)
        await experts.start()
        names = ("note.fail", "note.read", "note.write")
        await asyncio.gather(*(experts.switch(name, False) for name in names))
        assert tuple(tool.name for tool in await room.office.chats.tools(chat) if not tool.on) == names
        await experts.close()


async def test_the_files_that_are_listed_are_those_of_the_folder_that_was_entered(tmp_path: Path) -> None:
    async with workshop_in(tmp_path) as shop:
        for path in ("outside.txt", "out/inside.txt"):
            await shop.files.write(shop.root, path, b"1", Cause("chat", "branch", "turn"))
        chat = Chat("chat", "", False, shop.folder, True, "m", False, ChatState.IDLE, 0)
        late = Late(shop.files, "list")
        panel = FilesModel(
            chat, files=late, versions=shop.files, opening=FakeOpening(), events=EventBus(), clock=shop.clock
        )
        starting = asyncio.create_task(panel.start())
        await late.was_read.wait()
        entering = asyncio.create_task(panel.go("out"))
        await late.come()
        await asyncio.gather(starting, entering)
        assert [entry.name for entry in panel.entries] == ["inside.txt"]
        await panel.close()
