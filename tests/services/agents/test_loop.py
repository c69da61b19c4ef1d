"""The loop: limits, calls side by side, unusable calls, cancelling at any point."""

import asyncio
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.persistence.connection import connect
from notochord.services.agents.api import MAX_STEPS, TOKEN_LIMIT, CallEnded, StepEnded
from notochord.services.agents.calls import AT_ONCE, NEVER_STARTED
from notochord.services.agents.loop import BAD_ROUNDS
from notochord.services.chat.api import ChatEvent, NewChat, Outgoing
from notochord.services.chat.transcript import ChatTranscript
from notochord.services.models.api import Finish, ModelRequest, Reasoning, Reply, Role, Text, ToolCall, ToolResult
from notochord.services.tools.api import Session
from support.conversations import Office, office_in
from support.databases import KEY
from support.eventually import until
from support.scripted_models import Hold, call, reply, say, use

HELLO = Outgoing("Hello there")


def wait_for(*names: str) -> Reply:
    return use(*(call("note.wait", {"name": name}, id=f"call_{name}") for name in names))


def results(request: ModelRequest) -> list[ToolResult]:
    last = request.messages[-1]
    assert last.role is Role.TOOL
    return [part for part in last.parts if isinstance(part, ToolResult)]


async def until_done(office: Office, chat: str, call_id: str) -> None:
    async def done() -> bool:
        calls = (await office.chats.entries(chat))[-1].calls
        return any((made.id, made.state) == (call_id, "done") for made in calls)

    await until(done)


async def new_chat(office: Office) -> str:
    return (await office.chats.create(NewChat())).id


async def test_calls_run_side_by_side_and_their_results_stand_in_the_order_of_the_calls(tmp_path: Path) -> None:
    async with office_in(tmp_path, [wait_for("a", "b"), say("Done.")]) as office:
        ended: list[str] = []

        def listen(event: ChatEvent) -> None:
            if isinstance(event.event, CallEnded):
                ended.append(event.event.call)

        office.events.subscribe(ChatEvent, listen)
        chat = await new_chat(office)
        office.notes.texts = {"a": "first", "b": "second"}
        answer = asyncio.create_task(office.chats.send(chat, HELLO))
        await until(lambda: office.notes.running == {"a", "b"})
        office.notes.waiting["b"].set()
        await until(lambda: ended == ["call_b"])
        office.notes.waiting["a"].set()
        await answer
        assert results(office.models.of("chat")[-1]) == [ToolResult("call_a", "first"), ToolResult("call_b", "second")]


async def test_many_calls_of_one_step_run_a_few_at_a_time(tmp_path: Path) -> None:
    names = [str(number) for number in range(20)]
    async with office_in(tmp_path, [wait_for(*names), say("Done.")]) as office:
        chat = await new_chat(office)
        answer = asyncio.create_task(office.chats.send(chat, HELLO))
        await until(lambda: len(office.notes.running) == AT_ONCE)
        for name in names:
            office.notes.waiting.setdefault(name, asyncio.Event()).set()
        await answer
        assert office.notes.most_running == AT_ONCE
        assert len(results(office.models.of("chat")[-1])) == 20


async def test_the_step_limit_ends_the_answer_without_running_the_last_calls(tmp_path: Path) -> None:
    steps = [use(call("note.write", {"name": "a", "text": str(number)})) for number in range(3)]
    async with office_in(tmp_path, [*steps, say("Hello again.")]) as office:
        await office.settings.change(MAX_STEPS, 3)
        chat = await new_chat(office)
        with pytest.raises(NotochordError) as caught:
            await office.chats.send(chat, HELLO)
        assert caught.value.code is Code.STEP_LIMIT
        assert office.notes.texts == {"a": "1"}
        assert (await office.chats.entries(chat))[-1].calls[0].code == Code.STEP_LIMIT
        await office.chats.send(chat, HELLO)


