"""What has come of a reply is kept while it streams: a program that is killed loses next to nothing of it."""

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import func, select

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.chat.api import Entry, NewChat, Outgoing
from notochord.services.chat.tables import ARRIVING
from notochord.services.models.api import ModelEvent, ModelRequest, Reasoning, Role, Text, TextDelta
from support.clocks import HandClock
from support.conversations import Office, office_in
from support.eventually import until
from support.killed_stream import QUESTION, SAID, THOUGHT
from support.programs import ROOT
from support.scripted_models import CHAT_MODEL, Hold, say

ENVIRONMENT = {"PATH": os.environ["PATH"], "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}"}


def killed_in(folder: Path, *more: str) -> None:
    command = (sys.executable, "-m", "support.killed_stream", str(folder), *more)
    ended = subprocess.run(command, env=ENVIRONMENT, check=False, capture_output=True, text=True, timeout=120)
    assert ended.returncode == -signal.SIGKILL, ended.stderr


async def pieces(office: Office) -> int:
    wanted = select(func.count()).select_from(ARRIVING)
    return await office.database.read(lambda connection: int(connection.execute(wanted).scalar_one()))


@pytest.mark.parametrize("more", [(), ("tool",)], ids=["a first reply", "a reply after a call"])
async def test_after_a_kill_what_had_come_of_the_reply_is_there_and_marked(
    tmp_path: Path, more: tuple[str, ...]
) -> None:
    killed_in(tmp_path, *more)
    async with office_in(tmp_path, [say("Yes, 42.")]) as office:
        chat = (await office.chats.all())[0]
        entries = await office.chats.entries(chat.id)
        assert chat.state == "idle"
        assert [entry.message.role for entry in entries] == [
            Role.USER,
            *[Role.ASSISTANT, Role.TOOL][: 2 * len(more)],
            Role.ASSISTANT,
        ]
        cut = entries[-1]
        assert cut.message.parts == (Reasoning(THOUGHT), Text("".join(SAID)))
        assert (cut.state, cut.model) == ("interrupted", str(CHAT_MODEL))
        assert await pieces(office) == 0
        await office.chats.send(chat.id, Outgoing("Go on."))
        seen = [
            part.text
            for message in office.models.requests[-1].messages
            for part in message.parts
            if isinstance(part, Text)
        ]
        assert "".join(SAID) in seen
        assert any(QUESTION in text for text in seen)
        assert len(await office.chats.entries(chat.id)) == len(entries) + 2


def streaming(office: Office, *words: str, hold: Hold) -> None:
    """Let the model say words, then wait, then end."""

    async def stream(request: ModelRequest) -> AsyncIterator[ModelEvent]:
        for word in words:
            yield TextDelta(word)
        hold.reached.set()
        await hold.go.wait()
        yield say("".join(words))

    office.models.stream = stream  # type: ignore[method-assign]


async def kept_after_a_second(office: Office, clock: HandClock) -> bool:
    clock.advance(1.0)
    return await pieces(office) > 0


async def test_a_reply_that_ends_leaves_one_record_and_no_pieces(tmp_path: Path) -> None:
    clock, hold = HandClock(), Hold()
    async with office_in(tmp_path, clock=clock) as office:
        streaming(office, "One ", "two.", hold=hold)
        chat = await office.chats.create(NewChat())
        sending = asyncio.create_task(office.chats.send(chat.id, Outgoing("Say it.")))
        await hold.reached.wait()
        await until(lambda: kept_after_a_second(office, clock))
        hold.go.set()
        last: Entry = await sending
        assert last.message.parts == (Text("One two."),)
        assert await pieces(office) == 0


async def test_a_stopped_reply_is_recorded_once_with_all_its_text_and_its_model(tmp_path: Path) -> None:
    clock, hold = HandClock(), Hold()
    async with office_in(tmp_path, clock=clock) as office:
        streaming(office, "One ", "two ", hold=hold)
        chat = await office.chats.create(NewChat())
        sending = asyncio.create_task(office.chats.send(chat.id, Outgoing("Say it.")))
        await hold.reached.wait()
        await until(lambda: kept_after_a_second(office, clock))
        await office.chats.stop(chat.id)
        with pytest.raises(NotochordError) as stopped:
            await sending
        assert stopped.value.code is Code.CANCELLED
        last = (await office.chats.entries(chat.id))[-1]
        assert (last.message.parts, last.state, last.model) == ((Text("One two "),), "cancelled", str(CHAT_MODEL))
        assert await pieces(office) == 0
