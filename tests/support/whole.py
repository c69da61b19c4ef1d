"""The whole program on real parts: homes on the disk, SQLCipher, Deno guests, and a provider that follows a script."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from notochord.app.compose import surround
from notochord.core.paths import Home, shipped
from notochord.headless.services import Services, Surroundings
from notochord.services.approvals.api import Approval, ApprovalRequested, ApprovalState
from notochord.services.chat.api import Chat, NewChat, Outgoing
from notochord.services.gems.packing import pack
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.services.organizations.api import KeyPlace
from notochord.services.vault.api import Secret
from support.gems import draft, manifest, tool
from support.strict_servers import Answer, Body, Call, OpenAiServer, Say

OUTSIDE = "93.184.216.34"
PROVIDER = "fake"
MODEL = f"{PROVIDER}/alpha"
KEY = "sk-canary-of-the-provider"
SUMMARY_GEM = shipped("resources") / "gems" / "sales-summary.gem"
SUMMARY_TOOL = "gem_sales-summary_monthly_summary"

PROBE: dict[str, str] = {
    "throws": "export default () => { throw new Error('the tool broke'); };",
    "hangs": "export default () => new Promise(() => {});",
    "spins": "export default () => { for (;;) {} };",
    "floods": "export default () => { for (let i = 0; i < 200000; i++) console.log('flood '.repeat(20)); return 1; };",
    "huge": "export default () => 'x'.repeat(50 * 1024 * 1024);",
    "keeps": "export default async (i, ctx) => { await ctx.storage.kv.set('note', i.text); return 'kept'; };",
    "kept": "export default async (i, ctx) => await ctx.storage.kv.get('note');",
    "writes": "export default async (i, ctx) => { await ctx.files.write('workspace:' + i.path, i.text); return 1; };",
    "fetches": "export default async (i, ctx) => (await ctx.http.fetch(i.text)).status;",
}
"""The tools of a gem made for tests, and what each does."""

GRANTED = {"permissions": {"network": True}}


@dataclass
class Script:
    """Answers by turns. A request without tools is one in the background, such as a title, and takes no turn."""

    turns: list[Answer] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=list)
    background: list[Body] = field(default_factory=list)

    def __call__(self, body: Body) -> Answer:
        if "tools" not in body:
            self.background.append(body)
            return Say("A title")
        self.bodies.append(body)
        return self.turns.pop(0) if self.turns else Say("That is all.")

    def play(self, *turns: Answer) -> None:
        self.turns.extend(turns)

    def tools(self, request: int = -1) -> set[str]:
        """Return the names of the tools that a request offered."""
        return {offered["function"]["name"] for offered in self.bodies[request]["tools"]}

    def results(self) -> list[str]:
        """Return the texts of the tools' results in the last request."""
        return [message["content"] for message in self.bodies[-1]["messages"] if message["role"] == "tool"]


@asynccontextmanager
async def scripted() -> AsyncIterator[tuple[OpenAiServer, Script]]:
    """Start a strict provider with its script; it refused nothing by the end."""
    script = Script()
    async with OpenAiServer(key=KEY) as server:
        server.respond(script)
        yield server, script
    assert server.refusals == []


@asynccontextmanager
async def around(home: Path, *, has_trash: bool = False) -> AsyncIterator[Surroundings]:
    """Compose the program over a home; the log of the tests is put back afterwards."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        async with surround(Home(home), has_trash=has_trash) as surroundings:
            yield surroundings
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


@asynccontextmanager
async def opened(home: Path, *, name: str = "acme", place: KeyPlace = KeyPlace.FILE) -> AsyncIterator[Services]:
    """Open an organization of a home, made if there is none of this name."""
    async with around(home) as surroundings:
        found = [one for one in await surroundings.organizations.all() if one.name == name]
        made = found[0] if found else await surroundings.organizations.create(name, place)
        async with surroundings.opener.open(made.id) as services:
            yield services


async def connect(services: Services, server: OpenAiServer) -> None:
    """Connect the provider with its key; its model is the one of the role chat, and so of the background."""
    provider = ProviderDraft(PROVIDER, ProviderKind.COMPATIBLE, server.base_url, ("alpha",))
    await services.models.add_provider(provider, Secret(KEY))
    await services.models.set_role("chat", ModelRef(PROVIDER, "alpha"))


class Person:
    """Answers every question: yes, or no while `approves` is False."""

    def __init__(self, services: Services) -> None:
        self.approves = True
        self.asked: list[Approval] = []
        self._services = services
        self._answering: set[asyncio.Task[Approval]] = set()
        services.events.subscribe(ApprovalRequested, self._hear)

    def _hear(self, event: ApprovalRequested) -> None:
        if event.approval.state is ApprovalState.PENDING:
            self.asked.append(event.approval)
            decision = self._services.approvals.decide(event.approval.id, approve=self.approves, by="window")
            task = asyncio.get_running_loop().create_task(decision)
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)


async def talk(services: Services, **new: Any) -> Chat:
    return await services.chats.create(NewChat(model=MODEL, **new))


async def say(services: Services, chat: Chat, text: str, *attachments: Path) -> str:
    """Send a message and return how the answer ended: its state, or the code."""
    entry = await services.chats.send(chat.id, Outgoing(text, attachments))
    return entry.error or entry.state


def probe(folder: Path, *exposed: str) -> Path:
    """Make the package of the gem for tests, unsigned, with the tools that agents are to see."""
    properties = {name: {"type": "string"} for name in ("text", "path")}
    schema = {"type": "object", "properties": properties}
    network = {"network": {"hosts": ["127.0.0.1", OUTSIDE], "allowLocalNetwork": True, "reason": "Tests"}}
    tools = [
        tool(
            name,
            entry=f"tools/{name}.ts",
            inputSchema=schema,
            expose=name in exposed,
            **(GRANTED if name == "fetches" else {}),
        )
        for name in PROBE
    ]
    content = manifest(id="probe", name="Probe", tools=tools, permissions=network)
    files = {f"tools/{name}.ts": text for name, text in PROBE.items()}
    package = folder / "probe.gem"
    package.write_bytes(pack(draft(folder / "probe", content, files), key=None))
    return package


def calls(name: str, /, **arguments: Any) -> Say:
    """Return the turn in which the model calls one tool, by its name on the wire."""
    return Say(calls=(Call(name, arguments),))
