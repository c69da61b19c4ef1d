"""A conversation held by a child process that is killed in the middle, and what must hold afterwards."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Self

from notochord.adapters.providers.clients import ProviderClients
from notochord.core.clock import SystemClock
from notochord.core.events import EventBus
from notochord.persistence.database import Database, Result, Work
from notochord.persistence.migrations import migrate
from notochord.services.chat.api import SUMMARIZE_ABOVE, Entry, NewChat, Outgoing
from notochord.services.models.api import ModelRequest, ProviderDraft, ProviderKind, Reply, Role, Text
from notochord.services.models.capabilities import CapabilityList
from notochord.services.models.service import ModelsService
from support.conversations import COMPONENTS, Office, furnish
from support.databases import KEY, database_in
from support.models import FixedEgress, HttpClients, MemoryVault, NoLocalModels, UsageLog
from support.scripted_models import CHAT_MODEL, DEEP_MODEL, ScriptedModels, call, say, use
from support.strict_servers import AnthropicServer, OpenAiServer, Say


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


def _hold(folder: Path, kill_at: int, turns: int) -> None:
    passed = iter(range(1, 10**9))

    def at_boundary() -> None:
        if next(passed) == kill_at:
            os.kill(os.getpid(), signal.SIGKILL)

    asyncio.run(talk(folder, at_boundary, turns=turns))


class Children:
    """Starts conversations in processes of their own: forks of one that has loaded everything and runs no thread."""

    def __init__(self) -> None:
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        command = (sys.executable, "-m", "support.killed_talk")
        self._parent = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def __enter__(self) -> Self:
        assert self._parent.stdout is not None
        assert self._parent.stdout.readline() == "ready\n"
        return self

    def __exit__(self, *failure: object) -> None:
        with self._parent:
            assert self._parent.stdin is not None
            self._parent.stdin.close()

    def run(self, folder: Path, *, turns: int, kill_at: int = 0, kill_after: float | None = None) -> int:
        """Hold a conversation in `folder` and return the signal that ended it, 0 for none.

        It kills itself at its `kill_at`-th durable boundary, or is killed after so many seconds.
        """
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(f"{folder}\t{kill_at}\t{turns}\n")
        self._parent.stdin.flush()
        child = int(self._parent.stdout.readline())
        if kill_after is not None:
            time.sleep(kill_after)
            os.kill(child, signal.SIGKILL)
        self._parent.stdin.write("wait\n")
        self._parent.stdin.flush()
        return os.WTERMSIG(int(self._parent.stdout.readline()))


def serve() -> None:
    """Fork a child for each line, tell its id, and after another line how it ended."""
    print("ready", flush=True)
    while line := sys.stdin.readline():
        folder, kill_at, turns = line.rstrip("\n").split("\t")
        child = os.fork()
        if child == 0:
            _hold(Path(folder), int(kill_at), int(turns))
            os._exit(0)
        print(child, flush=True)
        sys.stdin.readline()
        print(os.waitpid(child, 0)[1], flush=True)


def boundaries(folder: Path, *, turns: int) -> int:
    """Return how many durable boundaries the whole conversation has."""
    seen: list[None] = []
    asyncio.run(talk(folder, lambda: seen.append(None), turns=turns))
    return len(seen)


async def check(folder: Path, kind: ProviderKind) -> None:
    """Open what is left: whole, everything unfinished marked; and a strict server accepts the next message."""
    server = AnthropicServer() if kind is ProviderKind.ANTHROPIC else OpenAiServer()
    server.respond(lambda body: Say("Yes."))
    async with server, database_in(folder, *COMPONENTS) as database, _gateway(database) as gateway:
        office = await furnish(database, folder, ScriptedModels(), SystemClock(), gateway=gateway)
        models = (CHAT_MODEL.model, DEEP_MODEL.model)
        await gateway.add_provider(ProviderDraft(CHAT_MODEL.provider, kind, server.base_url, models), None)
        try:
            await _check_chats(office)
        finally:
            await office.chats.close()
            await office.settings.close()
        assert server.refusals == []


async def _check_chats(office: Office) -> None:
    assert await office.database.check() == ()
    for chat in await office.chats.all():
        for conversation in (chat, *await office.chats.sub_agents(chat.id)):
            assert conversation.state == "idle"
            _check_entries(await office.chats.entries(conversation.id))
        before = await office.chats.entries(chat.id)
        last = await office.chats.send(chat.id, Outgoing("And now?"))
        assert last.message.parts == (Text("Yes."),)
        assert (await office.chats.entries(chat.id))[: len(before)] == before


@asynccontextmanager
async def _gateway(database: Database) -> AsyncIterator[ModelsService]:
    vault = MemoryVault()
    service = ModelsService(
        database=database,
        vault=vault,
        usage=UsageLog(),
        egress=FixedEgress(),
        remote=ProviderClients(http_clients=HttpClients(vault)),
        local=NoLocalModels(),
        capabilities=CapabilityList.bundled(),
        clock=SystemClock(),
        events=EventBus(),
    )
    try:
        yield service
    finally:
        await service.close()


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


if __name__ == "__main__":
    serve()
