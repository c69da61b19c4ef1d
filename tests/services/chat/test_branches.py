"""Retrying and editing: alternatives side by side, and files of the left branch as they were."""

from datetime import timedelta
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.chat.api import FilesReverted, NewChat, Outgoing
from notochord.services.models.api import Reply, Text
from support.clocks import START, HandClock
from support.conversations import Office, office_in
from support.scripted_models import call, say, use


def write(name: str, text: str) -> Reply:
    return use(call("note.write", {"name": name, "text": text}))


async def texts(office: Office, chat: str) -> list[str]:
    entries = await office.chats.entries(chat)
    return [part.text for entry in entries for part in entry.message.parts if isinstance(part, Text)]


@pytest.mark.req("PERM-103")
async def test_a_retry_takes_back_what_the_left_answer_changed(tmp_path: Path) -> None:
    steps = [write("a", "old"), say("First."), write("a", "new"), say("Second.")]
    async with office_in(tmp_path, steps) as office:
        office.notes.texts["a"] = "before"
        seen: list[str] = []
        office.notes.on_run = lambda name, session: seen.append(office.notes.texts["a"])
        chat = (await office.chats.create(NewChat())).id
        await office.chats.send(chat, Outgoing("Change it."))
        question = (await office.chats.entries(chat))[0].id
        last = await office.chats.retry(chat, question)
        assert seen == ["before", "before"]
        assert office.notes.texts == {"a": "new"}
        assert await texts(office, chat) == ["Change it.", "Second."]
        first_reply = (await office.chats.entries(chat))[1]
        assert len(first_reply.siblings) == 2
        await office.chats.switch_branch(chat, first_reply.siblings[0])
        assert await texts(office, chat) == ["Change it.", "First."]
        await office.chats.switch_branch(chat, last.id)
        assert await texts(office, chat) == ["Change it.", "Second."]


@pytest.mark.req("PERM-104")
async def test_an_edit_takes_back_everything_from_the_edited_message_on(tmp_path: Path) -> None:
    steps = [write("a", "1"), say("One."), write("b", "2"), say("Two."), write("c", "3"), say("Three."), say("Anew.")]
    async with office_in(tmp_path, steps) as office:
        chat = (await office.chats.create(NewChat())).id
        for text in ("first", "second", "third"):
            await office.chats.send(chat, Outgoing(text))
        second = (await office.chats.entries(chat))[4]
        reverted: list[FilesReverted] = []
        office.events.subscribe(FilesReverted, reverted.append)
        await office.chats.edit(chat, second.id, "another second")
        assert office.notes.texts == {"a": "1"}
        assert [change.subject for change in reverted[0].reverted.undone] == ["c", "b"]
        assert await texts(office, chat) == ["first", "One.", "another second", "Anew."]
        assert len(office.models.requests[-1].messages) == 5
        await office.chats.switch_branch(chat, second.id)
        assert await texts(office, chat) == ["first", "One.", "second", "Two.", "third", "Three."]


@pytest.mark.req("PERM-104")
async def test_the_newest_change_goes_back_first_though_the_clock_was_set_back_in_between(tmp_path: Path) -> None:
    async with office_in(tmp_path, [write("a", "1"), say("One.")]) as office:
        chat = (await office.chats.create(NewChat())).id
        await office.chats.send(chat, Outgoing("first"))
        notes = office.notes
    earlier = HandClock(START - timedelta(days=400), seed=1)
    async with office_in(tmp_path, [write("a", "2"), say("Two."), say("Anew.")], notes=notes, clock=earlier) as office:
        await office.chats.send(chat, Outgoing("second"))
        reverted: list[FilesReverted] = []
        office.events.subscribe(FilesReverted, reverted.append)
        await office.chats.edit(chat, (await office.chats.entries(chat))[0].id, "another first")
        assert (len(reverted[0].reverted.undone), reverted[0].reverted.skipped) == (2, ())
        assert "a" not in office.notes.texts


