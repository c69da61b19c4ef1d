"""The list of conversations, the questions, the experts and tools, the models, the page."""

from pathlib import Path

import pytest

from notochord.services.agents.api import ToolOfChoice, tool_setting
from notochord.services.chat.api import ChatState, NewChat, Outgoing
from notochord.services.models.api import Provider, ProviderKind
from notochord.viewmodels.chat.approvals import OpenQuestions
from notochord.viewmodels.chat.models import RunsAt
from notochord.viewmodels.shell.navigation import Page
from support.desks import Room, room_in, texts
from support.eventually import until
from support.scripted_models import Hold, call, say, use


async def chats_in(room: Room, *titles: str) -> list[str]:
    found = []
    for title in titles:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.rename(chat.id, title)
        found.append(chat.id)
    await until(lambda: {chat.title for chat in room.desk.list.recent} >= set(titles))
    return found


@pytest.mark.req("CHAT-003", "CHAT-004", "CHAT-005", "CHAT-006")
async def test_pinned_and_recent_follow_what_is_done_with_a_conversation(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        first, second = await chats_in(room, "one", "two")
        model = room.desk.list
        await model.pin(first, True)
        await until(lambda: [chat.id for chat in model.pinned] == [first])
        assert [chat.id for chat in model.recent] == [second]
        await model.rename(first, "uno")
        await until(lambda: [chat.title for chat in model.pinned] == ["uno"])
        await model.pin(first, False)
        await until(lambda: len(model.recent) == 2)


@pytest.mark.req("CHAT-007")
async def test_a_deleted_conversation_leaves_the_list_and_the_page(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        (chat,) = await chats_in(room, "one")
        room.navigation.go(Page.CHAT, chat)
        await until(lambda: room.page.shown.value is not None)
        shown = room.page.shown.value
        assert shown is not None
        await room.desk.list.delete(chat)
        await until(lambda: not room.desk.list.recent)
        await until(lambda: shown.conversation.gone.value)


async def test_the_list_shows_what_answers_waits_and_failed(tmp_path: Path) -> None:
    async with room_in(tmp_path, [use(call("note.write", {"name": "a", "text": "b"})), say("Done.")]) as room:
        room.office.notes.asks = True
        hold = room.office.models.hold = Hold()
        hold.go.set()
        (chat,) = await chats_in(room, "one")
        room.desk.writing(chat).outbox.post("write")
        await until(lambda: room.desk.list.recent[0].state is ChatState.WAITING and bool(room.desk.questions.pending))
        await room.desk.questions.reject(room.desk.questions.pending[0].id, "not now")
        await until(lambda: room.desk.list.recent[0].state is ChatState.IDLE)
        room.office.models.scripts["chat"] = []
        assert (await room.office.approvals.pending()) == ()


async def test_search_finds_titles_and_texts_and_no_words_show_the_list(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("Blue whales sing.")]) as room:
        first, second = await chats_in(room, "Whales", "Other")
        await room.office.chats.send(second, Outgoing("hello"))
        model = room.desk.list
        await model.search("WHALES")
        assert [(hit.chat.id, bool(hit.entry)) for hit in model.hits] == [(second, True), (first, False)]
        await model.search("  ")
        assert not model.hits


async def test_a_question_answered_elsewhere_is_gone_here_even_when_it_was_asked_before_the_start(
    tmp_path: Path,
) -> None:
    async with room_in(tmp_path, [use(call("note.write", {"name": "a", "text": "b"})), say("No.")]) as room:
        room.office.notes.asks = True
        (chat,) = await chats_in(room, "one")
        room.desk.writing(chat).outbox.post("write")
        await until(lambda: len(room.desk.questions.pending) == 1)
        late = OpenQuestions(approvals=room.office.approvals, events=room.office.events)
        await late.start()
        approval = late.pending[0]
        await room.desk.questions.reject(approval.id, "  because  ")
        assert not late.pending
        await late.approve(approval.id)
        assert (await room.office.approvals.get(approval.id)).note == "because"
        await until(lambda: not room.desk.writing(chat).outbox.busy.value)
        late.close()


@pytest.mark.req("CHAT-026", "CHAT-027", "CHAT-028", "MODEL-033")
async def test_experts_are_listed_while_they_work_and_take_another_model_at_their_next_step(tmp_path: Path) -> None:
    steps = [use(call("agent.delegate", {"task": "Wait a while."})), say("Reported.")]
    work = [use(call("note.wait", {"name": "x"})), say("Waited.")]
    async with room_in(tmp_path, steps, sub_agent=work) as room:
        (chat,) = await chats_in(room, "one")
        experts = room.desk.experts(chat)
        await experts.start()
        room.desk.writing(chat).outbox.post("delegate")
        await until(lambda: len(experts.experts) == 1 and bool(room.office.notes.running))
        expert = experts.experts[0]
        working = room.desk.conversation(expert.id)
        await working.start()
        assert texts(working.pieces) == ["user: Wait a while.", "note.wait running"]
        await experts.set_model(expert.id, "local")
        await until(lambda: experts.experts[0].model == "here/local-model")
        room.office.notes.waiting["x"].set()
        await until(lambda: not room.desk.writing(chat).outbox.busy.value)
        await until(lambda: texts(working.pieces)[-1] == "assistant: Waited.")
        models = [str(request.choice.model) for request in room.office.models.of("sub_agent")]
        assert models == ["cloud/chat-model", "here/local-model"]
        await working.close()
        await experts.close()


@pytest.mark.req("CHAT-030", "CHAT-031")
async def test_tools_are_switched_for_one_conversation(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        chat, other = await chats_in(room, "one", "two")
        experts = room.desk.experts(chat)
        await experts.start()
        await experts.switch("note.read", False)
        await experts.switch_all(("note.write", "note.fail"), False)
        await experts.switch("note.write", True)
        assert [tool.name for tool in experts.tools if not tool.on] == ["note.fail", "note.read"]
        assert all(tool.on for tool in await room.office.chats.tools(other))
        await experts.close()


async def test_a_tool_that_is_off_stays_off_while_it_is_not_there_and_the_panel_follows_the_settings(
    tmp_path: Path,
) -> None:
    async with room_in(tmp_path) as room:
        (chat,) = await chats_in(room, "one")
        experts, search = room.desk.experts(chat), tool_setting("chat", ToolOfChoice.TOOL_SEARCH)

        def states() -> dict[str, bool]:
            return {tool.name: tool.on for tool in experts.tools if tool.name in {"tool_search", "note.read"}}

        await experts.start()
        await experts.switch("tool_search", False)
        await room.office.settings.change(search, False)
        await until(lambda: states() == {"note.read": True})
        await experts.switch("note.read", False)
        await room.office.settings.change(search, True)
        await until(lambda: states() == {"note.read": False, "tool_search": False})
        await experts.close()


async def test_models_say_where_they_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    providers = (
        Provider("cloud", ProviderKind.OPENAI, "", "", ("chat-model",), False),
        Provider("here", ProviderKind.LOCAL, "", "", ("local-model",), True, True),
        Provider("office", ProviderKind.COMPATIBLE, "", "", ("big",), False, True),
    )

    async def connected() -> tuple[Provider, ...]:
        return providers

    async with room_in(tmp_path) as room:
        monkeypatch.setattr(room.office.models, "providers", connected)
        await room.desk.models.start()
        places = {option.value: option.runs_at for option in room.desk.models.options}
        assert places == {
            "chat": RunsAt.CLOUD,
            "deep": RunsAt.CLOUD,
            "local": RunsAt.COMPUTER,
            "cloud/chat-model": RunsAt.CLOUD,
            "here/local-model": RunsAt.COMPUTER,
            "office/big": RunsAt.NETWORK,
        }
        assert room.desk.models.default.value == "cloud/chat-model"


async def test_of_places_gone_to_quickly_the_last_one_is_shown(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        chats = await chats_in(room, "one", "two", "three")
        for chat in chats:
            room.navigation.go(Page.CHAT, chat)
        await until(lambda: room.page.shown.value is not None and not room.page.opening.value)
        shown = room.page.shown.value
        assert shown is not None
        assert shown.conversation.id == chats[-1]
        room.navigation.go(Page.CHAT)
        await until(lambda: room.page.shown.value is None)


async def test_a_place_that_is_no_conversation_tells_why(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        room.navigation.go(Page.CHAT, "nowhere")
        await until(lambda: room.page.problem.value is not None)
        assert room.page.shown.value is None
