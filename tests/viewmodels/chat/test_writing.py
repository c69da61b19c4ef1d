"""What the user writes: kept, attached, queued, sent in order, and given back when it cannot be sent."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.chat.api import NewChat
from notochord.viewmodels.chat.composer import LONG_PASTE, SEND_WITH_CONTROL
from notochord.viewmodels.shell.navigation import Page, Place
from support.clocks import HandClock
from support.desks import Room, room_in
from support.eventually import until
from support.scripted_models import Hold, say


async def chat_in(room: Room) -> str:
    chat = (await room.office.chats.create(NewChat())).id
    await room.desk.writing(chat).composer.start()
    return chat


async def asked(room: Room, chat: str) -> list[str]:
    entries = await room.office.chats.entries(chat)
    return [part.text for entry in entries if entry.message.role == "user" for part in entry.message.parts
            if hasattr(part, "text")]  # fmt: skip


async def test_unsent_text_and_files_are_there_after_a_restart(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        chat = await chat_in(room)
        composer = room.desk.writing(chat).composer
        composer.set_text("half a sen")
        await composer.paste_text("x" * LONG_PASTE)
        room.page.new.composer.set_text("for a new one")
    async with room_in(tmp_path) as room:
        composer = room.desk.writing(chat).composer
        await composer.start()
        assert composer.text.value == "half a sen"
        assert [(one.name, one.size) for one in composer.attachments] == [("pasted-1.txt", LONG_PASTE)]
        assert room.page.new.composer.text.value == "for a new one"


async def test_text_is_stored_while_the_program_runs(tmp_path: Path) -> None:
    """A crash loses at most the last moment."""
    clock = HandClock()
    async with room_in(tmp_path, clock=clock) as room:
        chat = await chat_in(room)
        room.desk.writing(chat).composer.set_text("kept")

        async def is_kept() -> bool:
            clock.advance(1)
            return (await room.drafts.draft(chat)).text == "kept"

        await until(is_kept)


async def test_text_of_one_conversation_is_not_that_of_another(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        first, second = await chat_in(room), await chat_in(room)
        room.desk.writing(first).composer.set_text("one")
        room.desk.writing(second).composer.set_text("two")
        assert room.desk.writing(first).composer.text.value == "one"


async def test_messages_written_during_an_answer_are_sent_in_their_order(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1"), say("2"), say("3")]) as room:
        hold = room.office.models.hold = Hold()
        chat = await chat_in(room)
        writing = room.desk.writing(chat)
        for text in ("first", "second", "third", "dropped", "changed"):
            writing.composer.set_text(text)
            assert writing.composer.send()
        await hold.reached.wait()
        assert [message.text for message in writing.outbox.queue] == ["second", "third", "dropped", "changed"]
        writing.drop_waiting(writing.outbox.queue[2].key)
        writing.edit_waiting(writing.outbox.queue[2].key)
        assert writing.composer.text.value == "changed"
        hold.go.set()
        await until(lambda: not writing.outbox.busy.value and not writing.outbox.queue)
        assert await asked(room, chat) == ["first", "second", "third"]


async def test_what_waits_survives_a_restart_and_is_sent_only_when_the_user_says_so(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1")]) as room:
        hold = room.office.models.hold = Hold()
        chat = await chat_in(room)
        room.desk.writing(chat).outbox.post("first")
        room.desk.writing(chat).outbox.post("second")
        await hold.reached.wait()
    async with room_in(tmp_path, [say("2")]) as room:
        writing = room.desk.writing(chat)
        await writing.composer.start()
        assert [message.text for message in writing.outbox.queue] == ["second"]
        assert writing.outbox.held.value
        assert await asked(room, chat) == ["first"]
        writing.outbox.resume()
        await until(lambda: not writing.outbox.busy.value)
        assert await asked(room, chat) == ["first", "second"]


async def test_after_a_stop_the_queue_waits(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1"), say("2")]) as room:
        hold = room.office.models.hold = Hold()
        chat = await chat_in(room)
        outbox = room.desk.writing(chat).outbox
        outbox.post("first")
        outbox.post("second")
        await hold.reached.wait()
        await outbox.stop()
        await until(lambda: not outbox.busy.value)
        assert outbox.held.value
        assert await asked(room, chat) == ["first"]


async def test_a_message_that_cannot_be_recorded_comes_back_with_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = NotochordError(Code.DISK_FULL, Fault.SYSTEM, "no room")

    async def refuse(*_: object) -> str:
        raise full

    async with room_in(tmp_path) as room:
        chat = await chat_in(room)
        writing = room.desk.writing(chat)
        monkeypatch.setattr(room.office.files, "take_in", refuse)
        await writing.composer.paste_text("long")
        writing.composer.set_text("with a file")
        writing.composer.send()
        writing.composer.set_text("and more")
        await until(lambda: writing.composer.problem.value is full and bool(writing.composer.attachments))
        assert writing.composer.text.value == "with a file\n\nand more"
        assert not writing.outbox.busy.value
        assert not await asked(room, chat)


async def test_pasted_files_are_deleted_once_their_message_is_recorded(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1")]) as room:
        chat = await chat_in(room)
        writing = room.desk.writing(chat)
        await writing.composer.paste_image(lambda: b"\x89PNG")
        (picture,) = writing.composer.attachments
        assert picture.is_image
        writing.composer.send()
        await until(lambda: not writing.outbox.busy.value and not picture.path.exists())
        assert (await room.office.chats.entries(chat))[0].attachments == ("pasted-1.png",)


async def test_a_picture_that_is_too_large_comes_as_its_file_and_without_one_the_user_hears_why(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        composer = room.desk.writing(await chat_in(room)).composer
        await composer.paste_picture(b"\x89PNG", "png")
        assert [(one.name, one.size) for one in composer.attachments] == [("pasted-1.png", 4)]
        await composer.paste_picture(b"", "")
        assert composer.problem.value is not None
        assert composer.problem.value.parameters["why"] == "why.picture_too_large"


async def test_a_folder_becomes_what_a_new_chat_is_about_and_elsewhere_the_user_hears_why_not(tmp_path: Path) -> None:
    folder, file = tmp_path / "invoices", tmp_path / "a.txt"
    folder.mkdir()
    file.write_text("a")
    async with room_in(tmp_path) as room:
        await room.page.new.composer.attach([folder, file])
        assert room.page.new.folder.value == folder
        assert [one.path for one in room.page.new.composer.attachments] == [file]
        composer = room.desk.writing(await chat_in(room)).composer
        with pytest.raises(NotochordError) as caught:
            await composer.attach([folder, file])
        assert caught.value.parameters["why"] == "why.attach_folder"
        assert [one.path for one in composer.attachments] == [file]


async def test_files_are_attached_once_and_a_missing_one_is_told(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("a;b")
    async with room_in(tmp_path) as room:
        composer = room.desk.writing(await chat_in(room)).composer
        with pytest.raises(NotochordError) as caught:
            await composer.attach([file, tmp_path / "gone.csv"])
        assert (caught.value.code, caught.value.parameters["path"]) == (Code.FILE_MISSING, "gone.csv")
        await composer.attach([file])
        assert [one.path for one in composer.attachments] == [file]
        composer.detach(composer.attachments[0])
        assert not composer.can_send
        assert not composer.send()


async def test_each_of_several_files_that_cannot_be_attached_is_named(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("a;b")
    async with room_in(tmp_path) as room:
        composer = room.desk.writing(await chat_in(room)).composer
        with pytest.raises(NotochordError) as caught:
            await composer.attach([tmp_path / "gone.csv", file, tmp_path, tmp_path / "lost.csv"])
        assert caught.value.code is Code.FILES_MISSING
        assert caught.value.parameters["names"] == f"gone.csv, lost.csv, {tmp_path.name}"
        assert [one.path for one in composer.attachments] == [file]


async def test_a_conversation_busy_from_elsewhere_lets_the_message_wait(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1"), say("2")]) as room:
        hold = room.office.models.hold = Hold()
        chat = await chat_in(room)
        other, here = room.desk._new_writing(chat), room.desk.writing(chat).outbox
        elsewhere = other.outbox
        elsewhere.post("from the command line")
        await hold.reached.wait()
        here.post("from the window")
        await until(lambda: not here.busy.value and len(here.queue) == 1)
        hold.go.set()
        await until(lambda: not here.queue and not here.busy.value and not elsewhere.busy.value)
        assert await asked(room, chat) == ["from the command line", "from the window"]
        await elsewhere.close()
        await other.composer.close()


async def test_the_key_that_sends_follows_the_setting(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        assert not room.desk.send_with_control.value
        await room.office.settings.change(SEND_WITH_CONTROL, True)
        assert room.desk.send_with_control.value


@pytest.mark.req("MODEL-059", "CHAT-009", "CHAT-010")
async def test_a_new_conversation_has_the_model_the_folder_and_the_plan_mode_that_were_chosen(tmp_path: Path) -> None:
    chosen = tmp_path / "mine"
    chosen.mkdir()
    async with room_in(tmp_path, [say("1")]) as room:
        new = room.page.new
        await new.choose_folder(chosen)
        new.model.set("deep")
        new.plan_mode.set(True)
        new.composer.set_text("hello")
        new.composer.send()
        await until(lambda: room.page.shown.value is not None)
        (chat,) = await room.office.chats.all()
        assert (chat.folder, chat.model, chat.plan_mode) == (chosen, "cloud/deep-model", True)
        assert room.navigation.place.value == Place(Page.CHAT, chat.id)
        await until(lambda: not room.desk.writing(chat.id).outbox.busy.value)
        assert await asked(room, chat.id) == ["hello"]
        assert (await room.drafts.draft("")).text == ""


@pytest.mark.req("CHAT-011")
async def test_a_folder_that_is_refused_is_not_chosen(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        with pytest.raises(NotochordError) as caught:
            await room.page.new.choose_folder(tmp_path / "refused")
        assert caught.value.code is Code.FOLDER_REFUSED
        assert room.page.new.folder.value is None


async def test_without_a_model_the_first_message_comes_back(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        room.office.models.role_models["chat"] = None
        new = room.page.new
        new.composer.set_text("hello")
        new.composer.send()
        await until(lambda: new.composer.problem.value is not None)
        assert new.composer.text.value == "hello"
        assert await room.office.chats.all() == ()


async def test_changing_an_earlier_message_sets_aside_what_was_written(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1"), say("2")]) as room:
        chat = await chat_in(room)
        writing = room.desk.writing(chat)
        writing.outbox.post("first")
        await until(lambda: not writing.outbox.busy.value)
        entry = (await room.office.chats.entries(chat))[0].id
        writing.composer.set_text("unsent")
        writing.composer.begin_edit(entry, "first")
        writing.composer.cancel_edit()
        assert writing.composer.text.value == "unsent"
        writing.composer.begin_edit(entry, "first")
        writing.composer.set_text("changed")
        await writing.composer.keep_now()
        assert (await room.drafts.draft(chat)).text == "unsent\n\nchanged"
        writing.composer.send()
        await until(lambda: not writing.outbox.busy.value)
        assert await asked(room, chat) == ["changed"]
        assert writing.composer.text.value == "unsent"


async def test_a_changed_message_that_cannot_be_recorded_comes_back(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1"), say("2")]) as room:
        hold = room.office.models.hold = Hold()
        chat = await chat_in(room)
        other, writing = room.desk._new_writing(chat), room.desk.writing(chat)
        other.outbox.post("first")
        await hold.reached.wait()
        entry = (await room.office.chats.entries(chat))[0].id
        writing.composer.begin_edit(entry, "first")
        writing.composer.set_text("changed with care")
        writing.composer.send()
        await until(lambda: writing.composer.problem.value is not None)
        assert writing.composer.text.value == "changed with care"
        assert not writing.outbox.queue
        hold.go.set()
        await until(lambda: not other.outbox.busy.value)
        assert await asked(room, chat) == ["first"]
        await other.outbox.close()
        await other.composer.close()


async def test_while_an_answer_is_under_way_here_a_changed_message_comes_back_at_once(tmp_path: Path) -> None:
    async with room_in(tmp_path, [say("1")]) as room:
        hold = room.office.models.hold = Hold()
        chat = await chat_in(room)
        writing = room.desk.writing(chat)
        writing.outbox.post("first")
        await hold.reached.wait()
        writing.outbox.edit((await room.office.chats.entries(chat))[0].id, "changed")
        assert writing.composer.text.value == "changed"
        assert writing.composer.problem.value is not None
        hold.go.set()
        await until(lambda: not writing.outbox.busy.value)
        assert await asked(room, chat) == ["first"]
