"""Fault N5: an export taken straight after branching, without reading anything anew, gives back the same view."""

from pathlib import Path
from typing import Any

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import decode
from notochord.services.chat.api import ExportForm, ExportWords, NewChat
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.pieces import Said
from support.desks import Room, room_in, texts
from support.eventually import until
from support.scripted_models import Hold, call, say, use

ONE, TWO, THREE = "first answer", "second answer", "third answer"


async def read_back(conversation: Conversation, file: Path) -> list[str]:
    """Export, and return the active branch as whoever reads the file finds it: from `active` up by the parents."""
    await conversation.export(file, ExportForm.JSON, ExportWords())
    written: Any = decode(file.read_bytes())
    entries = {entry["id"]: entry for entry in written["entries"]}
    assert all(entry["parent"] in entries for entry in entries.values() if entry["parent"])
    way: list[str] = []
    at = written["active"]
    assert at in entries
    while at:
        spoken = [part["text"] for part in entries[at]["parts"] if set(part) == {"text"}]
        way[:0] = [f"{entries[at]['role']}: {text}" for text in spoken]
        at = entries[at]["parent"]
    return way


async def same_in_every_form(room: Room, conversation: Conversation, folder: Path) -> list[str]:
    """Return what the view says, after it was compared with what each export and a second view say."""
    shown = [text for text in texts(conversation.pieces) if text.startswith(("user", "assistant"))]
    assert await read_back(conversation, folder / "chat.json") == shown
    await conversation.export(folder / "chat.md", ExportForm.MARKDOWN, ExportWords("user", "assistant"))
    lines = (folder / "chat.md").read_text().splitlines()
    heads = [line.removeprefix("## ") for line in lines if line.startswith("## ")]
    bodies = [line for line in lines if line in {text.partition(": ")[2] for text in shown}]
    assert [f"{who}: {body}" for who, body in zip(heads, bodies, strict=True)] == shown
    again = room.desk.conversation(conversation.id)
    await again.start()
    assert texts(again.pieces) == texts(conversation.pieces)
    await again.close()
    return shown


async def test_after_each_way_to_branch_the_export_is_the_view(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say(ONE), say(TWO), say(THREE), say("more")]) as room:
        chat = (await room.office.chats.create(NewChat())).id
        conversation, outbox = room.desk.conversation(chat), room.desk.writing(chat).outbox
        await conversation.start()

        async def comes(*said: str) -> None:
            await until(lambda: texts(conversation.pieces) == list(said))
            await until(lambda: not outbox.busy.value and not conversation.answering)
            assert await same_in_every_form(room, conversation, tmp_path) == list(said)

        outbox.post("count")
        await comes("user: count", f"assistant: {ONE}")
        outbox.retry(conversation.last_question())
        await comes("user: count", f"assistant: {TWO}")
        outbox.edit(conversation.last_question(), "count on")
        await comes("user: count on", f"assistant: {THREE}")
        await conversation.show_sibling(conversation.last_question(), -1)
        await comes("user: count", f"assistant: {TWO}")
        answer = conversation.pieces[1]
        assert isinstance(answer, Said)
        await conversation.show_sibling(answer.entry, -1)
        await comes("user: count", f"assistant: {ONE}")
        outbox.post("go on")
        await comes("user: count", f"assistant: {ONE}", "user: go on", "assistant: more")
        await conversation.close()


async def test_a_branch_that_answers_with_a_call_is_exported_with_it(tmp_path: Path) -> None:
    steps = [say(ONE), use(call("note.write", {"name": "a", "text": "b"})), say(TWO)]
    async with room_in(tmp_path, steps) as room:
        chat = (await room.office.chats.create(NewChat())).id
        conversation, outbox = room.desk.conversation(chat), room.desk.writing(chat).outbox
        await conversation.start()
        outbox.post("count")
        await until(lambda: len(conversation.pieces) == 2 and not outbox.busy.value)
        outbox.retry(conversation.last_question())
        await until(lambda: texts(conversation.pieces)[-1] == f"assistant: {TWO}" and not outbox.busy.value)
        assert await read_back(conversation, tmp_path / "chat.json") == ["user: count", f"assistant: {TWO}"]
        await conversation.export(tmp_path / "chat.md", ExportForm.MARKDOWN, ExportWords())
        text = (tmp_path / "chat.md").read_text()
        assert ONE not in text
        assert text.index("**note.write**") < text.index("written") < text.index(TWO)
        await conversation.close()


async def test_a_branch_that_has_no_answer_yet_or_failed_is_the_current_one_too(tmp_path: Path) -> None:
    lost = NotochordError(Code.NETWORK_UNREACHABLE, Fault.SYSTEM, "", host="api.example.org")
    async with room_in(tmp_path, [say(ONE), lost, say(TWO)]) as room:
        chat = (await room.office.chats.create(NewChat())).id
        conversation, outbox = room.desk.conversation(chat), room.desk.writing(chat).outbox
        await conversation.start()
        outbox.post("count")
        await until(lambda: len(conversation.pieces) == 2 and not outbox.busy.value)
        outbox.retry(conversation.last_question())
        await until(lambda: outbox.error.value is lost and not outbox.busy.value)
        assert await read_back(conversation, tmp_path / "failed.json") == ["user: count"]
        hold = room.office.models.hold = Hold()
        outbox.retry(conversation.last_question())
        await hold.reached.wait()
        assert (await read_back(conversation, tmp_path / "begun.json"))[0] == "user: count"
        assert f"assistant: {ONE}" not in await read_back(conversation, tmp_path / "begun.json")
        hold.go.set()
        await until(lambda: not outbox.busy.value and not conversation.answering)
        assert await read_back(conversation, tmp_path / "done.json") == ["user: count", f"assistant: {TWO}"]
        await conversation.close()
