"""The `fs.*` tools, called as a model calls them."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.services.approvals.api import ApprovalRequested
from notochord.services.approvals.component import COMPONENT
from notochord.services.approvals.service import ApprovalService
from notochord.services.files.api import Entry, Root
from notochord.services.files.tools import MAX_CHARACTERS, FileTools
from notochord.services.tools.api import Outcome, OutcomeState, Session, SideEffect
from notochord.services.tools.registry import ToolRegistry
from support.databases import database_in
from support.file_services import Workshop, workshop_in


class Desk:
    """An agent's place: a conversation folder, the tools on it, and a person to ask."""

    def __init__(self, shop: Workshop, approvals: ApprovalService, events: EventBus) -> None:
        self.shop = shop
        self.approvals = approvals
        self.registry = ToolRegistry(approvals=approvals, clock=shop.clock, ids=IdMaker(shop.clock))
        self.registry.register(FileTools(files=shop.files))
        self.session = Session(Caller(Actor.AGENT, "chat", Cause(conversation="c", turn="t")), shop.folder)
        self.asked: list[str] = []
        self.answering: set[asyncio.Task[object]] = set()
        events.subscribe(ApprovalRequested, self.answer)

    def answer(self, event: ApprovalRequested) -> None:
        self.asked.append(event.approval.question.subject)
        answering = asyncio.ensure_future(self.approvals.decide(event.approval.id, approve=True, by="test"))
        self.answering.add(answering)

    async def call(self, name: str, **arguments: object) -> Outcome:
        return await self.registry.call(name, json.dumps(arguments), self.session)

    async def value(self, name: str, **arguments: object) -> object:
        outcome = await self.call(name, **arguments)
        assert outcome.state is OutcomeState.DONE, outcome.text
        return json.loads(outcome.text)

    async def text(self, name: str, **arguments: object) -> str:
        outcome = await self.call(name, **arguments)
        assert outcome.state is OutcomeState.DONE, outcome.text
        return outcome.text

    async def failure(self, name: str, **arguments: object) -> str:
        outcome = await self.call(name, **arguments)
        assert outcome.state is OutcomeState.FAILED
        return outcome.text


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    events = EventBus()
    async with workshop_in(tmp_path) as shop, database_in(tmp_path, COMPONENT, name="approvals.db") as database:
        approvals = ApprovalService(database=database, clock=shop.clock, ids=IdMaker(shop.clock), events=events)
        yield Desk(shop, approvals, events)


@pytest.mark.req("PERM-059", "CHAT-010")
async def test_an_agent_lists_reads_and_writes_in_its_folder_without_being_asked(desk: Desk) -> None:
    desk.shop.put("a.txt", "hello")
    assert await desk.text("fs.cat", path="a.txt") == "hello"
    assert await desk.value("fs.write", path="notes/b.txt", content="好") == {"written": "notes/b.txt", "bytes": 3}
    listed = await desk.value("fs.list")
    assert listed == {
        "entries": [
            {"name": "a.txt", "type": "file", "size": 5, "modified": listed["entries"][0]["modified"]},  # type: ignore[index]
            {"name": "notes", "type": "folder", "modified": listed["entries"][1]["modified"]},  # type: ignore[index]
        ]
    }
    assert desk.shop.text("notes/b.txt") == "好"
    assert desk.asked == []


async def test_folders_are_made_and_things_are_moved_and_deleted(desk: Desk) -> None:
    desk.shop.put("a.txt")
    await desk.value("fs.make_folder", path="old")
    await desk.value("fs.move", path="a.txt", to="old/a.txt")
    assert desk.shop.text("old/a.txt") == "text"
    await desk.value("fs.delete", path="old")
    assert list(desk.shop.folder.iterdir()) == []
    assert len(await desk.shop.journal.changes(Cause(conversation="c"))) == 4


