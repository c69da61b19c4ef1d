"""The pieces of a transcript while the record is behind what is heard."""

import asyncio
from pathlib import Path

from notochord.services.chat.api import NewChat, Outgoing
from notochord.viewmodels.chat.live import LiveAnswer
from notochord.viewmodels.chat.pieces import Asked, CallMade, Said
from notochord.viewmodels.chat.transcript import TranscriptPieces
from support.desks import room_in
from support.eventually import until
from support.scripted_models import call, say, use


async def test_a_question_that_is_heard_before_the_first_message_is_read_moves_to_its_call(tmp_path: Path) -> None:
    asks = use(call("note.write", {"name": "a", "text": "b"}))
    async with room_in(tmp_path, [asks, say("Done.")]) as room:
        room.office.notes.asks = True
        chat = (await room.office.chats.create(NewChat())).id
        answering = asyncio.create_task(room.office.chats.send(chat, Outgoing("write")))
        await until(lambda: bool(room.desk.questions.of(chat)))
        seen = TranscriptPieces(answer=LiveAnswer, questions=lambda: room.desk.questions.of(chat))
        seen.take_end((), (), (), 0)
        assert [type(piece) for piece in seen.pieces] == [Asked]
        seen.take_end(await room.office.chats.entries(chat), (), (), 0)
        assert [type(piece) for piece in seen.pieces] == [Said, CallMade]
        await room.desk.questions.approve(room.desk.questions.of(chat)[0].id)
        await answering
