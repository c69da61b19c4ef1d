"""A conversation written out: JSON from which nothing is missing, Markdown that cannot be broken from inside."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import decode
from notochord.services.chat.api import ExportForm, ExportWords, NewChat, Outgoing
from support.conversations import office_in
from support.scripted_models import call, say, use


async def test_the_json_holds_every_branch_with_the_active_one_marked(tmp_path: Path) -> None:
    """Faults N4 and N5: branches stay branches, and the active one is the same for whoever reads the file."""
    steps = [use(call("agent.delegate", {"task": "Think."})), say("First."), say("Second."), say("Third.")]
    async with office_in(tmp_path, steps, sub_agent=[say("Thought.")]) as office:
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing("Hello"))
        asked = (await office.chats.entries(chat.id))[0].id
        await office.chats.retry(chat.id, asked)
        chosen = (await office.chats.entries(chat.id))[-1].id
        await office.chats.retry(chat.id, asked)
        await office.chats.switch_branch(chat.id, chosen)
        await office.chats.export(chat.id, tmp_path / "chat.json", ExportForm.JSON)
        match decode((tmp_path / "chat.json").read_bytes()):
            case {"entries": list(entries), "active": active, "sub_agents": [{"entries": list(thoughts)}]}:
                answers = [entry["id"] for entry in entries if isinstance(entry, dict) and entry["parent"] == asked]
                assert len(answers) == 3
                assert active == chosen == answers[1]
                assert len(entries) == 5
                assert len(thoughts) == 2
            case other:
                raise AssertionError(other)


async def test_a_result_cannot_close_the_fence_that_it_stands_in(tmp_path: Path) -> None:
    steps = [use(call("note.read", {"name": "```` x"})), say("Read.")]
    async with office_in(tmp_path, steps) as office:
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing("Hello"))
        await office.chats.export(chat.id, tmp_path / "chat.md", ExportForm.MARKDOWN)
        text = (tmp_path / "chat.md").read_text()
        assert '`````json\n{"name":"```` x"}\n`````' in text
        assert text.startswith("# Hello\n")
        assert text.index("## User") < text.index("## Assistant") < text.index("Read.")


async def test_an_export_speaks_the_users_language(tmp_path: Path) -> None:
    lost = NotochordError(Code.NETWORK_UNREACHABLE, Fault.SYSTEM, "")
    words = ExportWords("你", "助手", "未命名", {"failed": "失败"})
    async with office_in(tmp_path, [say("Read."), lost]) as office:
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing("Hello"))
        with pytest.raises(NotochordError):
            await office.chats.send(chat.id, Outgoing("Again"))
        await office.chats.export(chat.id, tmp_path / "chat.md", ExportForm.MARKDOWN, words=words)
        text = (tmp_path / "chat.md").read_text()
        assert text.index("## 你") < text.index("## 助手")
        assert "失败" in text
        assert "User" not in text
        assert "Assistant" not in text


async def test_a_target_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        chat = await office.chats.create(NewChat())
        with pytest.raises(NotochordError) as caught:
            await office.chats.export(chat.id, tmp_path / "nowhere" / "chat.md", ExportForm.MARKDOWN)
        assert caught.value.code is Code.DISK_IO
