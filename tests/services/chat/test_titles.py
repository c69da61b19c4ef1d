"""Titles from the first message."""

from pathlib import Path

import pytest

from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.chat.api import NewChat, Outgoing
from notochord.services.chat.titles import beginning
from notochord.services.models.api import Text
from support.conversations import Office, office_in
from support.eventually import until
from support.scripted_models import CHAT_MODEL, DEEP_MODEL, say

TITLE = "Sales of May and June"
LONG = "Please compare the sales of May with those of June"


async def has_title(office: Office, chat: str, title: str) -> bool:
    return (await office.chats.get(chat)).title == title


async def titled(office: Office, message: Outgoing) -> str:
    """Send a first message and return the conversation when it has its title."""
    chat = await office.chats.create(NewChat())
    await office.chats.send(chat.id, message)
    await until(lambda: has_title(office, chat.id, TITLE))
    return chat.id


@pytest.mark.req("MODEL-060", "MODEL-063", "MODEL-062", "MODEL-042")
async def test_the_first_message_alone_is_sent_to_the_background_model_for_a_title(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Sure."), say("Sure.")], title=[say(f'"{TITLE}"\n')]) as office:
        chat = await titled(office, Outgoing(LONG))
        await office.chats.send(chat, Outgoing("And a second message"))
        (request,) = office.models.of("title")
    assert [message.parts for message in request.messages] == [(Text(LONG),)]
    assert request.tools == ()
    assert request.choice.model == CHAT_MODEL


@pytest.mark.req("MODEL-062")
async def test_the_title_comes_from_the_model_chosen_for_background_tasks(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Sure.")], title=[say(TITLE)]) as office:
        await office.settings.change(model_setting(BuiltInAgent.BACKGROUND), "deep")
        await titled(office, Outgoing(LONG))
        assert office.models.of("title")[0].choice.model == DEEP_MODEL


@pytest.mark.req("MODEL-061")
@pytest.mark.parametrize("message", ["Hello!", "  你好世界吗 \n", "👍🏽👍🏽"])
async def test_a_message_of_at_most_six_characters_is_the_title_itself(tmp_path: Path, message: str) -> None:
    async with office_in(tmp_path, [say("Hi.")]) as office:
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing(message))
        assert (await office.chats.get(chat.id)).title == message.strip()
        assert office.models.of("title") == []


async def test_without_a_title_from_the_model_the_message_begins_it(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Sure.")]) as office:
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing(LONG))
        assert (await office.chats.get(chat.id)).title == LONG[:30]


async def test_a_long_title_is_cut_and_one_of_the_users_own_is_kept(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Sure."), say("Sure.")], title=[say("word " * 40), say("Mine?")]) as office:
        first = await office.chats.create(NewChat())
        await office.chats.send(first.id, Outgoing(LONG))
        await until(lambda: has_title(office, first.id, ("word " * 12).strip()))
        await office.chats.rename(first.id, " My\nown title ")
        assert (await office.chats.get(first.id)).title == "My own title"


@pytest.mark.parametrize(
    ("message", "title"),
    [
        ("Please make a summary of sales.csv. Sort it by month.", "Please make a summary of sales.csv"),
        ("\n\nWhat is this?\nSee below.", "What is this?"),
        ("What is this? I do not know.", "What is this?"),
        ("请总结这份报告\u3002然后发给我\u3002", "请总结这份报告"),
        ("word " * 40, "word word word word word word word word word word word word…"),
        ("字" * 80, "字" * 59 + "…"),
        ("  \n ", ""),
    ],
)
def test_a_title_from_a_message_is_its_first_sentence(message: str, title: str) -> None:
    assert beginning(message) == title


async def test_a_very_small_local_model_is_not_asked_for_a_title(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Sure.")], title=[say("garbled")]) as office:
        office.models.file_bytes = 100_000_000
        chat = await office.chats.create(NewChat())
        await office.chats.send(chat.id, Outgoing("Please read the long report. It is here."))
        await until(lambda: has_title(office, chat.id, "Please read the long report"))
        assert office.models.of("title") == []


async def test_a_larger_local_model_is_asked_for_a_title(tmp_path: Path) -> None:
    async with office_in(tmp_path, [say("Sure.")], title=[say(TITLE)]) as office:
        office.models.file_bytes = 400_000_000
        await titled(office, Outgoing(LONG))
        assert len(office.models.of("title")) == 1