@pytest.mark.req("MODEL-101")
async def test_the_token_limit_counts_the_answer_but_no_background_calls(tmp_path: Path) -> None:
    steps = [
        use(call("note.read", {"name": "a"}), tokens=(40, 10)),
        use(call("note.read", {"name": "a"}), tokens=(40, 10)),
    ]
    async with office_in(tmp_path, [*steps, say("never")], title=[say("A title", tokens=(1000, 1000))]) as office:
        await office.settings.change(TOKEN_LIMIT, 100)
        chat = await new_chat(office)
        with pytest.raises(NotochordError) as caught:
            await office.chats.send(chat, HELLO)
        assert caught.value.code is Code.TOKEN_LIMIT
        assert len(office.models.of("chat")) == 2
        assert len(office.models.of("title")) == 1
        assert len(office.notes.sessions) == 1


async def test_a_call_cut_off_by_the_output_limit_is_not_run_and_the_model_is_told_why(tmp_path: Path) -> None:
    cut = reply(ToolCall("call_1", "note.write", '{"name":"a","text":"hel'), finish=Finish.LENGTH)
    async with office_in(tmp_path, [cut, say("I try less.")]) as office:
        chat = await new_chat(office)
        await office.chats.send(chat, HELLO)
        assert office.notes.texts == {}
        (told,) = results(office.models.of("chat")[-1])
    assert told.failed
    assert "output limit" in told.text


async def test_a_model_that_writes_nothing_but_bad_calls_is_ended_after_a_few_rounds(tmp_path: Path) -> None:
    bad = use(ToolCall("call_1", "note.write", '{"name" "a"}'))
    good = use(call("note.read", {"name": "a"}))
    async with office_in(tmp_path, [bad, bad, bad, good, *[bad] * BAD_ROUNDS, say("never")]) as office:
        chat = await new_chat(office)
        with pytest.raises(NotochordError) as caught:
            await office.chats.send(chat, HELLO)
        assert (caught.value.code, caught.value.fault) == (Code.TOOL_ARGUMENTS, Fault.MODEL)
        assert len(office.models.of("chat")) == 4 + BAD_ROUNDS
        assert results(office.models.of("chat")[-1])[0].failed


async def test_blank_texts_are_dropped_calls_come_last_and_ids_are_unique(tmp_path: Path) -> None:
    read = call("note.read", {"name": "a"})
    messy = reply(Text(" \n"), read, Text("And then:"), read, replace(read, id=""), finish=Finish.TOOLS)
    async with office_in(tmp_path, [messy, say("Done.")]) as office:
        chat = await new_chat(office)
        await office.chats.send(chat, HELLO)
        said = office.models.of("chat")[-1].messages[-2].parts
    assert [part.id if isinstance(part, ToolCall) else part for part in said] == [
        Text("And then:"),
        "call_1",
        "call_1_2",
        "call_3",
    ]


async def test_what_a_provider_needs_back_is_replayed_as_it_came(tmp_path: Path) -> None:
    thought = Reasoning("Hm.", "cloud", '{"signature":"\\u0000é"}')
    signed = ToolCall("call_1", "note.read", '{"name":"a"}', "cloud", "opaque")
    async with office_in(tmp_path, [reply(thought, signed, finish=Finish.TOOLS), say("Done.")]) as office:
        chat = await new_chat(office)
        await office.chats.send(chat, HELLO)
    async with office_in(tmp_path, [say("Yes.")]) as office:
        await office.chats.send(chat, HELLO)
        assert office.models.of("chat")[-1].messages[1].parts == (thought, signed)


