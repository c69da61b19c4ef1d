"""The transcript of a conversation over the real chat service: loading, streaming, switching, calls, questions."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.chat.api import (
    SUMMARIZE_ABOVE,
    ChatChanged,
    ExportForm,
    ExportWords,
    NewChat,
    Outgoing,
    Summary,
)
from notochord.services.models.api import Finish, Reasoning, Text
from notochord.viewmodels.chat import conversation as conversation_module
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.layout import produced_files
from notochord.viewmodels.chat.live import Doing, LiveAnswer
from notochord.viewmodels.chat.notices import Exported
from notochord.viewmodels.chat.pieces import Asked, CallMade, CallState, Ended, Said, SummedUp
from notochord.viewmodels.chat.transcript import TranscriptPieces
from notochord.viewmodels.samples.chat import asked as asked_sample
from support.clocks import HandClock
from support.desks import opened, room_in, texts
from support.eventually import until
from support.scripted_models import Hold, call, reply, say, use


def arriving(conversation: Conversation) -> str:
    piece = conversation.pieces[-1]
    assert isinstance(piece, Said)
    return conversation.text_of(piece)


async def test_a_conversation_shows_what_was_said_and_called(tmp_path: Path) -> None:
    steps = [use(call("note.write", {"name": "a", "text": "b"}), text="I write."), say("Done.")]
    async with room_in(tmp_path, steps) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("Note b"))
        conversation = await opened(room, chat.id)
        assert texts(conversation.pieces) == [
            "user: Note b",
            "assistant: I write.",
            "note.write done",
            "assistant: Done.",
        ]
        made = next(piece for piece in conversation.pieces if isinstance(piece, CallMade))
        assert made.arguments == '{"name":"a","text":"b"}'
        assert made.result == "written"
        assert conversation.usage.value == (20, 10)
        await conversation.close()


async def test_text_that_arrives_before_and_after_opening_is_all_there(tmp_path: Path) -> None:
    """Known-fault A4: what streamed is not drawn again under another key when it was recorded."""
    async with room_in(tmp_path, [reply(Text("One "), Text("two"))]) as room:
        room.office.models.hold = Hold()
        chat = await room.office.chats.create(NewChat())
        room.desk.writing(chat.id).outbox.post("Count")
        await room.office.models.hold.reached.wait()
        conversation = await opened(room, chat.id)
        piece = conversation.pieces[-1]
        assert isinstance(piece, Said)
        assert piece.streaming
        assert conversation.text_of(piece) == "One "
        heard: list[str] = []
        conversation.watch_text(lambda key, text: heard.append(key + text))
        room.office.models.hold.go.set()
        await until(lambda: not conversation.answering)
        assert heard == [piece.key + "two"]
        ended = [said for said in conversation.pieces if isinstance(said, Said) and said.who == "assistant"]
        assert ended[0].key == piece.key
        assert not ended[0].streaming
        await conversation.close()


async def test_reasoning_streams_into_a_piece_of_its_own(tmp_path: Path) -> None:
    async with room_in(tmp_path, [reply(Reasoning("Hm."), Text("Yes."))]) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("Is it?"))
        conversation = await opened(room, chat.id)
        assert texts(conversation.pieces) == ["user: Is it?", "reasoning: Hm.", "assistant: Yes."]
        await conversation.close()


async def test_an_answer_cut_off_by_the_output_limit_is_not_taken_for_complete(tmp_path: Path) -> None:
    async with room_in(tmp_path, [reply(Text("One, two"), finish=Finish.LENGTH)]) as room:
        chat = await room.office.chats.create(NewChat())
        live = await opened(room, chat.id)
        room.desk.writing(chat.id).outbox.post("Count")
        await until(lambda: len(live.pieces) == 3 and not live.answering)
        again = await opened(room, chat.id)
        for conversation in (live, again):
            piece = conversation.pieces[-1]
            assert isinstance(piece, Ended)
            assert (piece.state, piece.last) == ("cut_off", True)
            await conversation.close()


@pytest.mark.req("APP-021")
async def test_two_conversations_stream_at_once_and_switching_loses_nothing(tmp_path: Path) -> None:
    async with room_in(tmp_path, [reply(Text("a1 "), Text("a2")), reply(Text("b1 "), Text("b2"))]) as room:
        hold = room.office.models.hold = Hold()
        first = await room.office.chats.create(NewChat())
        second = await room.office.chats.create(NewChat())
        room.desk.writing(first.id).outbox.post("A")
        await until(lambda: len(room.office.models.requests) == 1)
        room.desk.writing(second.id).outbox.post("B")
        await until(lambda: len(room.office.models.requests) == 2)
        for chat, text in ((first, "a1 "), (second, "b1 "), (first, "a1 ")):
            conversation = await opened(room, chat.id)
            assert arriving(conversation) == text
            await conversation.close()
        hold.go.set()
        outboxes = [room.desk.writing(chat.id).outbox for chat in (first, second)]
        await until(lambda: not any(outbox.busy.value for outbox in outboxes))
        for chat, text in ((first, "assistant: a1 \n\na2"), (second, "assistant: b1 \n\nb2")):
            conversation = await opened(room, chat.id)
            said = texts(conversation.pieces)[1:]
            assert "\n\n".join(said).replace("\n\nassistant: ", "\n\n") == text
            await conversation.close()


async def test_what_happens_while_a_conversation_is_read_is_not_missed(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("one"), say("two")]) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("first"))
        conversation = room.desk.conversation(chat.id)
        loading = asyncio.create_task(conversation.start())
        await asyncio.sleep(0)
        await room.office.chats.send(chat.id, Outgoing("second"))
        await loading
        await until(lambda: texts(conversation.pieces)[-1] == "assistant: two")
        assert len(conversation.pieces) == 4
        await conversation.close()


async def test_a_long_conversation_opens_at_its_end_and_the_rest_comes_in_front(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = HandClock()
    turns = 45
    monkeypatch.setattr(conversation_module, "AHEAD", 20)
    monkeypatch.setattr(conversation_module, "FIRST_PAGE", 11)
    monkeypatch.setattr(conversation_module, "PAGE", 7)
    async with room_in(tmp_path, [say(f"answer {number}") for number in range(turns)], clock=clock) as room:
        chat = await room.office.chats.create(NewChat())
        for number in range(turns):
            await room.office.chats.send(chat.id, Outgoing(f"question {number}"))
        conversation = await opened(room, chat.id)

        async def here(count: int) -> None:
            def holds() -> bool:
                clock.advance(1)
                return len(conversation.pieces) >= count

            await until(holds)

        assert texts(conversation.pieces)[-1] == f"assistant: answer {turns - 1}"
        await here(20)
        await asyncio.sleep(0.02)
        assert len(conversation.pieces) < 30
        conversation.want_more()
        await here(40)
        assert not conversation.complete.value
        conversation.want_all()
        await here(2 * turns)
        clock.advance(1)
        await until(lambda: conversation.complete.value)
        assert texts(conversation.pieces) == [
            text for number in range(turns) for text in (f"user: question {number}", f"assistant: answer {number}")
        ]
        await conversation.close()


async def test_a_failure_tells_its_parameters_and_goes_when_a_retry_succeeds(tmp_path: Path) -> None:
    limited = NotochordError(Code.MODEL_RATE_LIMITED, Fault.PROVIDER, "slow down", provider="cloud", seconds=20)
    async with room_in(tmp_path, [limited, say("there")]) as room:
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        outbox.post("hello")
        await until(lambda: bool(conversation.pieces) and isinstance(conversation.pieces[-1], Ended))
        await until(lambda: not outbox.busy.value and not conversation.answering)
        room.office.events.publish(ChatChanged(chat.id))
        await until(lambda: isinstance(end := conversation.pieces[-1], Ended) and end.error is limited)
        outbox.retry(conversation.last_question())
        await until(lambda: texts(conversation.pieces) == ["user: hello", "assistant: there"])
        assert not any(isinstance(piece, Ended) for piece in conversation.pieces)
        await until(lambda: not outbox.busy.value)
        await conversation.close()


async def test_a_call_shows_while_it_runs_and_can_be_stopped_alone(tmp_path: Path) -> None:
    both = use(call("note.wait", {"name": "a"}, id="1"), call("note.read", {"name": "b"}, id="2"))
    async with room_in(tmp_path, [both, say("Stopped one.")]) as room:
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        room.desk.writing(chat.id).outbox.post("go")
        await until(lambda: texts(conversation.pieces)[1:] == ["note.wait running", "note.read done"])
        assert conversation.activity.value.doing is Doing.CALLING
        keys = [piece.key for piece in conversation.pieces][1:3]
        await conversation.stop_call("1")
        await until(lambda: texts(conversation.pieces)[1:] == [
            "note.wait cancelled", "note.read done", "assistant: Stopped one."])  # fmt: skip
        assert [piece.key for piece in conversation.pieces][1:3] == keys
        await until(lambda: not conversation.answering)
        await conversation.close()


async def test_a_call_that_was_stopped_alone_is_not_told_of_as_an_answer_that_was_stopped(tmp_path: Path) -> None:
    async with room_in(tmp_path, [use(call("note.wait", {"name": "a"}, id="1")), say("I go on.")]) as room:
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        room.desk.writing(chat.id).outbox.post("go")
        await until(lambda: texts(conversation.pieces)[1:] == ["note.wait running"])
        await conversation.stop_call("1")
        await until(lambda: not conversation.answering and texts(conversation.pieces)[-1:] == ["assistant: I go on."])
        assert not any(isinstance(piece, Ended) for piece in conversation.pieces)
        await conversation.close()


async def test_an_answer_that_was_stopped_during_a_call_says_so_once(tmp_path: Path) -> None:
    async with room_in(tmp_path, [use(call("note.wait", {"name": "a"}, id="1"))]) as room:
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        outbox.post("go")
        await until(lambda: texts(conversation.pieces)[1:] == ["note.wait running"])
        await outbox.stop()
        await until(lambda: not conversation.answering and isinstance(conversation.pieces[-1], Ended))
        assert [piece.state for piece in conversation.pieces if isinstance(piece, Ended)] == ["cancelled"]
        await conversation.close()


async def test_an_approval_stands_at_its_call_and_goes_when_it_is_answered_elsewhere(tmp_path: Path) -> None:
    async with room_in(tmp_path, [use(call("note.write", {"name": "a", "text": "b"})), say("Done.")]) as room:
        room.office.notes.asks = True
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        room.desk.writing(chat.id).outbox.post("write")

        def asked() -> CallMade | None:
            return next((p for p in conversation.pieces if isinstance(p, CallMade) and p.approval), None)

        await until(lambda: asked() is not None)
        piece = asked()
        assert piece is not None
        assert piece.approval is not None
        assert piece.approval.question.arguments == '{"name":"a","text":"b"}'
        await room.office.approvals.decide(piece.approval.id, approve=True, by="terminal")
        assert asked() is None
        await room.desk.questions.approve(piece.approval.id)
        await until(lambda: texts(conversation.pieces)[-1] == "assistant: Done.")
        await until(lambda: not conversation.answering)
        await conversation.close()


async def test_a_question_that_is_there_before_its_conversation_is_read_does_not_stay_above_it(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("Done.")]) as room:
        chat = await room.office.chats.create(NewChat())
        await room.office.chats.send(chat.id, Outgoing("hello"))
        entries = await room.office.chats.latest(chat.id, most=10)
        early = TranscriptPieces(answer=LiveAnswer, questions=lambda: (asked_sample(),))
        early.show_end()
        assert [type(piece) for piece in early.pieces] == [Asked]
        early.take_end(entries, (), (), 0)
        assert type(early.pieces[0]) is Said
        assert [type(piece) for piece in early.pieces].count(Asked) == 1


@pytest.mark.req("MODEL-072", "MODEL-073")
async def test_a_summary_is_a_divider_after_what_it_sums_up_and_every_message_is_still_there(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("one."), say("two.")]) as room:
        chat = await room.office.chats.create(NewChat())
        for text in ("first", "second"):
            await room.office.chats.send(chat.id, Outgoing(text))
        entries = await room.office.chats.latest(chat.id, most=10)
        record = TranscriptPieces(answer=LiveAnswer, questions=tuple)
        record.take_end(entries, [Summary(entries[1].id, "They greeted.", 7)], (), 0)
        assert texts(record.pieces) == ["user: first", "assistant: one.", "user: second", "assistant: two."]
        divider = record.pieces[2]
        assert isinstance(divider, SummedUp)
        assert divider.text == "They greeted."


@pytest.mark.req("MODEL-072")
async def test_a_summary_that_is_written_while_one_looks_on_is_shown_at_once(tmp_path: Path) -> None:
    long = [say(f"reply {number} {'word ' * 30}", tokens=(0, 0)) for number in range(8)]
    async with room_in(tmp_path, long, summary=[say("They greeted.")]) as room:
        await room.office.settings.change(SUMMARIZE_ABOVE, 300)
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        outbox = room.desk.writing(chat.id).outbox
        for number in range(8):
            outbox.post(f"question {number}")
        await until(lambda: sum(isinstance(piece, Said) for piece in conversation.pieces) == 16)
        await until(lambda: not outbox.busy.value and not conversation.answering)
        (summary,) = await room.office.chats.summaries(chat.id)
        await until(lambda: any(isinstance(piece, SummedUp) for piece in conversation.pieces))
        at = next(at for at, piece in enumerate(conversation.pieces) if isinstance(piece, SummedUp))
        before = conversation.pieces[at - 1]
        assert isinstance(before, Said)
        assert before.entry == summary.upto
        await conversation.close()


async def test_a_rejected_call_says_so_while_another_of_the_same_reply_still_waits(tmp_path: Path) -> None:
    both = use(call("note.write", {"name": "a", "text": "1"}, id="c1"), call("note.wait", {"name": "b"}, id="c2"))
    async with room_in(tmp_path, [both, say("Done.")]) as room:
        room.office.notes.asks = True
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        room.desk.writing(chat.id).outbox.post("go")

        def asked() -> CallMade | None:
            return next((p for p in conversation.pieces if isinstance(p, CallMade) and p.approval), None)

        await until(lambda: asked() is not None and texts(conversation.pieces)[2:] == ["note.wait running"])
        piece = asked()
        assert piece is not None
        assert piece.approval is not None
        await room.desk.questions.reject(piece.approval.id, "not now")
        await until(lambda: texts(conversation.pieces)[1:] == ["note.write refused", "note.wait running"])
        refused = conversation.pieces[1]
        assert isinstance(refused, CallMade)
        assert "not now" in refused.result
        await conversation.stop_call("c2")
        await until(lambda: not conversation.answering)
        await conversation.close()


async def test_an_export_is_told_once_with_its_place(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("one")]) as room:
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        for name in ("a.md", "b.md"):
            await conversation.export(tmp_path / name, ExportForm.MARKDOWN, ExportWords())
        assert list(conversation.notices) == [Exported(tmp_path / "b.md")]
        assert (tmp_path / "b.md").exists()
        await conversation.close()


async def test_a_deleted_conversation_says_that_it_is_gone(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        chat = await room.office.chats.create(NewChat())
        conversation = await opened(room, chat.id)
        await room.office.chats.delete(chat.id)
        await until(lambda: conversation.gone.value)
        await conversation.close()


@pytest.mark.parametrize(
    ("result", "files"),
    [
        ('{"written": "notes/todo.md", "bytes": 20}', ("notes/todo.md",)),
        ('{"edited": "a.py"}', ("a.py",)),
        ('{"moved": "a.md", "to": "old/a.md"}', ("old/a.md",)),
        ('{"sent": true, "to": "ann@example.org"}', ()),
        ('{"written": 3}', ()),
        ('{"output": 1, "folder": "runs/7", "files": ["a.png", "a.png"]}', ("runs/7", "a.png")),
        ("Error: nothing", ()),
    ],
)
def test_the_files_that_a_result_names_are_offered(result: str, files: tuple[str, ...]) -> None:
    assert produced_files(result) == files


def test_a_recorded_state_of_a_call_is_known() -> None:
    for state in ("recorded", "running", "done", "failed", "refused", "cancelled", "interrupted"):
        assert CallState(state) == state