@pytest.mark.req("PERM-058", "PERM-059")
@pytest.mark.parametrize("path", ["/etc/passwd", "../data", "a/../../x", "C:\\x"])
@pytest.mark.parametrize("name", ["fs.cat", "fs.list", "fs.delete"])
async def test_no_tool_leads_out_of_the_folder(desk: Desk, name: str, path: str) -> None:
    assert (await desk.failure(name, path=path)).startswith("E_PATH_OUTSIDE")


async def test_what_is_missing_is_said_with_what_to_do(desk: Desk) -> None:
    assert "fs.list" in await desk.failure("fs.cat", path="none.txt")


async def test_a_long_file_is_read_in_parts(desk: Desk) -> None:
    desk.shop.put("long.txt", "".join(f"line {number} {'x' * 90}\n" for number in range(1, 1001)))
    first = await desk.text("fs.cat", path="long.txt")
    assert len(first) < MAX_CHARACTERS + 100
    assert first.startswith("line 1 ")
    offset = int(first.rpartition(" ")[2].rstrip("]"))
    assert (await desk.text("fs.cat", path="long.txt", offset=offset)).startswith(f"line {offset} ")
    two = await desk.text("fs.cat", path="long.txt", offset=10, limit=2)
    assert [line.split()[1] for line in two.splitlines()[:2]] == ["10", "11"]
    assert (await desk.text("fs.cat", path="long.txt", offset=1000)).startswith("line 1000 ")
    assert "1000 lines" in await desk.failure("fs.cat", path="long.txt", offset=1001)


@pytest.mark.parametrize(("content", "words"), [("", "is empty"), ("x" * 100_000, "line 1 is cut")])
async def test_strange_files_are_described(desk: Desk, content: str, words: str) -> None:
    desk.shop.put("strange.txt", content)
    assert words in await desk.text("fs.cat", path="strange.txt")


async def test_a_file_that_is_no_text_is_named_as_such(desk: Desk) -> None:
    (desk.shop.folder / "picture.png").write_bytes(b"\x89PNG\0\0")
    assert "not a text file" in await desk.failure("fs.cat", path="picture.png")


async def test_an_edit_replaces_the_one_place_and_keeps_line_ends_and_encoding(desk: Desk) -> None:
    (desk.shop.folder / "a.csv").write_bytes(b"\xef\xbb\xbfname;sum\r\nAda;1\r\nBob;2\r\n")
    await desk.value("fs.edit", path="a.csv", old="Ada;1\nBob", new="Ada;3\nBen")
    assert (desk.shop.folder / "a.csv").read_bytes() == b"\xef\xbb\xbfname;sum\r\nAda;3\r\nBen;2\r\n"


@pytest.mark.parametrize(("old", "words"), [("zebra", "not in the file"), ("a", "3 times"), ("", "not in the file")])
async def test_an_edit_that_is_not_clear_changes_nothing(desk: Desk, old: str, words: str) -> None:
    desk.shop.put("a.txt", "banana")
    assert words in await desk.failure("fs.edit", path="a.txt", old=old, new="x")
    assert desk.shop.text("a.txt") == "banana"


async def test_a_search_finds_names_and_texts_without_regard_to_case(desk: Desk) -> None:
    desk.shop.put("Report.md", "nothing")
    desk.shop.put("sub/b.txt", "one\nthe REPORT of may\n")
    desk.shop.put(".git/report", "report")
    assert await desk.value("fs.search", text="report") == {
        "found": [{"path": "Report.md"}, {"path": "sub/b.txt", "line": 2, "text": "the REPORT of may"}]
    }
    assert await desk.value("fs.search", text="zebra") == {"found": []}


