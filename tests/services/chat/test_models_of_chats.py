"""Which model answers in a conversation."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.chat.api import SUMMARIZE_ABOVE, ModelReplaced, NewChat, Outgoing
from notochord.services.models.api import ChosenBy, ModelRef
from support.conversations import Office, office_in
from support.scripted_models import CHAT_MODEL, DEEP_MODEL, LOCAL_MODEL, call, say, use

HELLO = Outgoing("Hello there")
VISION_MODEL, OWN_MODEL = ModelRef("cloud", "vision-model"), ModelRef("cloud", "own-model")


async def answering_model(office: Office, chat: str) -> tuple[str, ChosenBy]:
    await office.chats.send(chat, HELLO)
    choice = office.models.of("chat")[-1].choice
    return str(choice.model), choice.by


@pytest.mark.req("MODEL-059", "MODEL-047", "MODEL-040", "MODEL-018")
async def test_the_model_is_settled_when_the_conversation_is_created(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Hello.") for _ in range(4)]) as office:
        by_role = await office.chats.create(NewChat())
        await office.settings.change(model_setting(BuiltInAgent.CHAT), "deep")
        by_agent = await office.chats.create(NewChat())
        named = await office.chats.create(NewChat(model=str(LOCAL_MODEL)))
        await office.settings.change(model_setting(BuiltInAgent.CHAT), str(LOCAL_MODEL))
        await office.models.set_role("chat", LOCAL_MODEL)
        assert await answering_model(office, by_role.id) == (str(CHAT_MODEL), ChosenBy.CHAT_ROLE)
        assert await answering_model(office, by_agent.id) == (str(DEEP_MODEL), ChosenBy.AGENT)
        assert await answering_model(office, named.id) == (str(LOCAL_MODEL), ChosenBy.CONVERSATION)


@pytest.mark.req("MODEL-031")
async def test_an_agent_set_to_the_local_role_sends_everything_to_that_model_only(tmp_path: Path) -> None:
    steps = [use(call("agent.delegate", {"task": "Read it."})), say("Done.")]
    async with office_in(tmp_path, steps, sub_agent=[say("Read.")], title=[say("A title")]) as office:
        await office.settings.change(model_setting(BuiltInAgent.CHAT), "local")
        await office.settings.change(model_setting(BuiltInAgent.BACKGROUND), "local")
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing("My secret letter"))
        assert {request.choice.model for request in office.models.requests} == {LOCAL_MODEL}
        assert len(office.models.requests) == 4


@pytest.mark.req("MODEL-106")
async def test_roles_that_nobody_points_at_are_not_used(tmp_path: Path) -> None:
    task = use(call("agent.delegate", {"task": "Read it."}))
    steps = [task, *(say(f"reply {number}", tokens=(0, 0)) for number in range(9))]
    summaries = [say("In short.")] * 9
    async with office_in(
        tmp_path, steps, sub_agent=[say("Read.")] * 2, title=[say("A title")], summary=summaries
    ) as office:
        office.models.connected |= {VISION_MODEL, OWN_MODEL}
        office.models.role_models |= {"vision": VISION_MODEL, "poet": OWN_MODEL}
        await office.settings.change(SUMMARIZE_ABOVE, 200)
        chat = await office.chats.create(NewChat())
        for number in range(8):
            await office.chats.send(chat.id, Outgoing(f"question {number} {'word ' * 30}"))
        used = {(request.feature, request.choice.model) for request in office.models.requests}
        assert used == {(feature, CHAT_MODEL) for feature in ("chat", "sub_agent", "title", "summary")}
        to_the_poet = use(call("agent.delegate", {"task": "Read it.", "role": "poet"}))
        office.models.scripts["chat"] = [to_the_poet, say("Done.")]
        await office.chats.send(chat.id, HELLO)
        assert office.models.of("sub_agent")[-1].choice.model == OWN_MODEL


async def test_a_model_that_is_gone_is_replaced_by_what_the_settings_lead_to_now(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Hello.")]) as office:
        chat = await office.chats.create(NewChat(model=str(DEEP_MODEL)))
        told: list[ModelReplaced] = []
        office.events.subscribe(ModelReplaced, told.append)
        office.models.connected.discard(DEEP_MODEL)
        assert (await answering_model(office, chat.id))[0] == str(CHAT_MODEL)
        assert told == [ModelReplaced(chat.id, DEEP_MODEL, CHAT_MODEL)]
        assert (await office.chats.get(chat.id)).model == str(CHAT_MODEL)


async def test_another_model_answers_from_the_next_step_on(tmp_path: Path) -> None:
    async with office_in(tmp_path, [use(call("note.read", {"name": "a"})), say("Hello.")]) as office:
        chat = await office.chats.create(NewChat())
        switched = []

        def switch(name: str, session: object) -> None:
            switched.append(office.database.write)

        office.notes.on_run = switch
        original = office.notes.run

        async def run(*arguments: object) -> object:
            await office.chats.set_model(chat.id, "deep")
            return await original(*arguments)  # type: ignore[arg-type]

        office.notes.run = run  # type: ignore[method-assign, assignment]
        await office.chats.send(chat.id, HELLO)
        assert [request.choice.model for request in office.models.of("chat")] == [CHAT_MODEL, DEEP_MODEL]
        assert [entry.model for entry in await office.chats.entries(chat.id) if entry.model] == [
            str(CHAT_MODEL),
            str(DEEP_MODEL),
        ]


async def test_without_any_model_no_conversation_begins(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        await office.models.set_role("chat", None)
        with pytest.raises(NotochordError) as caught:
            await office.chats.create(NewChat())
        assert caught.value.code is Code.MODEL_NOT_CHOSEN
        assert await office.chats.all() == ()