@pytest.mark.req("PERM-105")
async def test_a_file_that_something_else_changed_since_is_left_alone_and_named(tmp_path: Path) -> None:
    async with office_in(tmp_path, [write("a", "1"), say("One."), say("Again.")]) as office:
        chat = (await office.chats.create(NewChat())).id
        await office.chats.send(chat, Outgoing("first message"))
        office.notes.texts["a"] = "by hand"
        reverted: list[FilesReverted] = []
        office.events.subscribe(FilesReverted, reverted.append)
        await office.chats.retry(chat, (await office.chats.entries(chat))[0].id)
        assert office.notes.texts == {"a": "by hand"}
        assert [change.subject for change in reverted[0].reverted.skipped] == ["a"]


async def test_the_first_message_can_be_edited_and_attachments_stay(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("a;b")
    async with office_in(tmp_path, [say("One."), say("Two.")]) as office:
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing("first message", (tmp_path / "sales.csv",)))
        await office.chats.edit(chat.id, (await office.chats.entries(chat.id))[0].id, "Another one")
        entries = await office.chats.entries(chat.id)
        assert entries[0].attachments == ("sales.csv",)
        assert len(entries[0].siblings) == 2
        assert office.files.causes == [Cause(conversation=chat.id)]
        assert (chat.folder / "sales.csv").read_text() == "a;b"


async def test_each_branch_has_a_cause_of_its_own(tmp_path: Path) -> None:
    steps = [write("a", "1"), say("One."), write("a", "2"), say("Two.")]
    async with office_in(tmp_path, steps) as office:
        chat = (await office.chats.create(NewChat())).id
        await office.chats.send(chat, Outgoing("first message"))
        question = (await office.chats.entries(chat))[0].id
        await office.chats.retry(chat, question)
        first, second = (session.caller.cause for session in office.notes.sessions)
    assert (first.conversation, first.turn, first.step) == (chat, question, "call_1")
    assert (second.conversation, second.turn) == (chat, question)
    assert first.branch != second.branch


async def test_only_messages_of_this_conversation_can_be_retried_and_only_the_users_edited(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("One."), say("Two."), say("Three.")]) as office:
        chat = (await office.chats.create(NewChat())).id
        other = (await office.chats.create(NewChat())).id
        last = await office.chats.send(chat, Outgoing("first message"))
        for work in (office.chats.retry(other, last.id), office.chats.edit(other, last.id, "x")):
            with pytest.raises(NotochordError) as caught:
                await work
            assert caught.value.code is Code.NOT_FOUND
        with pytest.raises(NotochordError) as caught:
            await office.chats.edit(chat, last.id, "x")
        assert caught.value.code is Code.INPUT_INVALID
        await office.chats.retry(chat, last.id)
        assert await texts(office, chat) == ["first message", "Two."]


async def test_a_retry_that_fails_leaves_the_first_answer_within_reach(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("One.")]) as office:
        chat = (await office.chats.create(NewChat())).id
        last = await office.chats.send(chat, Outgoing("first message"))
        office.models.connected.clear()
        office.models.role_models["chat"] = None
        with pytest.raises(NotochordError):
            await office.chats.retry(chat, last.id)
        assert await texts(office, chat) == ["first message", "One."]


@pytest.mark.req("PERM-103")
async def test_taking_back_goes_on_at_the_next_start_if_the_program_ended_meanwhile(tmp_path: Path) -> None:
    async with office_in(tmp_path, [write("a", "1"), say("One.")]) as office:
        chat = (await office.chats.create(NewChat())).id
        last = await office.chats.send(chat, Outgoing("first message"))
        notes = office.notes

        async def fail(cause: Cause) -> None:
            raise NotochordError(Code.DISK_IO, Fault.SYSTEM)

        office.journal.revert = fail  # type: ignore[method-assign, assignment]
        with pytest.raises(NotochordError):
            await office.chats.retry(chat, last.id)
        assert notes.texts == {"a": "1"}
        assert (await office.chats.get(chat)).state == "idle"
    async with office_in(tmp_path, notes=notes) as office:
        assert office.notes.texts == {}