async def test_a_time_beyond_the_calendar_keeps_no_folder_from_being_listed(desk: Desk) -> None:
    """Some disks hold times of 64 bits; one file of that kind must not hide the others."""
    desk.shop.put("a.txt", "x")
    desk.shop.put("b.txt", "x")
    real = desk.shop.files.list

    async def with_odd_time(root: Root, path: str = "") -> Sequence[Entry]:
        return [replace(entry, modified=2**62) if entry.name == "a.txt" else entry for entry in await real(root, path)]

    desk.shop.files.list = with_odd_time  # type: ignore[method-assign]
    listed = await desk.value("fs.list")
    assert isinstance(listed, dict)
    assert [(entry["name"], "modified" in entry) for entry in listed["entries"]] == [("a.txt", False), ("b.txt", True)]


async def test_a_search_below_a_folder_stays_there_and_stops_at_its_limit(desk: Desk) -> None:
    desk.shop.put("a.txt", "needle")
    desk.shop.put("sub/b.txt", "needle\n" * 500)
    found = await desk.value("fs.search", text="needle", path="sub")
    assert isinstance(found, dict)
    assert {hit["path"] for hit in found["found"]} == {"sub/b.txt"}
    assert (len(found["found"]), "narrow" in found["note"]) == (50, True)


@pytest.mark.req("MAN-036")
async def test_in_plan_mode_only_reading_is_offered(desk: Desk) -> None:
    planning = replace(desk.session, plan_mode=True)
    listed = await desk.registry.list(planning)
    assert [each.name for each in listed] == ["fs.cat", "fs.list", "fs.search", "tool_search"]
    assert {each.side_effect for each in listed} == {SideEffect.READ}


CAREFUL: list[tuple[str, dict[str, str]]] = [
    ("fs.cat", {"path": ".env"}),
    ("fs.list", {"path": ".git"}),
    ("fs.write", {"path": "sub/.env", "content": "x"}),
    ("fs.write", {"path": "run.sh", "content": "x"}),
    ("fs.write", {"path": "Setup.EXE", "content": "x"}),
    ("fs.write", {"path": "\u200b.git/hooks/post-merge", "content": "x"}),
    ("fs.write", {"path": "run.s\u200dh", "content": "x"}),
    ("fs.edit", {"path": "tool", "old": "text", "new": "x"}),
    ("fs.move", {"path": "plain.txt", "to": "plain.bat"}),
    ("fs.move", {"path": "with dots", "to": "moved"}),
    ("fs.delete", {"path": "with dots"}),
    ("fs.delete", {"path": "run.sh"}),
]


def fill(shop: Workshop) -> None:
    for path in ("plain.txt", ".env", ".git/config", "run.sh", "with dots/deep/.env", "sub/x.txt"):
        shop.put(path)
    shop.put("tool").chmod(0o755)


@pytest.mark.parametrize(("name", "arguments"), CAREFUL)
async def test_in_a_folder_of_the_user_dot_entries_and_programs_are_asked_each_time(
    desk: Desk, name: str, arguments: dict[str, str]
) -> None:
    fill(desk.shop)
    desk.session = replace(desk.session, own_folder=False)
    await desk.approvals.permit("c", "file", arguments["path"])
    await desk.text(name, **arguments)
    assert desk.asked == [arguments["to" if arguments.get("to") == "plain.bat" else "path"]]


@pytest.mark.parametrize(("name", "arguments"), CAREFUL)
async def test_in_the_conversations_own_folder_nothing_is_asked(
    desk: Desk, name: str, arguments: dict[str, str]
) -> None:
    fill(desk.shop)
    await desk.text(name, **arguments)
    assert desk.asked == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("fs.cat", {"path": "run.sh"}),
        ("fs.write", {"path": "plain.txt", "content": "x"}),
        ("fs.move", {"path": "sub", "to": "moved"}),
        ("fs.list", {}),
    ],
)
async def test_ordinary_files_of_the_user_are_not_asked_about(desk: Desk, name: str, arguments: dict[str, str]) -> None:
    fill(desk.shop)
    desk.session = replace(desk.session, own_folder=False)
    await desk.text(name, **arguments)
    assert desk.asked == []
