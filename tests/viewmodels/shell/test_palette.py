"""The command palette over its sources."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import Sentences
from notochord.services.chat.api import NewChat, Outgoing
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from notochord.viewmodels.shell.palette import (
    ChatsInPalette,
    MessagesInPalette,
    Palette,
    PaletteItem,
    PaletteKind,
    SectionsInPalette,
)
from support.conversations import office_in
from support.scripted_models import say

ENGLISH = Sentences.load("en")


class Fixed:
    def __init__(self, *items: PaletteItem) -> None:
        self._items = items

    async def items(self) -> Sequence[PaletteItem]:
        return self._items


class Broken:
    async def items(self) -> Sequence[PaletteItem]:
        raise NotochordError(Code.DISK_IO, Fault.SYSTEM, "broken")


def item(title: str, kind: PaletteKind = PaletteKind.CHAT) -> PaletteItem:
    return PaletteItem(kind, title, lambda: None)


def titles(palette: Palette) -> list[str]:
    return [found.item.title for found in palette.found]


async def test_without_words_commands_stand_before_chats_settings_and_gems() -> None:
    palette = Palette([Fixed(item("Gem", PaletteKind.GEM), item("Chat"))])
    palette.offer([item("Command", PaletteKind.ACTION)])
    await palette.open()
    assert titles(palette) == ["Command", "Chat", "Gem"]


async def test_words_leave_what_answers_to_them_best_first() -> None:
    palette = Palette([Fixed(item("An old sale"), item("Sale"), item("Holiday"))])
    await palette.open()
    palette.search("sale")
    assert titles(palette) == ["Sale", "An old sale"]


async def test_what_was_typed_while_the_sources_were_asked_still_holds() -> None:
    palette = Palette([Fixed(item("Sale"), item("Holiday"))])
    palette.search("holi")
    await palette.open()
    assert titles(palette) == ["Holiday"]


async def test_a_source_that_fails_hides_no_other() -> None:
    palette = Palette([Broken(), Fixed(item("Sale"))])
    with pytest.raises(NotochordError):
        await palette.open()
    assert titles(palette) == ["Sale"]


async def test_choosing_a_chat_goes_there(tmp_path: Path) -> None:
    async with office_in(tmp_path) as office:
        chat = await office.chats.create(NewChat())
        await office.chats.rename(chat.id, "Holiday")
        navigation = Navigation()
        palette = Palette([ChatsInPalette(ENGLISH, navigation, office.chats)])
        await palette.open()
        palette.search("holi")
        palette.found[0].item.choose()
        assert navigation.place.value == Place(Page.CHAT, chat.id)


async def test_messages_that_hold_the_words_stand_below_all_else_and_lead_to_their_place(tmp_path: Path) -> None:
    long = "word " * 40 + "the harvest of apples " + "word " * 40
    async with office_in(tmp_path, [say(long)]) as office:
        chat = await office.chats.create(NewChat())
        last = await office.chats.send(chat.id, Outgoing("Tell me"))
        navigation = Navigation()
        palette = Palette([Fixed(item("Apples"))], texts=MessagesInPalette(ENGLISH, navigation, office.chats))
        await palette.open()
        palette.search("apples")
        await palette.search_texts()
        first, second = palette.found
        assert (first.item.title, second.item.remark) == ("Apples", "Tell me")
        assert second.item.title.find("apples") <= 15
        assert second.places
        second.item.choose()
        assert navigation.place.value == Place(Page.CHAT, f"{chat.id}#{last.id}")
        palette.search("a")
        await palette.search_texts()
        assert titles(palette) == ["Apples"]


async def test_choosing_a_section_of_the_settings_goes_there() -> None:
    navigation = Navigation()
    palette = Palette([SectionsInPalette(ENGLISH, navigation, lambda: [("providers", "window.shell.settings")])])
    await palette.open()
    palette.found[0].item.choose()
    assert navigation.place.value == Place(Page.SETTINGS, "providers")