async def test_stopping_in_the_middle_of_the_text_keeps_what_came(tmp_path: Path) -> None:
    async with office_in(tmp_path, [reply(Text("Once upon"), Text(" a time")), say("Yes?")]) as office:
        office.models.hold = Hold()
        chat = await new_chat(office)
        answer = asyncio.create_task(office.chats.send(chat, HELLO))
        await office.models.hold.reached.wait()
        await office.chats.stop(chat)
        with pytest.raises(NotochordError) as caught:
            await answer
        assert caught.value.code is Code.CANCELLED
        last = (await office.chats.entries(chat))[-1]
        assert (last.message.parts, last.state) == ((Text("Once upon"),), "cancelled")
        office.models.hold = None
        await office.chats.send(chat, HELLO)


async def test_stopping_during_calls_records_the_finished_and_cancels_the_rest(tmp_path: Path) -> None:
    async with office_in(tmp_path, [wait_for("a", "b"), say("Hi.")]) as office:
        chat = await new_chat(office)
        answer = asyncio.create_task(office.chats.send(chat, HELLO))
        await until(lambda: office.notes.running == {"a", "b"})
        office.notes.waiting["a"].set()
        await until_done(office, chat, "call_a")
        await office.chats.stop(chat)
        with pytest.raises(NotochordError, match=Code.CANCELLED):
            await answer
        assert office.notes.running == set()
        calls = (await office.chats.entries(chat))[-1].calls
        assert [made.state for made in calls] == ["done", "cancelled"]
        await office.chats.send(chat, Outgoing("hi"))
        told = [part for part in office.models.of("chat")[-1].messages[2].parts if isinstance(part, ToolResult)]
    assert [(result.call, result.failed) for result in told] == [("call_a", False), ("call_b", True)]


async def test_each_call_is_on_the_disk_as_started_before_it_runs(tmp_path: Path) -> None:
    """Those that start with their reply, and those that wait for their turn."""
    names = [f"call_{number}" for number in range(AT_ONCE + 2)]
    asked = use(*(call("note.read", {"name": name}, id=name) for name in names))
    seen: dict[str, str] = {}

    def look(_name: str, session: Session) -> None:
        connection = connect(tmp_path / "main.db", KEY, read_only=True)
        step = session.caller.cause.step
        (seen[step],) = connection.execute("SELECT state FROM chat_calls WHERE call = ?", (step,)).fetchone()
        connection.close()

    async with office_in(tmp_path, [asked, say("Read.")]) as office:
        office.notes.on_run = look
        await office.chats.send(await new_chat(office), HELLO)
    assert seen == dict.fromkeys(names, "running")


