"""A message is sent, the model answers with tools, and the record holds all of it."""

from pathlib import Path

import pytest

from notochord.services.chat.api import NewChat, Outgoing
from notochord.services.models.api import Role, Text, ToolResult
from support.conversations import office_in
from support.scripted_models import call, say, use


@pytest.mark.req("MODEL-044", "MODEL-046", "CHAT-015")
async def test_each_use_of_a_tool_adds_one_call_of_the_model_and_a_line_to_the_record(tmp_path: Path) -> None:
    steps = [use(call("note.write", {"name": "a", "text": "one"}), text="I write it down."), say("Done.")]
    async with office_in(tmp_path, steps) as office:
        chat = await office.chats.create(NewChat())
        last = await office.chats.send(chat.id, Outgoing("Write a note."))
        assert last.message.parts == (Text("Done."),)
        assert len(office.models.of("chat")) == 2
        assert office.notes.texts == {"a": "one"}
        entries = await office.chats.entries(chat.id)
    assert [entry.message.role for entry in entries] == [Role.USER, Role.ASSISTANT, Role.TOOL, Role.ASSISTANT]
    assert entries[2].message.parts == (ToolResult("call_1", "written"),)
    assert [(made.name, made.state) for made in entries[2].calls] == [("note.write", "done")]
    async with office_in(tmp_path) as office:
        assert await office.chats.entries(chat.id) == entries
