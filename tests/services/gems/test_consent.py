"""The user is asked once for each gem and conversation, through the real registry and the real approvals."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.strict_json import Json
from notochord.services.approvals.api import ApprovalRequested
from notochord.services.approvals.component import COMPONENT as APPROVALS
from notochord.services.approvals.service import ApprovalService
from notochord.services.sandbox.api import Host, HostRequest
from notochord.services.tools.api import Outcome, OutcomeState, Session
from notochord.services.tools.registry import ToolRegistry
from support.clocks import HandClock
from support.databases import database_in
from support.gems import PackageMaker, Platform, manifest, platform, tool


@dataclass
class Desk:
    """An agent's way to tools, and the user who answers every question in the same way."""

    notochord: Platform
    registry: ToolRegistry
    session: Session
    asked: list[str]
    approve: bool = True

    async def call(self, name: str, arguments: str = "{}") -> Outcome:
        outcome = await self.registry.call(name, arguments, self.session)
        self.session = replace(self.session, opened=self.session.opened | set(outcome.opens))
        return outcome

    async def names(self) -> list[str]:
        return [definition.name for definition in await self.registry.list(self.session)]


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    clock, bus = HandClock(), EventBus()
    (tmp_path / "talk").mkdir()
    async with platform(tmp_path / "org") as notochord, database_in(tmp_path, APPROVALS) as database:
        approvals = ApprovalService(database=database, clock=clock, ids=IdMaker(clock), events=bus)
        registry = ToolRegistry(approvals=approvals, clock=clock, ids=IdMaker(clock))
        registry.register(notochord.service.provider)
        session = Session(Caller(Actor.AGENT, "chat", Cause("talk")), tmp_path / "talk")
        made = Desk(notochord, registry, session, [])
        answers: list[asyncio.Task[object]] = []

        def answer(event: ApprovalRequested) -> None:
            made.asked.append(event.approval.question.subject)
            work = approvals.decide(event.approval.id, approve=made.approve, by="window")
            answers.append(asyncio.get_running_loop().create_task(work))

        bus.subscribe(ApprovalRequested, answer)
        content = manifest(tools=[tool("one"), tool("two"), tool("inner", expose=False)])
        await notochord.service.install(PackageMaker(tmp_path / "packages").make(content))
        yield made
        await asyncio.gather(*answers)


@pytest.mark.req("GEM-041", "GEM-042", "GEM-052", "GEM-053")
async def test_opening_asks_nobody_and_adds_the_tools_from_the_next_step_on(desk: Desk) -> None:
    before = await desk.names()
    outcome = await desk.call("read_skill", '{"name": "greeter"}')
    assert outcome.state is OutcomeState.DONE
    assert set(await desk.names()) - set(before) == {"gem.greeter.one", "gem.greeter.two"}
    assert desk.asked == []


@pytest.mark.req("GEM-055", "GEM-056", "GEM-057", "GEM-058")
async def test_the_first_call_asks_about_the_gem_and_only_another_conversation_asks_again(desk: Desk) -> None:
    await desk.call("read_skill", '{"name": "greeter"}')
    for name in ("one", "two", "one"):
        assert (await desk.call(f"gem.greeter.{name}")).state is OutcomeState.DONE
    assert desk.asked == ["greeter"]
    desk.session = replace(desk.session, caller=Caller(Actor.AGENT, "chat", Cause("another")))
    await desk.call("gem.greeter.one")
    assert desk.asked == ["greeter", "greeter"]


@pytest.mark.req("GEM-059", "GEM-060")
async def test_a_refused_call_is_not_run_and_the_ai_is_told(desk: Desk) -> None:
    desk.approve = False
    await desk.call("read_skill", '{"name": "greeter"}')
    outcome = await desk.call("gem.greeter.one")
    assert outcome.state is OutcomeState.REFUSED
    assert outcome.text
    assert desk.notochord.sandbox.calls == []


@pytest.mark.req("GEM-068", "GEM-069", "GEM-083")
async def test_an_internal_tool_is_refused_without_a_question(desk: Desk) -> None:
    await desk.call("read_skill", '{"name": "greeter"}')
    outcome = await desk.call("gem.greeter.inner")
    assert outcome.state is not OutcomeState.DONE
    assert (desk.asked, desk.notochord.sandbox.calls) == ([], [])


@pytest.mark.req("MAN-036", "MAN-037")
async def test_in_plan_mode_only_tools_that_say_they_read_can_run(desk: Desk, tmp_path: Path) -> None:
    content = manifest(id="reader", tools=[tool("look", sideEffect="read"), tool("change")])
    await desk.notochord.service.install(PackageMaker(tmp_path / "more").make(content))
    desk.session = replace(desk.session, plan_mode=True)
    await desk.call("read_skill", '{"name": "reader"}')
    assert (await desk.call("gem.reader.look")).state is OutcomeState.DONE
    assert (await desk.call("gem.reader.change")).state is not OutcomeState.DONE
    assert [call.module for call in desk.notochord.sandbox.calls] == ["tools/greet.ts"]


@pytest.mark.req("PERM-127")
async def test_an_upgrade_that_begins_to_use_files_asks_nobody_anew(desk: Desk, tmp_path: Path) -> None:
    async def change(_: Json, host: Host) -> Json:
        await host.answer(HostRequest("files.write", {"path": "workspace:mine.txt"}, b"changed"))
        return None

    file = tmp_path / "talk/mine.txt"
    file.write_text("as it was")
    await desk.call("read_skill", '{"name": "greeter"}')
    assert (await desk.call("gem.greeter.one")).state is OutcomeState.DONE
    assert (desk.asked, file.read_text()) == (["greeter"], "as it was")
    desk.notochord.sandbox.tools["tools/greet.ts"] = change
    after = {"tools/greet.ts": "export default (_, ctx) => ctx.files.write('workspace:mine.txt', 'changed');\n"}
    content = manifest(version="1.1.0", tools=[tool("one"), tool("two")])
    await desk.notochord.service.install(PackageMaker(tmp_path / "later").make(content, after))
    assert (await desk.call("gem.greeter.one")).state is OutcomeState.DONE
    assert (desk.asked, file.read_text()) == (["greeter"], "changed")
