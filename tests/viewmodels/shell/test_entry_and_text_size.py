"""Beginning conversations, and the size of text."""

import asyncio
from pathlib import Path

import pytest

from notochord.services.chat.api import Chats
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.shell.chat_entry import ChatEntry
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.preferences import TEXT_SIZE, TEXT_SIZES, next_text_size
from notochord.viewmodels.shell.text_size import TextSize
from support.conversations import office_in


@pytest.mark.req("CHAT-009")
async def test_a_chat_around_a_folder_works_in_that_folder(tmp_path: Path) -> None:
    folder = tmp_path / "papers"
    folder.mkdir()
    async with office_in(tmp_path) as office:
        navigation = Navigation()
        await ChatEntry(chats=office.chats, navigation=navigation).around(folder)
        chat = await office.chats.get(navigation.place.value.subject)
        assert (chat.folder, chat.own_folder) == (folder, False)


@pytest.mark.req("CHAT-008")
def test_a_new_chat_is_an_empty_place() -> None:
    navigation = Navigation()
    ChatEntry(chats=absent(Chats), navigation=navigation).new()
    assert navigation.place.value == Place(Page.CHAT, "")


@pytest.mark.req("SETUP-051")
def test_without_a_model_a_new_chat_leads_to_connecting_one() -> None:
    navigation = Navigation()
    navigation.model_connected.set(False)
    ChatEntry(chats=absent(Chats), navigation=navigation).new()
    assert navigation.place.value == Place(Page.CONNECT_MODEL)


async def test_text_becomes_larger_and_smaller_by_steps_and_usual_again(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        size = TextSize(settings=office.settings, opened=at_once)
        seen: list[int] = []
        for change in (size.larger, size.larger, size.smaller, size.usual):
            await change()
            seen.append(office.settings.current(TEXT_SIZE))
        assert seen == [110, 125, 110, 100]
        await asyncio.gather(*(size.larger() for _ in range(3)))
        assert office.settings.current(TEXT_SIZE) == 150


async def at_once() -> None:
    return


@pytest.mark.parametrize(
    ("now", "steps", "then"), [(100, 1, 110), (100, -1, 90), (200, 1, 200), (80, -1, 80), (103, 1, 110)]
)
def test_the_size_of_text_goes_by_steps_within_its_limits(now: int, steps: int, then: int) -> None:
    assert next_text_size(now, steps) == then
    assert then in TEXT_SIZES
