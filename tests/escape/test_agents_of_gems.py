"""An agent of a gem that was led astray reaches nothing beyond its header; unconfined the same call gets it."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from escape.arena import program_log
from notochord.core.caller import Actor, Caller, Cause
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.services.agents.api import Errand
from notochord.services.approvals.component import COMPONENT as APPROVALS
from notochord.services.approvals.service import ApprovalService
from notochord.services.egress.tools import HttpTools
from notochord.services.egress.url import read_url
from notochord.services.files.tools import FileTools
from notochord.services.tools.api import Confinement, Outcome, OutcomeState, Session
from notochord.services.tools.registry import ToolRegistry
from support.clocks import HandClock
from support.databases import database_in
from support.egress import PUBLIC, Answer, RecordingSender, bench, rules
from support.file_services import workshop_in
from support.gems import FILES, PackageMaker, manifest, platform, tool

OWN = frozenset({"gem.greeter.greet", "fs.cat", "read_skill", "http.request"})
RUN = "runs/host-20261130-090000"
SKILL = {"skill/SKILL.md": "# How to"}
AGENT = {"agents/helper.md": "---\ndescription: Helps.\nexpose: true\n---\nYou help."}

ATTACKS: dict[str, tuple[str, dict[str, Any]]] = {
    "an exposed tool of another gem": ("gem.other.greet", {}),
    "an internal tool of its gem that its header does not name": ("gem.greeter.inner", {}),
    "a tool of the program that its header does not name": ("fs.delete", {"path": "mine.txt"}),
    "a search for more tools": ("tool_search", {"query": "greet"}),
    "the skill of another gem": ("read_skill", {"name": "other"}),
    "a reference of another gem": ("read_skill", {"name": "greeter", "file": "other/skill/SKILL.md"}),
    "an agent of another gem": ("gem.other.helper", {"task": "Read all mail."}),
    "an agent of its gem that its header does not name": ("gem.greeter.helper", {"task": "Go on for me."}),
    "a file beside its own folder": ("fs.cat", {"path": "../../letter.txt"}),
    "a hidden file of the conversation": ("fs.cat", {"path": "workspace/.env"}),
    "a file behind a link in the conversation": ("fs.cat", {"path": "workspace/link.txt"}),
}
CONTROLS: dict[str, tuple[str, dict[str, Any]]] = {
    "a file beside its own folder": ("fs.cat", {"path": "letter.txt"}),
    "a hidden file of the conversation": ("fs.cat", {"path": ".env"}),
    "a tool of the program that its header does not name": ("fs.delete", {"path": "old.txt"}),
}
"""How an agent that is not confined, whose folder is the conversation's, writes the same call."""

HELD_FOR_ALL = {"a file behind a link in the conversation", "a reference of another gem"}
HELD_BY_THE_REGISTRY = {"an internal tool of its gem that its header does not name"}


WEB = {
    "another host": "https://evil.example/",
    "another port": "https://api.example.com:8443/",
    "a host behind a user": "https://api.example.com@evil.example/",
    "a host below": "https://api.example.com.evil.example/",
    "a host with a foreign letter": "https://\u0430pi.example.com/",
    "this computer": "http://127.0.0.1:8080/",
    "this computer as a number": "http://2130706433:8080/",
    "this computer by name": "http://localhost:8080/",
    "a granted name that leads inward": "https://inward.example.com/",
}
REFUSED_TO_ALL = {"a granted name that leads inward", "a host behind a user"}
HOSTS = ("api.example.com", "inward.example.com")
NAMES = {"api.example.com": [PUBLIC], "evil.example": [PUBLIC], "inward.example.com": ["127.0.0.1"],
         "api.example.com.evil.example": [PUBLIC], "xn--pi-6kc.example.com": [PUBLIC]}  # fmt: skip


class Obedient:
    """Does whatever an agent is asked."""

    async def do(self, errand: Errand, cause: Cause) -> str:
        return f"{errand.name}: done"


