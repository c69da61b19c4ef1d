"""What a window needs beside the whole branch: its end, page by page, the tools, one call stopped, the cost."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.chat.api import Entry, NewChat, Outgoing
from notochord.services.models.api import Role
from support.conversations import Office, office_in
from support.eventually import until
from support.scripted_models import call, say, use


async def talk(office: Office, turns: int) -> str:
    chat = await office.chats.create(NewChat())
    for number in range(turns):
        await office.chats.send(chat.id, Outgoing(f"question {number}"))
    return chat.id


async def test_pages_from_the_end_put_together_are_the_branch(tmp_path: Path) -> None:
    steps = [step for _ in range(5) for step in (use(call("note.read", {"name": "a"})), say("so"))]
    async with office_in(tmp_path, [*steps, say("other"), say("on")]) as office:
        chat = await talk(office, 5)
        entries = await office.chats.entries(chat)
        await office.chats.edit(chat, entries[8].id, "another question")
        await office.chats.send(chat, Outgoing("go on"))
        whole = await office.chats.entries(chat)
        pages: list[Entry] = []
        while page := await office.chats.latest(chat, most=2, before=pages[0].id if pages else ""):
            assert sum(entry.message.role is not Role.TOOL for entry in page) <= 2
            pages = [*page, *pages]
        assert tuple(pages) == whole


async def test_a_page_before_a_message_of_another_conversation_is_refused(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("a"), say("b")]) as office:
        chat, other = await talk(office, 1), await talk(office, 1)
        strange = (await office.chats.entries(other))[0].id
        with pytest.raises(NotochordError) as caught:
            await office.chats.latest(chat, most=5, before=strange)
        assert caught.value.code is Code.NOT_FOUND


@pytest.mark.req("CHAT-030", "CHAT-031")
async def test_the_tools_of_a_conversation_are_listed_and_one_switched_off_is_refused(tmp_path: Path) -> None:
    steps = [use(call("note.read", {"name": "a"})), say("It is off.")]
    async with office_in(tmp_path, steps) as office:
        chat = await office.chats.create(NewChat())
        assert all(tool.on for tool in await office.chats.tools(chat.id))
        await office.chats.switch(chat.id, {"note.read"}, on=False)
        tools = await office.chats.tools(chat.id)
        assert {"note.read", "note.write", "agent.delegate"} <= {tool.name for tool in tools}
        assert [tool.name for tool in tools if not tool.on] == ["note.read"]
        await office.chats.send(chat.id, Outgoing("read it"))
        assert "note.read" not in {tool.name for tool in office.models.requests[0].tools}
        assert (await office.chats.entries(chat.id))[2].calls[0].code == Code.PERM_DENIED


async def test_one_call_is_stopped_and_the_answer_goes_on_with_the_others(tmp_path: Path) -> None:
    both = use(call("note.wait", {"name": "a"}, id="1"), call("note.wait", {"name": "b"}, id="2"))
    async with office_in(tmp_path, [both, say("One of them was stopped.")]) as office:
        chat = await office.chats.create(NewChat())
        answer = asyncio.create_task(office.chats.send(chat.id, Outgoing("wait")))
        await until(lambda: office.notes.running == {"a", "b"})
        assert await office.chats.stop_call(chat.id, "1")
        office.notes.waiting["b"].set()
        await answer
        assert not await office.chats.stop_call(chat.id, "2")
        entries = await office.chats.entries(chat.id)
        assert [found.state for found in entries[2].calls] == ["cancelled", "done"]
        assert entries[-1].state == "done"


async def test_the_cost_of_a_conversation_counts_every_branch_and_its_sub_agents(tmp_path: Path) -> None:
    steps = [use(call("agent.delegate", {"task": "Think."}), tokens=(100, 10)), say("Done.", tokens=(7, 3)), say("b")]
    async with office_in(tmp_path, steps, sub_agent=[say("Thought.", tokens=(1000, 1))]) as office:
        chat = await talk(office, 1)
        assert await office.chats.spent(chat) == (1107, 14)
        await office.chats.retry(chat, (await office.chats.entries(chat))[0].id)
        assert await office.chats.spent(chat) == (1117, 19)