@pytest.mark.parametrize("stopped_in", ["the record", "the start"])
async def test_an_answer_stopped_before_its_calls_run_says_that_none_was_run(
    tmp_path: Path, stopped_in: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = use(call("note.read", {"name": "a"}), call("note.read", {"name": "b"}, id="call_2"))
    record = ChatTranscript.reply
    async with office_in(tmp_path, [asked]) as office:
        chat = await new_chat(office)

        async def stop_and_record(self: ChatTranscript, reply: Reply, *, starting: Collection[str]) -> None:
            stopping.append(asyncio.create_task(office.chats._running.stop(chat)))
            await asyncio.sleep(0)
            await record(self, reply, starting=starting)

        def stop(happened: ChatEvent) -> None:
            task = asyncio.current_task()
            if isinstance(happened.event, StepEnded) and task is not None:
                task.cancel()

        stopping: list[asyncio.Task[None]] = []
        if stopped_in == "the record":
            monkeypatch.setattr(ChatTranscript, "reply", stop_and_record)
        else:
            office.events.subscribe(ChatEvent, stop)
        with pytest.raises(NotochordError):
            await office.chats.send(chat, HELLO)
        await asyncio.gather(*stopping)
        last = (await office.chats.entries(chat))[-1]
    told = [part.text for part in last.message.parts if isinstance(part, ToolResult)]
    assert office.notes.sessions == []
    assert [made.state for made in last.calls] == ["cancelled"] * 2
    assert told == [NEVER_STARTED.text] * 2


async def test_a_call_that_fails_again_and_again_is_no_longer_run_and_the_answer_ends(tmp_path: Path) -> None:
    failing = use(call("note.fail"))
    async with office_in(tmp_path, [failing] * 9) as office:
        chat = await new_chat(office)
        with pytest.raises(NotochordError) as caught:
            await office.chats.send(chat, HELLO)
        assert caught.value.code is Code.TOOL_REPEATED
        assert len(office.notes.sessions) == 3
        assert len(office.models.of("chat")) == 5
        last = (await office.chats.entries(chat))[-1]
        assert [made.code for made in last.calls] == [Code.TOOL_REPEATED]
        (told,) = office.models.of("chat")[-1].messages[-1].parts
        assert isinstance(told, ToolResult)
        assert "answer the user in plain words" in told.text
        assert (await office.chats.get(chat)).state == "failed"


async def test_a_model_that_heeds_it_goes_on_and_a_success_lets_a_call_be_tried_again(tmp_path: Path) -> None:
    failing = use(call("note.fail"))
    reading = use(call("note.read", {"name": "a"}))
    async with office_in(tmp_path, [*[failing] * 4, reading, failing, say("It does not work.")]) as office:
        chat = await new_chat(office)
        last = await office.chats.send(chat, HELLO)
        assert last.message.parts == (Text("It does not work."),)
        assert len(office.notes.sessions) == 5


async def test_an_answer_cancelled_at_any_moment_leaves_a_conversation_that_goes_on(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        chat = await new_chat(office)
        for waits in range(0, 60, 3):
            write = call("note.write", {"name": "a", "text": "x"})
            office.models.scripts["chat"] = [use(write, call("note.read", {"name": "a"}, id="call_2")), say("Done.")]
            answer = asyncio.create_task(office.chats.send(chat, HELLO))
            for _ in range(waits):
                await asyncio.sleep(0.0005)
            answer.cancel()
            await asyncio.wait((answer,))
            assert (await office.chats.get(chat)).state == "idle"
        office.models.scripts["chat"] = [say("Yes.")]
        assert (await office.chats.send(chat, HELLO)).message.parts == (Text("Yes."),)


async def test_a_stream_that_breaks_keeps_what_came_and_says_why(tmp_path: Path) -> None:
    def break_off(request: ModelRequest) -> NotochordError:
        return NotochordError(Code.MODEL_STREAM_BROKEN, Fault.PROVIDER)

    async with office_in(tmp_path, [break_off, say("Back.")]) as office:
        chat = await new_chat(office)
        with pytest.raises(NotochordError) as caught:
            await office.chats.send(chat, HELLO)
        assert caught.value.code is Code.MODEL_STREAM_BROKEN
        last = (await office.chats.entries(chat))[-1]
        assert (last.state, last.error) == ("failed", Code.MODEL_STREAM_BROKEN)
        assert (await office.chats.get(chat)).state == "failed"
        await office.chats.send(chat, HELLO)
        assert (await office.chats.get(chat)).state == "idle"


@pytest.mark.req("MODEL-048")
async def test_a_request_holds_prompt_tools_conversation_time_and_names_of_attachments(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("a;b")
    async with office_in(tmp_path, [say("Hello."), say("I see.")]) as office:
        chat = await new_chat(office)
        await office.chats.send(chat, HELLO)
        await office.chats.send(chat, Outgoing("Look at this.", (tmp_path / "sales.csv",)))
        request = office.models.of("chat")[-1]
    assert request.system.startswith("You are the assistant of Notochord")
    assert "Notes are short." in request.system
    assert {"note.read", "note.write", "agent.delegate"} <= {tool.name for tool in request.tools}
    texts = ["".join(part.text for part in message.parts if isinstance(part, Text)) for message in request.messages]
    assert "Hello there" in texts[0]
    assert texts[1] == "Hello."
    assert "2026-11-30 09:00 UTC (UTC+0000)" in texts[2]
    assert "sales.csv" in texts[2]
    assert texts[2].endswith("Look at this.")
