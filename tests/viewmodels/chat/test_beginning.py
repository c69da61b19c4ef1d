"""Conversations that begin with something from another page: nothing is sent, and what is unsent stays."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.chat.api import Outgoing
from notochord.viewmodels.chat.beginning import quoted, talk_about
from notochord.viewmodels.shell.navigation import Page
from support.desks import OneGem, Room, room_in
from support.scripted_models import say


async def ask(room: Room, about: str) -> str:
    """Press a bubble; return the conversation that is shown then."""
    await talk_about(about, "board", "helper", room.desk, room.navigation)
    place = room.navigation.place.value
    assert place.page is Page.CHAT
    return place.subject


@pytest.mark.req("AGENT-011")
async def test_a_bubble_opens_a_conversation_with_the_agent_and_the_text_waits_to_be_sent(tmp_path: Path) -> None:
    async with room_in(tmp_path, gem_agents=OneGem()) as room:
        chat = await ask(room, "Größe\n大小")
        assert (await room.office.chats.get(chat)).role == "board/helper"
        assert room.desk.writing(chat).composer.text.value == "> Größe\n> 大小\n\n"
        assert await room.office.chats.entries(chat) == ()
        assert room.office.models.requests == []


async def test_bubbles_pressed_one_after_the_other_share_a_conversation_until_something_was_said(
    tmp_path: Path,
) -> None:
    async with room_in(tmp_path, gem_agent=[say("Hello.")], title=[say("t")], gem_agents=OneGem()) as room:
        chat = await ask(room, "one")
        assert await ask(room, "two") == chat
        assert await ask(room, "two") == chat
        assert room.desk.writing(chat).composer.text.value == "> one\n\n> two\n\n"
        await room.office.chats.send(chat, Outgoing("Explain"))
        assert await ask(room, "three") != chat


async def test_where_no_agent_can_be_engaged_nothing_is_shown(tmp_path: Path) -> None:
    async with room_in(tmp_path) as room:
        before = room.navigation.place.value
        with pytest.raises(NotochordError) as refused:
            await talk_about("a", "board", "helper", room.desk, room.navigation)
        assert refused.value.code is Code.GEM_UNKNOWN
        assert room.navigation.place.value == before


def test_a_quoted_text_has_no_line_of_its_own_and_nothing_unseen() -> None:
    assert quoted("a\r\n\n  b\u202ec\u2028d\x0b> e") == "> a\n> bc\n> d\n> > e"
