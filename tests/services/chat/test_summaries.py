"""Long conversations: their older part is summed up before the next reply."""

from itertools import count
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.chat.api import SUMMARIZE_ABOVE, NewChat, Outgoing
from notochord.services.models.api import ModelRequest, Reply, Role, Text, ToolCall
from support.conversations import Office, office_in
from support.scripted_models import DEEP_MODEL, Step, call, reply, say, use

LIMIT = 200


def text_of(request: ModelRequest) -> str:
    return "\n".join(part.text for message in request.messages for part in message.parts if isinstance(part, Text))


def replies() -> list[Reply]:
    return [say(f"reply {number}", tokens=(0, 0)) for number in range(100)]


async def talk(office: Office, chat: str, turns: int, *, start: int = 0, words: int = 30) -> None:
    for number in range(start, start + turns):
        await office.chats.send(chat, Outgoing(f"question {number} {'word ' * words}"))


async def long_chat(office: Office, limit: int = LIMIT) -> str:
    await office.settings.change(SUMMARIZE_ABOVE, limit)
    return (await office.chats.create(NewChat())).id


@pytest.mark.req("MODEL-064", "MODEL-070", "MODEL-071", "MODEL-072")
async def test_the_older_part_is_summed_up_and_the_last_ten_messages_stay_verbatim(tmp_path: Path) -> None:
    async with office_in(tmp_path, replies(), summary=[say("THE SUMMARY")]) as office:
        chat = await long_chat(office, 400)
        await talk(office, chat, 9)
        (written,) = office.models.of("summary")
        request = next(found for found in office.models.of("chat") if "THE SUMMARY" in text_of(found))
        assert request.messages[0].role is Role.USER
        verbatim = [number for number in range(9) if f"question {number} " in text_of(request)]
        summed = [number for number in range(9) if f"question {number} " in text_of(written)]
        turn = max(verbatim)
        assert verbatim == [turn - 4, turn - 3, turn - 2, turn - 1, turn]
        assert summed == list(range(turn - 4))
        assert f"reply {turn - 5}" in text_of(request)
        entries = await office.chats.entries(chat)
        assert len(entries) == 18
        (summary,) = await office.chats.summaries(chat)
        assert summary.text == "THE SUMMARY"
        upto = [entry.id for entry in entries].index(summary.upto)
        assert upto == 2 * turn - 10
    async with office_in(tmp_path, [say("Yes.")]) as office:
        await office.chats.send(chat, Outgoing("And now?"))
        assert "question 0 " not in text_of(office.models.of("chat")[-1])


@pytest.mark.req("MODEL-065", "MODEL-066")
async def test_by_default_the_limit_is_a_hundred_thousand_tokens_and_zero_switches_it_off(tmp_path: Path) -> None:
    assert SUMMARIZE_ABOVE.default == 100_000
    async with office_in(tmp_path, replies(), summary=[say("never")]) as office:
        chat = await long_chat(office, 0)
        await talk(office, chat, 12, words=500)
        assert office.models.of("summary") == []


@pytest.mark.req("MODEL-077")
async def test_a_model_that_can_read_less_changes_neither_the_limit_nor_what_is_sent(tmp_path: Path) -> None:
    refused = NotochordError(Code.MODEL_CONTEXT_LENGTH, Fault.USER)
    steps: list[Step] = [*replies()[:7], refused, refused, say("Yes.")]
    async with office_in(tmp_path, steps, summary=[say("S")]) as office:
        chat = await long_chat(office, 4000)
        await talk(office, chat, 7)
        for _ in range(2):
            with pytest.raises(NotochordError, match=Code.MODEL_CONTEXT_LENGTH):
                await office.chats.send(chat, Outgoing("question 7"))
        assert office.settings.current(SUMMARIZE_ABOVE) == 4000
        assert office.models.of("summary") == []
        assert "question 0 " in text_of(office.models.of("chat")[-1])
        await office.settings.change(SUMMARIZE_ABOVE, LIMIT)
        await talk(office, chat, 1, start=9)
        assert len(office.models.of("summary")) == 1
        assert "question 0 " not in text_of(office.models.of("chat")[-1])


@pytest.mark.req("MODEL-064")
async def test_the_size_is_what_the_provider_reported_last(tmp_path: Path) -> None:
    steps = [say("short", tokens=(100, 10)) for _ in range(6)] + [say("short", tokens=(5000, 10)), say("short")]
    async with office_in(tmp_path, steps, summary=[say("THE SUMMARY")]) as office:
        chat = await long_chat(office, 4000)
        await talk(office, chat, 7, words=1)
        assert office.models.of("summary") == []
        await talk(office, chat, 1, start=7, words=1)
        assert len(office.models.of("summary")) == 1


