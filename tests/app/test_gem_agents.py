"""An agent of a gem in the whole program: real guests, real files, and a provider that follows a script."""

from pathlib import Path

from notochord.core.caller import Actor, Caller, Cause
from notochord.services.chat.api import NewChat
from notochord.services.gems.agent_declarations import PLATFORM_TOOLS
from notochord.services.gems.packing import pack
from notochord.services.tools.api import Confinement, Session
from support.gems import draft, manifest, tool
from support.strict_servers import Call, Say
from support.whole import Person, calls, connect, opened, say, scripted, talk

POEM = "workspace/poem.txt"

AGENT = """---
description: Writes a report about a file.
tools: [count]
platform_tools: [fs.cat, fs.write]
expose: true
---
You write reports."""

COUNT = """export default async (input, ctx) => {
  const text = await ctx.files.read('workspace:' + input.path);
  await ctx.files.write('numbers.txt', String(text.split('\\n').length));
  return text.split('\\n').length;
};"""


def package(folder: Path) -> Path:
    schema = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    count = tool("count", entry="tools/count.ts", inputSchema=schema, expose=False)
    files = {"tools/count.ts": COUNT, "agents/reporter.md": AGENT}
    made = folder / "reports.gem"
    content = manifest(id="reports", name="Reports", tools=[count])
    made.write_bytes(pack(draft(folder / "reports", content, files), key=None))
    return made


async def test_a_chat_hands_a_task_to_an_agent_of_a_gem_which_works_with_its_own_tools(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(package(tmp_path), allow_unsigned=True)
        person, chat = Person(services), await talk(services)
        (chat.folder / "poem.txt").write_text("one\ntwo\nthree")
        script.play(
            calls("read_skill", name="reports"),
            calls("gem_reports_reporter", task="Report on poem.txt."),
            Say(calls=(Call("gem_reports_count", {"path": "poem.txt"}), Call("fs_cat", {"path": POEM}))),
            calls("fs_write", path="report.md", content="# Three lines"),
            calls("fs_write", path=POEM, content="gone"),
            Say("The report is written."),
            Say("Your report is there."),
        )
        assert await say(services, chat, "Please report on the poem.") == "done"
        work = script.bodies[2:6]
        assert [body["messages"][0]["content"].split("\n")[0] for body in work] == ["You write reports."] * 4
        assert script.tools(2) == {"gem_reports_count", "fs_cat", "fs_write"}
        assert "Please report on the poem." not in str(work[0])
        told = [message["content"] for message in script.bodies[5]["messages"] if message["role"] == "tool"]
        assert told[:2] == ["3", "one\ntwo\nthree"]
        assert "E_PERM_DENIED" in told[3]
        (run,) = (chat.folder / "runs").iterdir()
        assert sorted(item.name for item in run.iterdir()) == ["numbers.txt", "report.md"]
        assert script.results()[-1] == f'{{"folder":"runs/{run.name}","reply":"The report is written."}}'
        assert (chat.folder / "poem.txt").read_text() == "one\ntwo\nthree"
        assert [asked.question.subject for asked in person.asked] == ["reports"]
        (child,) = await services.chats.sub_agents(chat.id)
        assert (child.role, child.parent) == ("reports/reporter", chat.id)
        counted = {total.feature: total.calls for total in await services.usage.totals()}
        assert (counted["gem_agent"], counted["chat"]) == (4, 3)


async def test_agents_of_gems_may_ask_for_exactly_the_tools_that_the_program_has_for_them(tmp_path: Path) -> None:
    async with opened(tmp_path / "home") as services:
        cause = Cause(conversation="c")
        everything = Session(Caller(Actor.AGENT, "chat", cause), tmp_path)
        known = {found.name for found in await services.tools.list(everything)}
        confined = Confinement(tools=frozenset(known), workspace=tmp_path, run="runs/a")
        session = Session(Caller(Actor.GEM, "g", cause), tmp_path, agent="a", gem="g", confined=confined)
        offered = {found.name for found in await services.tools.list(session)}
    assert offered - {"tool_search", "propose_plan"} == PLATFORM_TOOLS


async def test_the_user_talks_with_an_agent_of_a_gem_which_goes_on_with_its_files_and_is_held_to_its_rights(
    tmp_path: Path,
) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await services.gems.install(package(tmp_path), allow_unsigned=True)
        chat = await services.chats.create(NewChat(role="reports/reporter"))
        (chat.folder / "poem.txt").write_text("one\ntwo\nthree")
        script.play(
            calls("fs_write", path="report.md", content="# Three lines"),
            Say("It is written."),
            calls("fs_cat", path="report.md"),
            calls("fs_cat", path=POEM),
            calls("fs_write", path=POEM, content="gone"),
            calls("fs_cat", path="../../poem.txt"),
            Say("I could not."),
        )
        assert await say(services, chat, "Please report on the poem.") == "done"
        assert await say(services, chat, "Change the poem.") == "done"
        told = [message["content"] for message in script.bodies[-1]["messages"] if message["role"] == "tool"]
        assert ("# Three lines" in told[1], "one\ntwo\nthree" in told[2]) == (True, True)
        assert ("E_PERM_DENIED" in told[3], "E_PATH_OUTSIDE" in told[4]) == (True, True)
        assert script.tools(0) == {"gem_reports_count", "fs_cat", "fs_write"}
        assert (chat.folder / "poem.txt").read_text() == "one\ntwo\nthree"
        assert (chat.folder / "runs/reporter/report.md").read_text() == "# Three lines"
