"""An agent of a gem sees its own folder, and the conversation's below `workspace/`, where it can only read."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.services.approvals.component import COMPONENT
from notochord.services.approvals.service import ApprovalService
from notochord.services.files.tools import FileTools
from notochord.services.tools.api import Confinement, Outcome, OutcomeState, Session
from notochord.services.tools.registry import ToolRegistry
from support.databases import database_in
from support.file_services import Workshop, workshop_in

RUN = "runs/host-20261130-090000"
ALL = frozenset({"fs.cat", "fs.delete", "fs.edit", "fs.list", "fs.make_folder", "fs.move", "fs.search", "fs.write"})


class Desk:
    """The agent's place."""

    def __init__(self, shop: Workshop, approvals: ApprovalService) -> None:
        self.shop = shop
        self.own = shop.folder / RUN
        self.own.mkdir(parents=True)
        self.registry = ToolRegistry(approvals=approvals, clock=shop.clock, ids=IdMaker(shop.clock))
        self.registry.register(FileTools(files=shop.files))
        caller = Caller(Actor.GEM, "greeter", Cause(conversation="c", turn="t"))
        confined = Confinement(tools=ALL, workspace=shop.folder, run=RUN)
        self.session = Session(caller, self.own, agent="host", gem="greeter", confined=confined)

    async def call(self, name: str, **arguments: object) -> Outcome:
        return await self.registry.call(name, json.dumps(arguments), self.session)

    async def text(self, name: str, **arguments: object) -> str:
        outcome = await self.call(name, **arguments)
        assert outcome.state is OutcomeState.DONE, outcome.text
        return outcome.text


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with workshop_in(tmp_path) as shop, database_in(tmp_path, COMPONENT, name="approvals.db") as database:
        events = EventBus()
        yield Desk(shop, ApprovalService(database=database, clock=shop.clock, ids=IdMaker(shop.clock), events=events))


@pytest.mark.req("PERM-110")
async def test_the_conversations_files_are_listed_read_and_found_below_workspace(desk: Desk) -> None:
    desk.shop.put("notes/a.txt", "hello")
    top = json.loads(await desk.text("fs.list"))["entries"]
    assert top == [{"name": "workspace", "type": "folder"}]
    inside = json.loads(await desk.text("fs.list", path="workspace"))["entries"]
    assert [entry["name"] for entry in inside] == ["notes", "runs"]
    assert await desk.text("fs.cat", path="./workspace//notes/a.txt") == "hello"
    found = json.loads(await desk.text("fs.search", text="hello", path="workspace/notes"))["found"]
    assert [hit["path"] for hit in found] == ["workspace/notes/a.txt"]


async def test_what_it_writes_lies_in_its_own_folder(desk: Desk) -> None:
    await desk.text("fs.write", path="report.md", content="# Report")
    await desk.text("fs.move", path="report.md", to="output/report.md")
    assert (desk.own / "output" / "report.md").read_text() == "# Report"
    assert await desk.text("fs.cat", path=f"workspace/{RUN}/output/report.md") == "# Report"


@pytest.mark.req("PERM-111")
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("fs.write", {"path": "workspace/a.txt", "content": "x"}),
        ("fs.write", {"path": "workspace", "content": "x"}),
        ("fs.write", {"path": "./WORKSPACE/a.txt", "content": "x"}),
        ("fs.edit", {"path": "workspace/a.txt", "old": "hello", "new": "x"}),
        ("fs.make_folder", {"path": "workspace"}),
        ("fs.make_folder", {"path": "workspace/more"}),
        ("fs.move", {"path": "workspace/a.txt", "to": "a.txt"}),
        ("fs.move", {"path": "own.txt", "to": "workspace/own.txt"}),
        ("fs.delete", {"path": "workspace/a.txt"}),
    ],
)
async def test_nothing_below_workspace_can_be_changed(desk: Desk, name: str, arguments: dict[str, str]) -> None:
    desk.shop.put("a.txt", "hello")
    (desk.own / "own.txt").write_text("mine")
    outcome = await desk.call(name, **arguments)
    assert (outcome.state, outcome.code) == (OutcomeState.FAILED, "E_PERM_DENIED")
    assert desk.shop.text("a.txt") == "hello"
    assert sorted(item.name for item in desk.own.iterdir()) == ["own.txt"]


@pytest.mark.req("PERM-093", "PERM-094")
async def test_hidden_files_of_the_conversation_stay_hidden(desk: Desk) -> None:
    desk.shop.put(".env", "secret")
    assert ".env" not in await desk.text("fs.list", path="workspace")
    assert (await desk.call("fs.cat", path="workspace/.env")).state is OutcomeState.FAILED
    assert "secret" not in await desk.text("fs.search", text="secret", path="workspace")


@pytest.mark.parametrize(
    "path", ["../a.txt", "workspace/../../a.txt", "workspace/..", "a/../workspace/../../a.txt", "/etc"]
)
async def test_no_path_leads_out(desk: Desk, path: str) -> None:
    desk.shop.put("a.txt", "hello")
    assert (await desk.call("fs.cat", path=path)).code == "E_PATH_OUTSIDE"


async def test_for_every_other_agent_workspace_is_a_folder_like_any_other(desk: Desk) -> None:
    desk.session = Session(Caller(Actor.AGENT, "chat", Cause(conversation="c")), desk.shop.folder)
    await desk.text("fs.write", path="workspace/a.txt", content="x")
    assert desk.shop.text("workspace/a.txt") == "x"
