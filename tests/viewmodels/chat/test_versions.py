"""Versions of messages and answers over the real chat service: ways between them, and what went back with one."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.chat.api import (
    NewChat,
    Outgoing,
)
from notochord.services.models.api import Reply
from notochord.viewmodels.chat.notices import FilesAreAsTheyWere
from notochord.viewmodels.chat.pieces import Ended, Said, WentBack
from support.desks import opened, room_in, texts
from support.eventually import until
from support.scripted_models import CHAT_MODEL, call, say, use


@pytest.mark.req("PERM-103", "PERM-104")
async def test_retry_and_edit_make_siblings_that_can_be_gone_through(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("one"), say("two"), say("three")]) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("count"))
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        outbox.retry(conversation.last_question())
        await until(lambda: texts(conversation.pieces) == ["user: count", "assistant: two"])
        await until(lambda: not outbox.busy.value and not conversation.answering)
        answer = conversation.pieces[1]
        assert isinstance(answer, Said)
        assert len(answer.siblings) == 2
        outbox.edit(conversation.last_question(), "count on")
        await until(lambda: texts(conversation.pieces) == ["user: count on", "assistant: three"])
        await until(lambda: not outbox.busy.value and not conversation.answering)
        await conversation.show_sibling(conversation.last_question(), -1)
        await until(lambda: texts(conversation.pieces) == ["user: count", "assistant: two"])
        await conversation.show_sibling(answer.siblings[1], -1)
        await until(lambda: texts(conversation.pieces) == ["user: count", "assistant: one"])
        await conversation.close()


@pytest.mark.req("PERM-104")
async def test_the_alternatives_of_an_answer_that_began_with_a_call_are_reached_from_its_first_text(
    tmp_path: Path,
) -> None:
    steps = [
        use(call("note.write", {"name": "a", "text": "b"}, id="c1")), say("one"),
        use(call("note.write", {"name": "a", "text": "c"}, id="c2")), say("two"),
    ]  # fmt: skip
    async with room_in(tmp_path, steps) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("note"))
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        outbox.retry(conversation.last_question())
        await until(lambda: texts(conversation.pieces)[-1:] == ["assistant: two"])
        await until(lambda: not outbox.busy.value and not conversation.answering)
        text = conversation.pieces[-1]
        assert isinstance(text, Said)
        assert len(text.siblings) == 2
        assert text.among == text.siblings[1]
        await conversation.show_sibling(text.among, -1)
        await until(lambda: texts(conversation.pieces)[-1:] == ["assistant: one"])
        await conversation.close()


@pytest.mark.req("PERM-104")
async def test_an_answer_that_ended_after_a_call_without_a_word_says_so_and_leads_to_its_alternatives(
    tmp_path: Path,
) -> None:
    wrote = use(call("note.write", {"name": "a", "text": "b"}, id="c1"))
    async with room_in(tmp_path, [wrote, say(" "), say("two"), wrote, say("")]) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("note"))
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        (end,) = [piece for piece in conversation.pieces if isinstance(piece, Ended)]
        assert (end.state, end.last, end.siblings, end.model) == ("wordless", True, (end.among,), str(CHAT_MODEL))
        outbox.retry(conversation.last_question())
        await until(lambda: texts(conversation.pieces)[-1:] == ["assistant: two"])
        await until(lambda: not outbox.busy.value and not conversation.answering)
        assert not any(isinstance(piece, Ended) for piece in conversation.pieces)
        text = conversation.pieces[-1]
        assert isinstance(text, Said)
        await conversation.show_sibling(text.among, -1)
        await until(lambda: any(isinstance(piece, Ended) for piece in conversation.pieces))
        (end,) = [piece for piece in conversation.pieces if isinstance(piece, Ended)]
        assert end.siblings == text.siblings
        await conversation.show_sibling(end.among, 1)
        await until(lambda: texts(conversation.pieces)[-1:] == ["assistant: two"])
        await conversation.close()


@pytest.mark.req("PERM-104")
async def test_there_is_a_way_back_from_an_alternative_that_failed_without_a_word(tmp_path: Path) -> None:
    lost = NotochordError(Code.NETWORK_UNREACHABLE, Fault.SYSTEM, "", host="api.example.org")
    async with room_in(tmp_path, [lost, say("there")]) as room:
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        outbox.post("hello")
        await until(lambda: bool(conversation.pieces) and isinstance(conversation.pieces[-1], Ended))
        await until(lambda: not outbox.busy.value and not conversation.answering)
        outbox.retry(conversation.last_question())
        await until(lambda: texts(conversation.pieces) == ["user: hello", "assistant: there"])
        await until(lambda: not outbox.busy.value and not conversation.answering)
        answer = conversation.pieces[-1]
        assert isinstance(answer, Said)
        await conversation.show_sibling(answer.among, -1)
        await until(lambda: isinstance(conversation.pieces[-1], Ended))
        end = conversation.pieces[-1]
        assert isinstance(end, Ended)
        await conversation.show_sibling(end.among, 1)
        await until(lambda: texts(conversation.pieces) == ["user: hello", "assistant: there"])
        await conversation.close()


def wrote(name: str) -> Reply:
    return use(call("note.write", {"name": name, "text": name}, id=name))


@pytest.mark.req("PERM-103", "PERM-105")
async def test_what_went_back_with_an_answer_is_told_after_its_question_also_when_opened_again(tmp_path: Path) -> None:
    both = use(call("note.write", {"name": "a", "text": "1"}, id="c1"), call("note.write", {"name": "b", "text": "2"}))
    async with room_in(tmp_path, [both, say("one"), say("two")]) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("note"))
        room.office.notes.texts["b"] = "by hand"
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        outbox.retry(conversation.last_question())
        await until(lambda: texts(conversation.pieces) == ["user: note", "went back", "assistant: two"])
        await until(lambda: not outbox.busy.value and not conversation.answering)
        again = await opened(room, chat.id)
        for seen in (conversation, again):
            assert texts(seen.pieces) == ["user: note", "went back", "assistant: two"]
            line = seen.pieces[1]
            assert isinstance(line, WentBack)
            assert (line.files, line.records, line.records_left) == ((), 1, ("notes: b",))
        answer = again.pieces[2]
        assert isinstance(answer, Said)
        await conversation.show_sibling(answer.among, -1)
        await until(lambda: texts(conversation.pieces)[-1:] == ["assistant: one"])
        assert not any(isinstance(piece, WentBack) for piece in conversation.pieces)
        await conversation.close()
        await again.close()


@pytest.mark.req("PERM-104")
async def test_what_went_back_before_an_edited_first_message_stands_above_it(tmp_path: Path) -> None:
    async with room_in(tmp_path, [wrote("a"), say("one"), say("two")]) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("note"))
        conversation = await opened(room, chat.id)
        await room.office.chats.edit(chat.id, conversation.last_question(), "another")
        await until(lambda: texts(conversation.pieces) == ["went back", "user: another", "assistant: two"])
        await conversation.close()


async def test_going_to_another_version_says_that_files_stay_where_some_were_changed(tmp_path: Path) -> None:
    steps = [wrote("a"), say("one"), say("two"), say("plain"), say("plainer")]
    async with room_in(tmp_path, steps) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("note"))
        conversation = await opened(room, chat.id)
        first = conversation.last_question()
        await room.office.chats.retry(chat.id, first)
        await room.office.chats.send(chat.id, Outgoing("talk"))
        await until(lambda: conversation.last_question() != first)
        second = conversation.last_question()
        await room.office.chats.retry(chat.id, second)
        entries = await room.office.chats.entries(chat.id)
        await room.office.chats.switch_branch(chat.id, entries[-1].siblings[0])
        assert not conversation.notices
        for _ in range(2):
            await room.office.chats.switch_branch(chat.id, entries[1].siblings[0])
            assert list(conversation.notices) == [FilesAreAsTheyWere()]
        assert room.office.notes.texts == {}
        conversation.dismiss(conversation.notices[0])
        assert not conversation.notices
        await conversation.close()