@pytest.mark.req("MODEL-075", "MODEL-076")
async def test_a_conversation_that_keeps_growing_is_summed_up_again_from_the_previous_summary(tmp_path: Path) -> None:
    numbers = count(1)

    def summarize(request: ModelRequest) -> Reply:
        return say(f"SUMMARY {next(numbers)}")

    async with office_in(tmp_path, replies(), summary=[summarize] * 9) as office:
        chat = await long_chat(office)
        await talk(office, chat, 20)
        written = office.models.of("summary")
        assert len(written) == 3
        assert "SUMMARY 1" in text_of(written[1])
        assert "question 0 " not in text_of(written[1])
        assert "SUMMARY 3" in text_of(office.models.of("chat")[-1])
        assert "SUMMARY 2" not in text_of(office.models.of("chat")[-1])
        assert [found.text for found in await office.chats.summaries(chat)] == ["SUMMARY 1", "SUMMARY 2", "SUMMARY 3"]


@pytest.mark.req("MODEL-067")
async def test_the_summary_comes_from_the_model_for_background_tasks(tmp_path: Path) -> None:
    async with office_in(tmp_path, replies(), summary=[say("THE SUMMARY")]) as office:
        await office.settings.change(model_setting(BuiltInAgent.BACKGROUND), "deep")
        await talk(office, await long_chat(office), 7)
        assert office.models.of("summary")[0].choice.model == DEEP_MODEL


@pytest.mark.req("MODEL-068", "MODEL-069")
async def test_overlong_messages_arguments_and_results_are_sent_shortened(tmp_path: Path) -> None:
    big = use(call("note.write", {"name": "a", "text": "x" * 3000}), tokens=(0, 0))
    read = use(call("note.read", {"name": "a"}), tokens=(0, 0))
    async with office_in(tmp_path, [big, read, *replies()], summary=[say("THE SUMMARY")]) as office:
        chat = await long_chat(office, 0)
        await office.chats.send(chat, Outgoing("HEAD" + "m" * 5000 + "TAIL"))
        await talk(office, chat, 5)
        await office.settings.change(SUMMARIZE_ABOVE, LIMIT)
        await talk(office, chat, 1)
        (written,) = office.models.of("summary")
    sent = text_of(written)
    assert "HEAD" in sent
    assert "TAIL" in sent
    assert sent.count("m" * 1500) == 1
    assert "note.write(" in sent
    assert "x" * 1001 not in sent
    assert "x" * 900 in sent


@pytest.mark.req("MODEL-078")
async def test_without_a_summary_the_reply_goes_ahead_with_the_full_history(tmp_path: Path) -> None:
    refusals = [NotochordError(Code.MODEL_UNAVAILABLE, Fault.PROVIDER) for _ in range(20)]
    async with office_in(tmp_path, replies(), summary=refusals) as office:
        chat = await long_chat(office)
        await talk(office, chat, 8)
        assert "question 0 " in text_of(office.models.of("chat")[-1])
        assert await office.chats.summaries(chat) == ()


@pytest.mark.req("MODEL-074")
async def test_a_branch_that_begins_before_the_summary_sees_the_messages_again(tmp_path: Path) -> None:
    async with office_in(tmp_path, replies(), summary=[say("THE SUMMARY"), say("ANOTHER")]) as office:
        chat = await long_chat(office, 0)
        await talk(office, chat, 7)
        await office.settings.change(SUMMARIZE_ABOVE, LIMIT)
        await talk(office, chat, 1, start=7)
        assert "question 0 " not in text_of(office.models.of("chat")[-1])
        await office.settings.change(SUMMARIZE_ABOVE, 0)
        await office.chats.edit(chat, (await office.chats.entries(chat))[2].id, "another question")
        assert "question 0 " in text_of(office.models.of("chat")[-1])
        assert "THE SUMMARY" not in text_of(office.models.of("chat")[-1])


async def test_an_answer_that_grows_by_its_calls_is_summed_up_between_its_steps(tmp_path: Path) -> None:
    reading = [reply(ToolCall(f"call_{number}", "note.read", '{"name":"a"}'), tokens=(0, 0)) for number in range(14)]
    async with office_in(tmp_path, [*reading, say("Done.")], summary=[say("S1"), say("S2")]) as office:
        office.notes.texts["a"] = "word " * 200
        chat = await long_chat(office, 1500)
        await office.chats.send(chat, Outgoing("Read it often."))
        assert len(office.models.of("summary")) == 1
        assert "S1" in text_of(office.models.of("chat")[-1])
