"""Consent belongs to one conversation."""

import asyncio
from pathlib import Path

import pytest

from notochord.services.chat.api import ChatState, NewChat, Outgoing
from support.conversations import Office, office_in
from support.scripted_models import call, say, use

WRITE = use(call("note.write", {"name": "a", "text": "one"}))
GO = Outgoing("Write the note")


async def asked(office: Office, chat: str) -> str:
    while True:
        for approval in await office.approvals.pending():
            if approval.question.caller.cause.conversation == chat:
                return approval.id
        await asyncio.sleep(0.001)


@pytest.mark.req("CHAT-018", "CHAT-020", "CHAT-021")
async def test_the_user_is_asked_once_in_each_conversation_before_anything_runs(tmp_path: Path) -> None:
    async with office_in(tmp_path, [WRITE, say("Done."), WRITE, say("Done."), WRITE, say("Then not.")]) as office:
        office.notes.asks = True
        first = (await office.chats.create(NewChat())).id
        second = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(first, GO))
        identifier = await asked(office, first)
        assert office.notes.texts == {}
        assert (await office.chats.get(first)).state is ChatState.WAITING
        await office.approvals.decide(identifier, approve=True, by="window")
        await answer
        await office.chats.send(first, GO)
        assert len(office.notes.sessions) == 2
        answer = asyncio.create_task(office.chats.send(second, GO))
        await office.approvals.decide(await asked(office, second), approve=False, by="window")
        await answer
        assert len(office.notes.sessions) == 2


async def test_what_a_call_opened_stays_open_and_what_is_switched_off_is_gone(tmp_path: Path) -> None:
    steps = [use(call("note.open", {"name": "some.gem"})), say("Open."), say("Hm.")]
    async with office_in(tmp_path, steps) as office:
        chat = (await office.chats.create(NewChat())).id
        await office.chats.send(chat, GO)
    async with office_in(tmp_path, [use(call("note.read", {"name": "a"})), say("Read.")]) as office:
        await office.chats.switch(chat, {"note.write"}, on=False)
        await office.chats.send(chat, GO)
        assert office.notes.sessions[0].opened == {"some.gem"}
        assert "note.write" not in {tool.name for tool in office.models.of("chat")[0].tools}
