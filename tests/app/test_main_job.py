"""The main job on real parts: an agent opens a gem, is allowed to, and its tool turns a messy file into a report."""

from pathlib import Path

import pytest

from notochord.headless.tour.ledger import make_ledger, monthly_totals, totals_in
from notochord.viewmodels.chat.files import FilesModel
from support.desks import FakeOpening
from support.whole import (
    SUMMARY_GEM,
    SUMMARY_TOOL,
    Person,
    calls,
    connect,
    opened,
    say,
    scripted,
    talk,
)

SUMMARIZE = calls(SUMMARY_TOOL, file="sales.csv")
OPEN = calls("read_skill", name="sales-summary")


def ledger_in(folder: Path) -> Path:
    file = folder / "sales.csv"
    file.write_bytes(make_ledger(7).content)
    return file


@pytest.mark.req("CHAT-017", "GEM-016", "PERM-064", "PERM-080")
async def test_the_agent_makes_the_summary_of_a_messy_file_with_the_gem(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(SUMMARY_GEM)
        person, chat = Person(services), await talk(services)
        script.play(OPEN, SUMMARIZE)
        assert await say(services, chat, "Please make a monthly summary.", ledger_in(tmp_path)) == "done"
        (made,) = (chat.folder / "runs").glob("*/output/summary.csv")
        assert totals_in(made.read_text()) == monthly_totals(make_ledger(7))
        assert f'"folder":"runs/{made.parts[-3]}"' in script.results()[-1].replace(": ", ":")
        assert made.parts[-3].startswith("monthly_summary-")
        assert [(one.question.kind, one.question.subject) for one in person.asked] == [("gem", "sales-summary")]


@pytest.mark.req("GEM-018", "GEM-019", "GEM-037", "GEM-041")
async def test_the_gems_tools_are_offered_from_the_step_after_it_was_opened(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(SUMMARY_GEM)
        chat = await talk(services)
        script.play(OPEN)
        assert await say(services, chat, "Hello") == "done"
        assert {"read_skill", "tool_search"} <= script.tools(0)
        assert SUMMARY_TOOL not in script.tools(0)
        assert SUMMARY_TOOL in script.tools(1)


async def test_a_gem_that_was_removed_leaves_no_consent_to_the_next_of_its_id(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(SUMMARY_GEM)
        person, chat = Person(services), await talk(services)
        script.play(OPEN, SUMMARIZE)
        assert await say(services, chat, "Please make a monthly summary.", ledger_in(tmp_path)) == "done"
        await services.gems.remove("sales-summary")
        await services.gems.install(SUMMARY_GEM)
        script.play(OPEN, SUMMARIZE)
        assert await say(services, chat, "Once more, please.") == "done"
        assert [one.question.subject for one in person.asked] == ["sales-summary", "sales-summary"]


@pytest.mark.req("CHAT-019", "CHAT-020", "GEM-055", "GEM-057")
async def test_consent_is_asked_for_once_in_a_conversation(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(SUMMARY_GEM)
        person, chat = Person(services), await talk(services)
        script.play(OPEN, SUMMARIZE, SUMMARIZE)
        await say(services, chat, "Summarize it twice", ledger_in(tmp_path))
        assert len(person.asked) == 1
        assert len(list((chat.folder / "runs").glob("*/output/summary.csv"))) == 2


@pytest.mark.req("CHAT-021", "GEM-058")
async def test_consent_holds_for_its_conversation_and_a_no_keeps_the_tool_from_running(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(SUMMARY_GEM)
        person, file = Person(services), ledger_in(tmp_path)
        for person.approves in (True, False):
            chat = await talk(services)
            script.play(OPEN, SUMMARIZE)
            assert await say(services, chat, "Summarize", file) == "done"
            assert (chat.folder / "runs").exists() is person.approves
        assert len(person.asked) == 2


@pytest.mark.req("CHAT-014", "PERM-071")
async def test_the_model_is_told_of_the_file_and_reads_what_the_run_left(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(SUMMARY_GEM)
        Person(services)
        chat = await talk(services)
        script.play(OPEN, SUMMARIZE)
        await say(services, chat, "Summarize", ledger_in(tmp_path))
        assert "sales.csv" in str(script.bodies[0]["messages"])
        (report,) = (chat.folder / "runs").glob("*/output/summary.md")
        path = report.relative_to(chat.folder).as_posix()
        script.play(calls("fs_cat", path=path), calls("fs_write", path=path, content="Mine"))
        await say(services, chat, "Now change the report")
        assert report.read_text() == "Mine"


@pytest.mark.req("PERM-072")
async def test_the_user_finds_what_the_run_left_in_the_folder_of_the_conversation_and_opens_it(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(SUMMARY_GEM)
        Person(services)
        chat, opening = await talk(services), FakeOpening()
        script.play(OPEN, SUMMARIZE)
        await say(services, chat, "Summarize", ledger_in(tmp_path))
        panel = FilesModel(
            chat, files=services.files, versions=services.versions, opening=opening, events=services.events,
            clock=services.clock,
        )  # fmt: skip
        await panel.start()
        assert [entry.name for entry in panel.entries] == ["runs", "sales.csv"]
        await panel.choose("runs")
        await panel.choose(panel.entries[0].name)
        await panel.choose("output")
        assert [entry.name for entry in panel.entries] == ["summary.csv", "summary.md"]
        await panel.choose("summary.md")
        assert panel.preview.value is not None
        assert panel.open_file(panel.preview.value.path)
        await panel.close()
        (report,) = (chat.folder / "runs").glob("*/output/summary.md")
        assert (panel.preview.value.text, opening.files) == (report.read_text(), [report])
