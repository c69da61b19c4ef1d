"""An agent of a gem that was led astray reaches nothing beyond its header; unconfined the same call gets it."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.services.approvals.component import COMPONENT as APPROVALS
from notochord.services.approvals.service import ApprovalService
from notochord.services.files.tools import FileTools
from notochord.services.tools.api import Confinement, Outcome, OutcomeState, Session
from notochord.services.tools.registry import ToolRegistry
from support.clocks import HandClock
from support.databases import database_in
from support.file_services import workshop_in
from support.gems import FILES, PackageMaker, manifest, platform, tool

OWN = frozenset({"gem.greeter.greet", "fs.cat", "read_skill"})
RUN = "runs/host-20261130-090000"
SKILL = {"skill/SKILL.md": "# How to"}

ATTACKS: dict[str, tuple[str, dict[str, Any]]] = {
    "an exposed tool of another gem": ("gem.other.greet", {}),
    "an internal tool of its gem that its header does not name": ("gem.greeter.inner", {}),
    "a tool of the program that its header does not name": ("fs.delete", {"path": "mine.txt"}),
    "a search for more tools": ("tool_search", {"query": "greet"}),
    "the skill of another gem": ("read_skill", {"name": "other"}),
    "a reference of another gem": ("read_skill", {"name": "greeter", "file": "other/skill/SKILL.md"}),
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


@dataclass
class Arena:
    registry: ToolRegistry
    confined: Session

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
        registry.register(FileTools(files=shop.files))
        packages, tools = PackageMaker(tmp_path / "packages"), [tool(), tool("inner", expose=False)]
        for gem in ("greeter", "other"):
            await notochord.service.install(packages.make(manifest(id=gem, tools=tools), {**FILES, **SKILL}))
            await approvals.permit("talk", "gem", gem)
        for name in ("letter.txt", "old.txt", ".env", f"{RUN}/mine.txt"):
            shop.put(name, "secret")
        (tmp_path / "outside.txt").write_text("outside")
        (shop.folder / "link.txt").symlink_to(tmp_path / "outside.txt")
        caller = Caller(Actor.GEM, "greeter", Cause("talk", "main", "turn"))
        confined = Confinement(tools=OWN, workspace=shop.folder, run=RUN)
        session = Session(caller, shop.folder / RUN, agent="host", gem="greeter", confined=confined)
        yield Arena(registry, session)


@pytest.mark.req("AGENT-034", "GEM-070", "SKILL-022")
async def test_the_attacks_are_blocked_and_succeed_without_the_confinement(arena: Arena) -> None:
    workspace = arena.confined.confined
    assert workspace is not None
    opened = frozenset({"greeter", "other"})
    free = replace(arena.confined, gem="", agent="chat", confined=None, folder=workspace.workspace, opened=opened)
    blocked = {name: await arena.call(arena.confined, *attack) for name, attack in ATTACKS.items()}
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
