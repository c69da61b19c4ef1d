"""Known fault E4: a message of 291,000 tokens is gone away from and come back to; only what is in view is laid out."""

from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from notochord.services.chat.api import NewChat, Outgoing
from notochord.ui.chat.open_chat import OpenChatView
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.transcript.parts import TextPart
from notochord.viewmodels.shell.navigation import Page
from support.chat_seats import Seat, opened, seat_in, shows
from support.scripted_models import say
from support.transcripts import large_message
from support.windows import until_seen

CHARACTERS_IN_A_TOKEN = 4
MOST_PARSED = 0.1
"""Of the message, for a view that is a thousandth of its height high."""


async def opening(seat: Seat, chat: str) -> None:
    """Go to a chat and wait until it is painted."""
    seat.room.navigation.go(Page.CHAT, chat)
    await until_seen(lambda: shows(seat, chat) and len(seat.open.pane._pieces) == 2)
    seat.open.pane.view.viewport().repaint()


def laid_out(view: OpenChatView) -> int:
    """Return how many characters of the messages have rows."""
    parts = view.pane.view.content.roster.made()
    return sum(len(part.source) for part in parts if isinstance(part, TextPart) and part.rows is not None)


async def test_a_message_of_291_000_tokens_is_opened_again_without_being_read_again(
    tmp_path: Path, kit: Kit, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = large_message()
    assert len(text) > 291_000 * CHARACTERS_IN_A_TOKEN
    parsed: list[int] = []
    parse = MarkdownIt.parse

    def counted(parser: MarkdownIt, src: str, env: Any = None) -> Any:
        parsed.append(len(src))
        return parse(parser, src, env)

    monkeypatch.setattr(MarkdownIt, "parse", counted)
    async with seat_in(tmp_path, kit, say(text)) as seat:
        chat = (await seat.room.office.chats.create(NewChat())).id
        await seat.room.office.chats.send(chat, Outgoing("Tell me everything."))
        for _ in range(2):
            await opened(seat)
            parsed.clear()
            await opening(seat, chat)
            assert 0 < sum(parsed) < MOST_PARSED * len(text)
            assert 0 < laid_out(seat.open) < MOST_PARSED * len(text)
        assert seat.texts()[-1] == text
        seat.open.pane.view.scroll_by(-3000)
        assert laid_out(seat.open) < 2 * MOST_PARSED * len(text)