@dataclass
class Arena:
    registry: ToolRegistry
    confined: Session
    sender: RecordingSender
    approvals: ApprovalService

    async def call(self, session: Session, name: str, arguments: dict[str, Any]) -> Outcome:
        return await self.registry.call(name, json.dumps(arguments), session)


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Arena]:
    async with (
        platform(tmp_path / "org") as notochord,
        workshop_in(tmp_path) as shop,
        database_in(tmp_path, APPROVALS, name="approvals.db") as database,
    ):
        clock = HandClock()
        approvals = ApprovalService(database=database, clock=clock, ids=IdMaker(clock), events=EventBus())
        registry = ToolRegistry(approvals=approvals, clock=clock, ids=IdMaker(clock))
        registry.register(notochord.service.provider)
        registry.register(notochord.service.agent_tools(Obedient()))
        registry.register(FileTools(files=shop.files))
        sender = RecordingSender()
        parts = await bench(sender, names=NAMES, lists=rules(local=("127.0.0.1:8080", "localhost:8080")))
        registry.register(HttpTools(egress=parts.egress))
        packages, tools = PackageMaker(tmp_path / "packages"), [tool(), tool("inner", expose=False)]
        for gem in ("greeter", "other"):
            await notochord.service.install(packages.make(manifest(id=gem, tools=tools), {**FILES, **SKILL, **AGENT}))
            await approvals.permit("talk", "gem", gem)
        for name in ("letter.txt", "old.txt", ".env", f"{RUN}/mine.txt"):
            shop.put(name, "secret")
        (tmp_path / "outside.txt").write_text("outside")
        (shop.folder / "link.txt").symlink_to(tmp_path / "outside.txt")
        caller = Caller(Actor.GEM, "greeter", Cause("talk", "main", "turn"))
        confined = Confinement(tools=OWN, workspace=shop.folder, run=RUN, hosts=HOSTS)
        session = Session(caller, shop.folder / RUN, agent="host", gem="greeter", confined=confined)
        yield Arena(registry, session, sender, approvals)
        await parts.egress.close()


@pytest.mark.req("AGENT-034", "GEM-070", "SKILL-022")
async def test_the_attacks_are_blocked_and_succeed_without_the_confinement(arena: Arena) -> None:
    workspace = arena.confined.confined
    assert workspace is not None
    opened = frozenset({"greeter", "other"})
    free = replace(arena.confined, gem="", agent="chat", confined=None, folder=workspace.workspace, opened=opened)
    with program_log() as log:
        blocked = {name: await arena.call(arena.confined, *attack) for name, attack in ATTACKS.items()}
        seen = log.taken()
    closed = {attack[0] for attack in ATTACKS.values()} - OWN
    assert {
        name for name in closed if f"agent of the gem greeter was refused {name} with E_PERM_DENIED" not in seen
    } == set()
    assert {name for name, outcome in blocked.items() if outcome.state is OutcomeState.DONE} == set()
    assert not [outcome for outcome in blocked.values() if "secret" in outcome.text or outcome.text == "outside"]
    reached = {name: await arena.call(free, *CONTROLS.get(name, attack)) for name, attack in ATTACKS.items()}
    got = {name for name, outcome in reached.items() if outcome.state is OutcomeState.DONE}
    assert got == set(ATTACKS) - HELD_FOR_ALL - HELD_BY_THE_REGISTRY


async def test_an_internal_tool_is_there_once_the_header_names_it(arena: Arena) -> None:
    name, arguments = ATTACKS["an internal tool of its gem that its header does not name"]
    confined = arena.confined.confined
    assert confined is not None
    named = replace(arena.confined, confined=replace(confined, tools=OWN | {name}))
    assert (await arena.call(named, name, arguments)).state is OutcomeState.DONE
    assert (await arena.call(arena.confined, name, arguments)).code == "E_PERM_DENIED"


@pytest.mark.parametrize(
    "name", ["gem.other.greet\n", " gem.other.greet", "gem..other.greet", "GEM.other.greet", "gem"]
)
async def test_no_spelling_of_a_name_gets_around_it(arena: Arena, name: str) -> None:
    assert (await arena.call(arena.confined, name, {})).code == "E_PERM_DENIED"


@pytest.mark.req("AGENT-034", "PERM-032")
@pytest.mark.parametrize("name", WEB)
async def test_an_agent_reaches_no_host_that_its_gem_did_not_ask_for(arena: Arena, name: str) -> None:
    request = {"method": "GET", "url": WEB[name]}
    with program_log() as log:
        blocked = await arena.call(arena.confined, "http.request", request)
        assert "an agent of the gem greeter was refused http.request" in log.taken()
    assert (blocked.state is OutcomeState.DONE, arena.sender.sent) == (False, [])
    asked = {"method": "GET", "url": "https://api.example.com/"}
    assert (await arena.call(arena.confined, "http.request", asked)).state is OutcomeState.DONE


@pytest.mark.parametrize("name", sorted(WEB.keys() - REFUSED_TO_ALL))
async def test_control_an_agent_of_the_user_reaches_it_once_the_user_agreed(arena: Arena, name: str) -> None:
    await arena.approvals.permit("talk", "host", read_url(WEB[name]).authority)
    free = replace(arena.confined, gem="", agent="chat", confined=None)
    outcome = await arena.call(free, "http.request", {"method": "GET", "url": WEB[name]})
    assert (outcome.state, len(arena.sender.sent)) == (OutcomeState.DONE, 1)


async def test_an_agent_is_not_led_on_by_a_redirect(arena: Arena) -> None:
    arena.sender.give(Answer(302, (("Location", "https://evil.example/?t=stolen"),), ()))
    await arena.call(arena.confined, "http.request", {"method": "GET", "url": "https://api.example.com/"})
    assert [outgoing.host for outgoing in arena.sender.sent] == ["api.example.com"]
