"""Plan mode: only reading tools, a plan that a person decides on, carried out in the same answer."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.strict_json import decode
from notochord.services.approvals.api import ApprovalState
from notochord.services.chat.api import ChatState, NewChat, Outgoing
from notochord.services.models.api import ToolResult
from support.conversations import Office, office_in
from support.eventually import until
from support.scripted_models import call, say, use

PLAN = "1. Write the note `a`.\n2. Tell the user."
PROPOSE = use(call("propose_plan", {"plan": PLAN}))
WRITE = use(call("note.write", {"name": "a", "text": "one"}))
GO = Outgoing("Write the note")


async def pending(office: Office) -> str:
    async def asked() -> bool:
        return bool(await office.approvals.pending())

    await until(asked)
    return (await office.approvals.pending())[0].id


def last_result(office: Office) -> str:
    (part,) = office.models.of("chat")[-1].messages[-1].parts
    assert isinstance(part, ToolResult)
    return part.text


@pytest.mark.req("MAN-036")
async def test_in_plan_mode_only_tools_that_read_are_offered_and_run(tmp_path: Path) -> None:
    async with office_in(tmp_path, [WRITE, say("I cannot.")]) as office:
        chat = await office.chats.create(NewChat(plan_mode=True))
        await office.chats.send(chat.id, GO)
        offered = {tool.name for tool in office.models.of("chat")[0].tools}
        assert {"note.read", "propose_plan"} <= offered
        assert not {"note.write", "agent.delegate"} & offered
        assert office.notes.texts == {}
        assert "plan mode" in last_result(office)
        assert "propose_plan" in office.models.of("chat")[0].system


async def test_an_approved_plan_is_carried_out_in_the_same_answer(tmp_path: Path) -> None:
    async with office_in(tmp_path, [PROPOSE, WRITE, say("Done.")]) as office:
        chat = await office.chats.create(NewChat(plan_mode=True))
        answer = asyncio.create_task(office.chats.send(chat.id, GO))
        identifier = await pending(office)
        question = (await office.approvals.get(identifier)).question
        assert (question.kind, decode(question.arguments)) == ("plan", {"plan": PLAN})
        assert (await office.chats.get(chat.id)).state is ChatState.WAITING
        assert office.notes.texts == {}
        await office.approvals.decide(identifier, approve=True, by="window")
        await answer
        assert office.notes.texts == {"a": "one"}
        assert (await office.chats.get(chat.id)).plan_mode is False
        assert "propose_plan" not in {tool.name for tool in office.models.of("chat")[1].tools}


async def test_a_rejected_plan_is_revised_with_the_users_note(tmp_path: Path) -> None:
    async with office_in(tmp_path, [PROPOSE, PROPOSE, say("Then not.")]) as office:
        chat = await office.chats.create(NewChat(plan_mode=True))
        answer = asyncio.create_task(office.chats.send(chat.id, GO))
        await office.approvals.decide(
            await pending(office), approve=False, by="window", note="Name it b.", changes=True
        )
        second = await pending(office)
        assert "Name it b." in last_result(office)
        assert "Revise" in last_result(office)
        await office.approvals.decide(second, approve=False, by="window")
        await answer
        assert "Revise" not in last_result(office)
        assert (await office.chats.get(chat.id)).plan_mode is True
        assert office.notes.texts == {}


async def test_stopping_takes_the_question_back(tmp_path: Path) -> None:
    async with office_in(tmp_path, [PROPOSE]) as office:
        chat = await office.chats.create(NewChat(plan_mode=True))
        answer = asyncio.create_task(office.chats.send(chat.id, GO))
        identifier = await pending(office)
        answer.cancel()
        with pytest.raises(asyncio.CancelledError):
            await answer
        assert (await office.approvals.get(identifier)).state is ApprovalState.WITHDRAWN
        assert (await office.chats.get(chat.id)).state is ChatState.IDLE
