"""What is not sent yet survives the end of the program; what was pasted goes when nothing needs it."""

from pathlib import Path

from notochord.core.ids import IdMaker
from notochord.core.paths import OrganizationFolder
from notochord.services.chat.api import Draft, NewChat, Queued
from notochord.services.chat.drafts import ChatDrafts
from support.conversations import Office, office_in


async def drafts_of(office: Office, folder: Path) -> ChatDrafts:
    drafts = ChatDrafts(database=office.database, folder=OrganizationFolder(folder), ids=IdMaker(office.clock))
    await drafts.start()
    return drafts


async def test_a_draft_with_its_files_and_queue_is_there_after_a_restart(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        drafts = await drafts_of(office, tmp_path)
        chat = (await office.chats.create(NewChat())).id
        pasted = await drafts.stage("pasted.txt", b"long")
        forgotten = await drafts.stage("forgotten.txt", b"long")
        kept = Draft("half a sen", (pasted,), (Queued("next", (Path("/a b/ü.csv"),)), Queued("then")))
        await drafts.keep(chat, kept)
        await drafts.keep("", Draft("for a new chat"))
    async with office_in(tmp_path) as office:
        drafts = await drafts_of(office, tmp_path)
        assert await drafts.draft(chat) == kept
        assert await drafts.draft("") == Draft("for a new chat")
        assert pasted.read_bytes() == b"long"
        assert not forgotten.exists()


async def test_an_empty_draft_leaves_nothing_and_a_deleted_conversation_takes_its_draft_along(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        drafts = await drafts_of(office, tmp_path)
        chat = (await office.chats.create(NewChat())).id
        await drafts.keep(chat, Draft("something"))
        await office.chats.delete(chat)
        assert await drafts.draft(chat) == Draft()
        await drafts.keep("", Draft("something"))
        await drafts.keep("", Draft())
        assert await drafts.draft("") == Draft()


async def test_only_staged_files_are_deleted(tmp_path: Path) -> None:
    mine = tmp_path / "mine" / "letter.txt"
    mine.parent.mkdir()
    mine.write_text("mine")
    async with office_in(tmp_path) as office:
        drafts = await drafts_of(office, tmp_path)
        pasted = await drafts.stage("pasted.txt", b"long")
        await drafts.unstage((mine, pasted))
        assert mine.exists()
        assert not pasted.exists()
