"""A conversation held by a child process that is killed in the middle, and what must hold afterwards."""

import asyncio
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator
from itertools import pairwise
from multiprocessing.process import BaseProcess
from pathlib import Path

from notochord.core.clock import SystemClock
from notochord.persistence.database import Database, Result, Work
from notochord.persistence.migrations import migrate
from notochord.services.chat.api import SUMMARIZE_ABOVE, Entry, NewChat, Outgoing
from notochord.services.models.api import ModelRequest, Reply, Role
from support.conversations import COMPONENTS, furnish, office_in
from support.databases import KEY
from support.scripted_models import ScriptedModels, call, say, use

_FORK = multiprocessing.get_context("fork")


def answer(request: ModelRequest) -> Reply:
    """Go by how many results the turn has: two calls side by side, a sub-agent, then an answer."""
    results = 0
    for message in reversed(request.messages):
        if message.role is Role.USER:
            break
        results += message.role is Role.TOOL
    if results == 0:
        write = call("note.write", {"name": "a", "text": "one"}, id="call_1")
        return use(write, call("note.open", {"name": "some.gem"}, id="call_2"), text="I look.")
    if results == 1 and request.feature == "chat":
        return use(call("agent.delegate", {"task": "Count."}, id="call_3"))
    return say("That is it.")


def script() -> ScriptedModels:
    return ScriptedModels(
        [answer] * 99, sub_agent=[answer] * 99, title=[say("A title")] * 9, summary=[say("A summary")] * 99
    )


class WatchedDatabase(Database):
    """Calls `at_boundary` before and after each durable write."""

    def __init__(self, path: Path, key: bytes) -> None:
        super().__init__(path, key)
        self.at_boundary: Callable[[], None] = lambda: None

    async def write(self, work: Work[Result]) -> Result:
        self.at_boundary()
        result = await super().write(work)
        self.at_boundary()
        return result


async def talk(folder: Path, at_boundary: Callable[[], None], *, turns: int) -> None:
    """Hold a conversation with everything in it: calls, a sub-agent, a summary, and at the end a retry and an edit."""
    database = WatchedDatabase(folder / "main.db", KEY)
    migrate(database.path, KEY, COMPONENTS)
    office = await furnish(database, folder, script(), SystemClock())
    await office.settings.change(SUMMARIZE_ABOVE, 50)
    database.at_boundary = at_boundary
    chat = (await office.chats.create(NewChat())).id
    for number in range(turns):
        await office.chats.send(chat, Outgoing(f"Message {number}"))
    entries = await office.chats.entries(chat)
    await office.chats.retry(chat, entries[-1].id)
    if turns > 1:
        await office.chats.edit(chat, entries[0].id, "Another first message")
    await office.chats.close()
    await office.settings.close()
    await database.close()


def _main(folder: Path, kill_at: int, turns: int) -> None:
    passed = iter(range(1, 10**9))

    def at_boundary() -> None:
        if next(passed) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(talk(folder, at_boundary, turns=turns))


def child(folder: Path, *, turns: int, kill_at: int = 0) -> BaseProcess:
    """Start the conversation in a process that kills itself at its `kill_at`-th durable boundary."""
    process = _FORK.Process(target=_main, args=(folder, kill_at, turns))
    process.start()
    return process


def boundaries(folder: Path, *, turns: int) -> int:
    """Return how many durable boundaries the whole conversation has."""
    seen: list[None] = []
    asyncio.run(talk(folder, lambda: seen.append(None), turns=turns))
    return len(seen)


async def check(folder: Path) -> None:
    """Open what is left: whole, with everything unfinished marked; and the next message is accepted."""
    async with office_in(folder, clock=SystemClock()) as office:
        office.models.scripts["chat"] = [say("Yes.")] * 9
        assert await office.database.check() == ()
        for chat in await office.chats.all():
            for conversation in (chat, *await office.chats.sub_agents(chat.id)):
                assert conversation.state == "idle"
                _check_entries(await office.chats.entries(conversation.id))
            before = await office.chats.entries(chat.id)
            last = await office.chats.send(chat.id, Outgoing("And now?"))
            assert last.state == "done"
            assert (await office.chats.entries(chat.id))[: len(before)] == before


def _check_entries(entries: tuple[Entry, ...]) -> None:
    for entry in entries:
        for made in entry.calls:
            assert made.state in ("done", "failed", "interrupted"), made
    answered = [entry for entry in entries if entry.message.role is not Role.TOOL]
    for earlier, later in _pairs(answered):
        assert later.parent == earlier.id
    if answered:
        assert answered[-1].message.role is Role.ASSISTANT


def _pairs(entries: list[Entry]) -> Iterator[tuple[Entry, Entry]]:
    return pairwise(entries)
