"""What agents and gems changed in a conversation's folder goes back, through the real files."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.headless.services import Services
from notochord.services.chat.api import Chat, TakenBack
from notochord.services.data.api import OwnerStore
from notochord.services.journal.api import Reverted
from notochord.services.journal.service import JournalService
from support.strict_servers import Answer
from support.whole import Person, calls, connect, opened, probe, say, scripted, talk

OPEN = calls("read_skill", name="probe")


def by_agent(text: str) -> Answer:
    return calls("fs_write", path="plan.txt", content=text)


def by_gem(text: str) -> Answer:
    return calls("gem_probe_writes", path="list.txt", text=text)


async def begun(services: Services, folder: Path) -> Chat:
    """Install the gem and begin a conversation about a folder with two files."""
    await services.gems.install(probe(folder, "writes"), allow_unsigned=True)
    Person(services)
    chat = await talk(services)
    for name in ("plan.txt", "list.txt"):
        (chat.folder / name).write_text("before")
    return chat


async def keeping(services: Services, folder: Path) -> tuple[Chat, OwnerStore]:
    """Install a gem that keeps a note, which says `before`, and begin a conversation."""
    await services.gems.install(probe(folder, "keeps"), allow_unsigned=True)
    Person(services)
    chat = await talk(services)
    store = await services.gems.data("probe")
    await store.kv_set("note", "before", Caller(Actor.USER))
    return chat, store


def texts(chat: Chat) -> list[str]:
    return [(chat.folder / name).read_text() for name in ("plan.txt", "list.txt")]


@pytest.mark.req("PERM-103", "PERM-105")
async def test_a_retry_brings_files_back_except_one_that_something_else_changed(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await begun(services, tmp_path)
        script.play(OPEN, by_agent("agent"), by_gem("gem"))
        await say(services, chat, "Change both")
        assert texts(chat) == ["agent", "gem"]
        asked = (await services.chats.entries(chat.id))[0]
        await services.chats.retry(chat.id, asked.id)
        assert texts(chat) == ["before", "before"]
        script.play(by_agent("agent"), by_gem("gem"))
        await services.chats.retry(chat.id, asked.id)
        (chat.folder / "list.txt").write_text("by hand")
        await services.chats.retry(chat.id, asked.id)
        assert texts(chat) == ["before", "by hand"]


@pytest.mark.req("PERM-104")
async def test_editing_an_earlier_message_brings_files_back(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await begun(services, tmp_path)
        await say(services, chat, "Hello")
        script.play(OPEN, by_agent("agent"), by_gem("gem"))
        await say(services, chat, "Change both")
        asked = (await services.chats.entries(chat.id))[2]
        await services.chats.edit(chat.id, asked.id, "Change nothing")
        assert texts(chat) == ["before", "before"]


async def test_undo_takes_back_what_a_turn_changed(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await begun(services, tmp_path)
        script.play(OPEN, by_agent("agent"), by_gem("gem"))
        await say(services, chat, "Change both")
        turn = (await services.chats.entries(chat.id))[0].id
        cause = Cause(conversation=chat.id, turn=turn)
        assert {change.subject for change in await services.journal.changes(cause) if change.store == "files"} == {
            "plan.txt",
            "list.txt",
        }
        await services.journal.revert(cause)
        assert texts(chat) == ["before", "before"]


@pytest.mark.req("PERM-106", "PERM-107")
async def test_without_a_trash_what_is_deleted_is_gone_and_comes_back_from_the_history(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await begun(services, tmp_path)
        script.play(calls("fs_delete", path="plan.txt"))
        await say(services, chat, "Delete it")
        assert not (chat.folder / "plan.txt").exists()
        turn = (await services.chats.entries(chat.id))[0].id
        await services.journal.revert(Cause(conversation=chat.id, turn=turn))
        assert texts(chat)[0] == "before"


@pytest.mark.req("PERM-103", "PERM-105")
async def test_a_retry_takes_back_what_a_gem_stored_and_says_how_much_and_what_stayed(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat, store = await keeping(services, tmp_path)
        script.play(OPEN, calls("gem_probe_keeps", text="in the turn"), by_agent("agent"))
        await say(services, chat, "Keep it")
        asked = (await services.chats.entries(chat.id))[0]
        script.play(OPEN, calls("gem_probe_keeps", text="in the retry"))
        await services.chats.retry(chat.id, asked.id)
        (told,) = await services.chats.taken_back(chat.id)
        assert told == TakenBack(asked.id, ("plan.txt",), (), 1, ())
        assert not (chat.folder / "plan.txt").exists()
        assert await store.kv_get("note") == "in the retry"
        await store.kv_set("note", "by hand", Caller(Actor.USER))
        await services.chats.retry(chat.id, asked.id)
        (told,) = await services.chats.taken_back(chat.id)
        assert told == TakenBack(asked.id, (), (), 0, ("probe: note",))
        assert await store.kv_get("note") == "by hand"


@pytest.mark.req("PERM-103", "PERM-105")
@pytest.mark.parametrize("stores", [1, 2])
async def test_what_went_back_is_told_though_the_program_ended_before_it_was_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stores: int
) -> None:
    """`stores`: how many of the two, files and the gem's data, have gone back when the program ends."""
    home = tmp_path / "home"
    async with scripted() as (server, script):
        async with opened(home) as services:
            await connect(services, server)
            chat, _ = await keeping(services, tmp_path)
            script.play(OPEN, calls("gem_probe_keeps", text="in the turn"), by_agent("agent"))
            await say(services, chat, "Keep it")
            asked = (await services.chats.entries(chat.id))[0]
            journal = services.journal
            assert isinstance(journal, JournalService)
            monkeypatch.setattr(journal, "revert", ends_after(journal, stores))
            with pytest.raises(InterruptedError):
                await services.chats.retry(chat.id, asked.id)
            assert await services.chats.taken_back(chat.id) == ()
        async with opened(home) as services:
            assert await services.chats.taken_back(chat.id) == (TakenBack(asked.id, ("plan.txt",), (), 1, ()),)
            assert not (chat.folder / "plan.txt").exists()
            assert await (await services.gems.data("probe")).kv_get("note") == "before"


def ends_after(journal: JournalService, stores: int) -> Callable[[Cause], Awaitable[Reverted]]:
    """Return a revert that takes so many of the stores back, and in which the program ends then."""

    async def revert(cause: Cause) -> Reverted:
        for name in ("files", "gem:probe")[:stores]:
            await journal._stores[name].revert(cause)
        raise InterruptedError("the program ends here")

    return revert


async def test_what_a_gem_stored_in_a_turn_goes_back_with_it_also_after_a_restart(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with scripted() as (server, script):
        async with opened(home) as services:
            await connect(services, server)
            chat, store = await keeping(services, tmp_path)
            script.play(OPEN, calls("gem_probe_keeps", text="in the turn"))
            await say(services, chat, "Keep it")
            assert await store.kv_get("note") == "in the turn"
            turn = (await services.chats.entries(chat.id))[0].id
        async with opened(home) as services:
            cause = Cause(conversation=chat.id, turn=turn)
            told = [change.what for change in await services.journal.changes(cause) if change.store == "gem:probe"]
            assert told == ["kv note changed"]
            await services.journal.revert(cause)
            assert await (await services.gems.data("probe")).kv_get("note") == "before"
