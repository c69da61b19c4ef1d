"""An answer that ends with the program is no answer that the user stopped."""

import asyncio
from pathlib import Path

from notochord.services.chat.api import NewChat, Outgoing
from notochord.services.models.api import Text
from support.conversations import office_in
from support.eventually import until
from support.scripted_models import Hold, call, say, use

GO = Outgoing("go")


async def test_an_answer_that_is_left_by_who_asked_for_it_was_interrupted_and_not_stopped(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("One two")]) as office:
        hold = office.models.hold = Hold()
        chat = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(chat, GO))
        await hold.reached.wait()
        answer.cancel()
        await asyncio.wait((answer,))
        last = (await office.chats.entries(chat))[-1]
        assert (last.state, last.message.parts) == ("interrupted", (Text("One two"),))


async def test_an_answer_that_the_user_stops_was_stopped_also_after_one_that_was_left(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("One"), say("Two")]) as office:
        hold = office.models.hold = Hold()
        chat = (await office.chats.create(NewChat())).id
        left = asyncio.create_task(office.chats.send(chat, GO))
        await hold.reached.wait()
        left.cancel()
        await asyncio.wait((left,))
        hold = office.models.hold = Hold()
        stopped = asyncio.create_task(office.chats.send(chat, GO))
        await hold.reached.wait()
        await office.chats.stop(chat)
        await asyncio.wait((stopped,))
        assert stopped.exception() is not None
        assert (await office.chats.entries(chat))[-1].state == "cancelled"


async def test_calls_and_sub_agents_of_an_answer_that_is_left_were_interrupted_too(tmp_path: Path) -> None:
    task = use(call("agent.delegate", {"task": "Wait."}, id="d"))
    async with office_in(tmp_path, [task], sub_agent=[use(call("note.wait", {"name": "a"}, id="w"))]) as office:
        chat = (await office.chats.create(NewChat())).id
        answer = asyncio.create_task(office.chats.send(chat, GO))
        await until(lambda: "a" in office.notes.running)
        answer.cancel()
        await asyncio.wait((answer,))
        (child,) = await office.chats.sub_agents(chat)
        for of in (chat, child.id):
            entries = await office.chats.entries(of)
            assert entries[-2].state == "interrupted"
            assert [found.state for found in entries[-1].calls] == ["interrupted"]
            assert "the program ended while this call was under way" in str(entries[-1].message)
