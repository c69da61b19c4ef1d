"""Sub-agents: a conversation and a model of their own, the parent's tools, folder and consent."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import decode
from notochord.services.agents.api import TOKEN_LIMIT
from notochord.services.chat.api import ChatState, NewChat, Outgoing
from notochord.services.models.api import ChosenBy, ModelRequest, Reply, Text, ToolResult
from notochord.services.tools.api import Session
from support.conversations import Office, office_in
from support.eventually import until
from support.scripted_models import CHAT_MODEL, DEEP_MODEL, LOCAL_MODEL, call, say, use

GO = Outgoing("My private question")


def delegate(role: str = "", *, task: str = "Count the notes.", id: str = "call_1") -> Reply:
    arguments = {"task": task, "role": role} if role else {"task": task}
    return use(call("agent.delegate", dict(arguments), id=id))


def texts(request: ModelRequest) -> str:
    return "\n".join(part.text for message in request.messages for part in message.parts if isinstance(part, Text))


async def is_asked(office: Office) -> bool:
    return bool(await office.approvals.pending())


async def sent(office: Office) -> str:
    chat = (await office.chats.create(NewChat())).id
    await office.chats.send(chat, GO)
    return chat


@pytest.mark.req("CHAT-023", "MODEL-052", "MODEL-053")
async def test_a_sub_agent_works_on_its_task_alone_and_its_report_is_the_result(tmp_path: Path) -> None:
    worker = [use(call("note.read", {"name": "a"})), say("There are two.")]
    async with office_in(tmp_path, [delegate(), say("Two.")], sub_agent=worker) as office:
        chat = await sent(office)
        requests = office.models.of("sub_agent")
        assert len(requests) == 2
        assert "Count the notes." in texts(requests[0])
        assert "My private question" not in texts(requests[0])
        (result,) = office.models.of("chat")[1].messages[-1].parts
        assert isinstance(result, ToolResult)
        (child,) = await office.chats.sub_agents(chat)
        assert decode(result.text) == {"sub_agent": child.id, "report": "There are two."}
        assert child.parent == chat
        assert [found.id for found in await office.chats.all()] == [chat]
        assert len(await office.chats.entries(child.id)) == 4


@pytest.mark.req("MODEL-025", "MODEL-026", "MODEL-029")
async def test_every_role_with_a_model_is_offered_with_its_line(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("No need.")]) as office:
        await sent(office)
        (tool,) = [tool for tool in office.models.of("chat")[0].tools if tool.name == "agent.delegate"]
    for role in ("chat", "deep", "local"):
        assert f"{role}: Line of {role}." in tool.description
    assert "vision" not in tool.description
    properties = tool.schema["properties"]
    assert isinstance(properties, dict)
    role_schema = properties["role"]
    assert isinstance(role_schema, dict)
    assert role_schema["enum"] == ["chat", "deep", "local"]
    assert tool.schema["required"] == ["task"]


@pytest.mark.req("MODEL-026")
async def test_a_role_without_a_model_cannot_be_named(tmp_path: Path) -> None:
    async with office_in(tmp_path, [delegate("vision"), say("Then not.")]) as office:
        chat = await sent(office)
        assert await office.chats.sub_agents(chat) == ()


@pytest.mark.req("CHAT-024", "MODEL-027", "MODEL-028")
@pytest.mark.parametrize(
    ("role", "model", "by"),
    [("local", LOCAL_MODEL, ChosenBy.ROLE), ("chat", CHAT_MODEL, ChosenBy.ROLE), ("", DEEP_MODEL, ChosenBy.PARENT)],
)
async def test_the_named_role_gives_the_model_and_without_one_it_is_the_parents(
    tmp_path: Path, role: str, model: object, by: ChosenBy
) -> None:
    async with office_in(tmp_path, [delegate(role), say("Two.")], sub_agent=[say("Two.")]) as office:
        chat = (await office.chats.create(NewChat(model=str(DEEP_MODEL)))).id
        await office.chats.send(chat, GO)
        choice = office.models.of("sub_agent")[0].choice
        assert (choice.model, choice.by) == (model, by)
        assert (await office.chats.sub_agents(chat))[0].role == role


@pytest.mark.req("MODEL-030")
async def test_what_is_handed_to_the_local_role_was_read_by_the_model_that_hands_it_on(tmp_path: Path) -> None:
    steps = [use(call("note.read", {"name": "a"})), delegate("local", task="Sum up: the letter"), say("Done.")]
    async with office_in(tmp_path, steps, sub_agent=[say("A letter.")]) as office:
        office.notes.texts["a"] = "the letter"
        await sent(office)
        (handed,) = office.models.of("sub_agent")
        assert (handed.choice.model, "the letter" in texts(handed)) == (LOCAL_MODEL, True)
        first = office.models.of("chat")[1]
        assert (first.choice.model, "the letter" in str(first.messages[-1].parts)) == (CHAT_MODEL, True)


@pytest.mark.req("MODEL-032")
async def test_a_role_that_gets_another_model_meanwhile_changes_nothing_for_a_sub_agent_at_work(tmp_path: Path) -> None:
    worker = [use(call("note.read", {"name": "a"})), say("Two."), say("Three.")]
    steps = [delegate("deep"), delegate("deep", id="call_2"), say("Done.")]
    async with office_in(tmp_path, steps, sub_agent=worker) as office:

        def change_role(name: str, session: Session) -> None:
            office.models.role_models["deep"] = LOCAL_MODEL

        office.notes.on_run = change_role
        await sent(office)
        used = [request.choice.model for request in office.models.of("sub_agent")]
    assert used == [DEEP_MODEL, DEEP_MODEL, LOCAL_MODEL]


@pytest.mark.req("CHAT-028", "CHAT-029")
async def test_a_sub_agent_switched_to_another_model_uses_it_from_its_next_step(tmp_path: Path) -> None:
    worker = [use(call("note.wait", {"name": "a"})), say("Two.")]
    async with office_in(tmp_path, [delegate(), say("Done.")], sub_agent=worker) as office:
        chat = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(chat, GO))
        await until(lambda: "a" in office.notes.running)
        (child,) = await office.chats.sub_agents(chat)
        await office.chats.set_model(child.id, "local")
        office.notes.waiting["a"].set()
        await answer
        assert [request.choice.model for request in office.models.of("sub_agent")] == [CHAT_MODEL, LOCAL_MODEL]
        assert [request.choice.model for request in office.models.of("chat")] == [CHAT_MODEL, CHAT_MODEL]


async def test_a_sub_agent_has_the_parents_tools_but_cannot_hand_on(tmp_path: Path) -> None:
    async with office_in(tmp_path, [delegate(), say("Done.")], sub_agent=[say("Two.")]) as office:
        await sent(office)
        parent, child = office.models.of("chat")[0], office.models.of("sub_agent")[0]
        names = {tool.name for tool in parent.tools}
        assert {tool.name for tool in child.tools} == names - {"agent.delegate"}


async def test_consent_and_cause_are_those_of_the_conversation_that_the_sub_agent_works_for(tmp_path: Path) -> None:
    write = use(call("note.write", {"name": "a", "text": "one"}))
    async with office_in(tmp_path, [delegate(), write, say("Done.")], sub_agent=[write, say("Written.")]) as office:
        office.notes.asks = True
        chat = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(chat, GO))
        await until(lambda: is_asked(office))
        asked = await office.approvals.pending()
        assert asked[0].question.caller.cause.conversation == chat
        await office.approvals.decide(asked[0].id, approve=True, by="window")
        await answer
        assert await office.approvals.pending() == ()
        causes = [session.caller.cause for session in office.notes.sessions]
    assert len({(cause.conversation, cause.branch, cause.turn) for cause in causes}) == 1


@pytest.mark.req("APP-020")
async def test_a_job_is_split_among_agents_that_work_at_the_same_time_and_all_reports_come_back(tmp_path: Path) -> None:
    parts = ("east", "west", "north")
    split = use(*(call("agent.delegate", {"task": f"note {part}"}, id=part) for part in parts))

    def work(request: ModelRequest) -> Reply:
        (part,) = [part for part in parts if f"note {part}" in texts(request)]
        if len(request.messages) == 1:
            return use(call("note.wait", {"name": part}, id="wait"))
        return say(f"{part} is done")

    async with office_in(tmp_path, [split, say("Done.")], sub_agent=[work] * 6) as office:
        chat = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(chat, GO))
        await until(lambda: set(parts) <= set(office.notes.running))
        for part in parts:
            office.notes.waiting[part].set()
        await answer
        results = [part for part in office.models.of("chat")[1].messages[-1].parts if isinstance(part, ToolResult)]
    assert [f"{part} is done" in result.text for part, result in zip(parts, results, strict=True)] == [True] * 3


async def test_of_several_sub_agents_only_the_one_that_asks_waits_for_the_user(tmp_path: Path) -> None:
    both = use(*(call("agent.delegate", {"task": f"note {name}"}, id=name) for name in ("reads", "writes")))

    def work(request: ModelRequest) -> Reply:
        if "note reads" in texts(request):
            return use(call("note.wait", {"name": "a"}, id="wait"))
        return use(call("note.write", {"name": "b", "text": "c"}, id="write"))

    async with office_in(tmp_path, [both, say("Done.")], sub_agent=[work, work, say("One."), say("Two.")]) as office:
        office.notes.asks = True
        chat = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(chat, GO))
        await until(lambda: is_asked(office))
        await until(lambda: "a" in office.notes.running)
        states = {child.title: child.state for child in await office.chats.sub_agents(chat)}
        assert states == {"note reads": ChatState.ANSWERING, "note writes": ChatState.WAITING}
        assert (await office.chats.get(chat)).state is ChatState.WAITING
        office.notes.waiting["a"].set()
        await office.approvals.decide((await office.approvals.pending())[0].id, approve=True, by="window")
        await answer


async def test_a_retry_takes_back_what_a_sub_agent_changed(tmp_path: Path) -> None:
    write = use(call("note.write", {"name": "a", "text": "one"}))
    async with office_in(tmp_path, [delegate(), say("Done."), say("Again.")], sub_agent=[write, say("Ok.")]) as office:
        chat = await sent(office)
        assert office.notes.texts == {"a": "one"}
        await office.chats.retry(chat, (await office.chats.entries(chat))[0].id)
        assert office.notes.texts == {}


async def test_a_sub_agents_tokens_count_towards_the_limit_of_the_answer(tmp_path: Path) -> None:
    worker = [use(call("note.read", {"name": "a"}), tokens=(60, 0)), say("never")]
    async with office_in(tmp_path, [delegate(), use(call("note.read", {"name": "b"}))], sub_agent=worker) as office:
        await office.settings.change(TOKEN_LIMIT, 70)
        chat = (await office.chats.create(NewChat())).id
        with pytest.raises(Exception, match="E_TOKEN_LIMIT"):
            await office.chats.send(chat, GO)
        assert office.notes.sessions == []


async def test_stopping_the_answer_stops_its_sub_agents(tmp_path: Path) -> None:
    worker = [use(call("note.wait", {"name": "a"}))]
    async with office_in(tmp_path, [delegate(), say("Go on.")], sub_agent=worker) as office:
        chat = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(chat, GO))
        await until(lambda: "a" in office.notes.running)
        await office.chats.stop(chat)
        with pytest.raises(NotochordError) as stopped:
            await answer
        assert stopped.value.code is Code.CANCELLED
        (child,) = await office.chats.sub_agents(chat)
        assert child.state == "idle"
        assert (await office.chats.entries(child.id))[-1].state == "cancelled"
        await office.chats.send(chat, GO)
