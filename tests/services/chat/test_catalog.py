"""Conversations as things: folders, attachments, lists, names, search, deletion, several at once."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.chat import catalog
from notochord.services.chat.api import ChatChanged, ChatState, NewChat, Outgoing
from notochord.services.chat.component import COMPONENT
from notochord.services.chat.tables import METADATA
from support.conversations import office_in
from support.eventually import until
from support.schemas import assert_same_schema
from support.scripted_models import Hold, call, say, use

HELLO = Outgoing("Hello there")


def test_the_tables_are_those_that_the_migrations_make() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("CHAT-001", "CHAT-014")
async def test_a_conversation_has_a_folder_and_takes_attachments_in(tmp_path: Path) -> None:
    (tmp_path / "sales.csv").write_text("a;b")
    async with office_in(tmp_path, [say("I see.")]) as office:
        chat = await office.chats.create(NewChat())
        assert chat.folder == tmp_path / "chats" / chat.id
        assert chat.own_folder
        await office.chats.send(chat.id, Outgoing("", (tmp_path / "sales.csv",)))
        assert (chat.folder / "sales.csv").read_text() == "a;b"
        assert (await office.chats.entries(chat.id))[0].attachments == ("sales.csv",)
        assert (await office.chats.get(chat.id)).title == "sales.csv"


@pytest.mark.req("CHAT-010", "CHAT-011")
async def test_a_conversation_about_a_folder_works_there_and_a_refused_folder_begins_none(tmp_path: Path) -> None:
    chosen = tmp_path / "mine"
    chosen.mkdir()
    async with office_in(tmp_path, [use(call("note.read", {"name": "a"})), say("I see.")]) as office:
        chat = await office.chats.create(NewChat(folder=chosen))
        await office.chats.send(chat.id, HELLO)
        assert office.notes.sessions[0].folder == chosen
        assert not office.notes.sessions[0].own_folder
        with pytest.raises(NotochordError) as caught:
            await office.chats.create(NewChat(folder=tmp_path / "refused"))
        assert caught.value.code is Code.FOLDER_REFUSED
        assert len(await office.chats.all()) == 1
        await office.chats.delete(chat.id)
    assert chosen.is_dir()


@pytest.mark.parametrize("trouble", [OSError(5, "the disk failed"), None], ids=["stays", "goes"])
async def test_a_folder_that_cannot_be_removed_keeps_nobody_from_the_conversations(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: OSError | None
) -> None:
    """What is left of a deleted conversation is tried again at each start, which goes on without it."""

    def refuse(folder: Path) -> None:
        raise OSError(5, "the disk failed")

    async with office_in(tmp_path) as office:
        chat = await office.chats.create(NewChat())
        with monkeypatch.context() as patched:
            patched.setattr(catalog, "remove_folder", refuse)
            with pytest.raises(NotochordError) as caught:
                await office.chats.delete(chat.id)
            assert caught.value.code is Code.DISK_IO
    with monkeypatch.context() as patched:
        if trouble is not None:
            patched.setattr(catalog, "remove_folder", refuse)
        async with office_in(tmp_path) as office:
            assert await office.chats.all() == ()
            assert chat.folder.exists() is (trouble is not None)


async def test_nothing_to_send_is_refused(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        chat = await office.chats.create(NewChat())
        with pytest.raises(NotochordError) as caught:
            await office.chats.send(chat.id, Outgoing(" \n"))
        assert caught.value.code is Code.INPUT_INVALID
        assert await office.chats.entries(chat.id) == ()


async def test_one_conversation_answers_one_message_at_a_time_and_several_answer_at_once(tmp_path: Path) -> None:
    wait = use(call("note.wait", {"name": "a"}))
    async with office_in(tmp_path, [wait, wait, say("Done."), say("Done.")]) as office:
        chats = [(await office.chats.create(NewChat())).id for _ in range(2)]
        answers = [asyncio.create_task(office.chats.send(chat, HELLO)) for chat in chats]
        await until(lambda: len(office.notes.sessions) == 2)
        assert {chat.state for chat in await office.chats.all()} == {ChatState.ANSWERING}
        first = (await office.chats.entries(chats[0]))[0].id
        for work in (
            office.chats.send(chats[0], HELLO),
            office.chats.retry(chats[0], first),
            office.chats.switch_branch(chats[0], first),
        ):
            with pytest.raises(NotochordError) as caught:
                await work
            assert caught.value.code is Code.CHAT_BUSY
        office.notes.waiting["a"].set()
        await asyncio.gather(*answers)
        assert {chat.state for chat in await office.chats.all()} == {ChatState.IDLE}


async def test_the_last_active_conversation_comes_first_and_pins_and_names_are_kept(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Hi.")]) as office:
        first = (await office.chats.create(NewChat())).id
        second = (await office.chats.create(NewChat())).id
        changed: list[ChatChanged] = []
        office.events.subscribe(ChatChanged, changed.append)
        await office.chats.pin(first, True)
        await office.chats.rename(second, "Second")
        assert changed == [ChatChanged(first), ChatChanged(second)]
        assert [chat.id for chat in await office.chats.all()] == [second, first]
    async with office_in(tmp_path, [say("Hi.")]) as office:
        office.clock.advance(60)  # type: ignore[attr-defined]
        await office.chats.send(first, HELLO)
        assert [chat.id for chat in await office.chats.all()] == [first, second]
        assert (await office.chats.get(first)).pinned
        assert (await office.chats.get(second)).title == "Second"


async def test_search_finds_words_in_titles_and_messages_regardless_of_case(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("ÉTÉ in Paris"), say("nothing here")]) as office:
        first = (await office.chats.create(NewChat())).id
        second = (await office.chats.create(NewChat())).id
        last = await office.chats.send(first, Outgoing("Where was I?"))
        await office.chats.send(second, Outgoing("重跑后悬空引用清零"))
        await office.chats.rename(second, "Paris été")
        found = await office.chats.search("paris été")
        assert {(hit.chat, hit.entry) for hit in found} == {(first, last.id), (second, "")}
        assert [hit.chat for hit in await office.chats.search("悬空")] == [second]
        assert await office.chats.search(" ") == ()
        assert len(await office.chats.search("e", most=1)) == 1


async def test_deleting_ends_the_answer_and_removes_record_folder_and_history(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Once upon a time")]) as office:
        office.models.hold = Hold()
        chat = await office.chats.create(NewChat())
        answer = asyncio.create_task(office.chats.send(chat.id, HELLO))
        await office.models.hold.reached.wait()
        await office.chats.delete(chat.id)
        with pytest.raises(NotochordError) as caught:
            await answer
        assert caught.value.code is Code.CANCELLED
        assert not chat.folder.exists()
        assert office.files.forgotten == [chat.id]
        assert await office.chats.all() == ()
        left = await office.database.read(
            lambda connection: [
                connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() for table in METADATA.tables
            ]
        )
        assert set(left) == {0}
        for work in (office.chats.get(chat.id), office.chats.delete(chat.id), office.chats.send(chat.id, HELLO)):
            with pytest.raises(NotochordError) as caught:
                await work
            assert caught.value.code is Code.CHAT_UNKNOWN


async def test_a_deletion_that_the_end_of_the_program_cut_off_is_finished_at_the_next_start(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        chat = await office.chats.create(NewChat())

        async def fail(conversation: str) -> None:
            raise OSError("unplugged")

        office.files.forget = fail  # type: ignore[method-assign]
        with pytest.raises(OSError, match="unplugged"):
            await office.chats.delete(chat.id)
        assert chat.folder.exists()
    async with office_in(tmp_path) as office:
        assert office.files.forgotten == [chat.id]
        assert not chat.folder.exists()


async def test_a_message_whose_files_are_gone_names_them_all_and_copies_none(tmp_path: Path) -> None:
    here = tmp_path / "here.csv"
    here.write_text("a;b")
    async with office_in(tmp_path, [say("Never.")]) as office:
        chat = await office.chats.create(NewChat())
        files = (here, tmp_path / "gone.csv", tmp_path / "lost.csv")
        with pytest.raises(NotochordError) as caught:
            await office.chats.send(chat.id, Outgoing("Look", files))
        assert caught.value.code is Code.FILES_MISSING
        assert caught.value.parameters["names"] == "gone.csv, lost.csv"
        assert not list(chat.folder.glob("*.csv"))
        assert await office.chats.entries(chat.id) == ()
