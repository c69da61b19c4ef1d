"""`notochord chat`, `chats` and `approvals`: how they ask and answer."""

import asyncio

import pytest

from notochord.core.codes import Code
from notochord.core.sentences import LANGUAGES, Sentences
from notochord.headless.records import record
from notochord.services.approvals.api import ApprovalRequested
from notochord.services.organizations.api import KeyPlace
from notochord.services.vault.api import Secret
from support.exchanges import KeptExchange
from support.front_bench import Bench, refused


async def test_a_chat_streams_the_answer_and_names_the_conversation(bench: Bench) -> None:
    (bench.folder / "x").write_text("a file")
    exchange = await bench.give("chat", "hello", "--attach", "x", to=KeptExchange())
    assert exchange.out == "said hello with 1 files\n"
    assert exchange.said == [f"Conversation c1, files in {bench.folder / 'organizations' / 'acme'}"]


async def test_a_file_that_is_not_there_begins_no_conversation(bench: Bench) -> None:
    assert await refused(bench, "chat", "hello", "--attach", "none.csv", to=KeptExchange()) is Code.FILE_MISSING
    assert await bench.services.chats.all() == ()


async def test_a_chat_with_json_ends_with_the_whole_answer(bench: Bench) -> None:
    exchange = await bench.give("chat", "hello", to=KeptExchange(json=True))
    kinds = [value["type"] for value in exchange.values if isinstance(value, dict)]
    assert kinds == ["chat", "text", "text", "done"]
    assert isinstance(exchange.values[-1], dict)
    assert exchange.values[-1]["text"] == "said hello with 0 files"


async def test_a_chat_goes_on_in_a_conversation(bench: Bench) -> None:
    await bench.give("chat", "hello", "--plan", to=KeptExchange())
    await bench.give("chat", "--id", "c1", "again", to=KeptExchange())
    assert (await bench.services.chats.get("c1")).plan_mode
    await bench.give("chat", "--id", "c1", "again", "--no-plan", "--model", "p/m", to=KeptExchange())
    chat = await bench.services.chats.get("c1")
    assert (chat.plan_mode, chat.model) == (False, "p/m")
    assert len(await bench.services.chats.entries("c1")) == 6


async def test_a_chat_is_held_with_an_agent_that_its_gem_shares_and_with_no_other(bench: Bench) -> None:
    await bench.give("chat", "hello", "--agent", "eu.example.sums/helper", to=KeptExchange())
    assert (await bench.services.chats.get("c1")).role == "eu.example.sums/helper"
    inner, again = ("--agent", "eu.example.sums/inner"), ("--id", "c1", "--agent", "eu.example.sums/helper")
    assert await refused(bench, "chat", "hello", *inner, to=KeptExchange()) is Code.NOT_FOUND
    assert await refused(bench, "chat", "hello", *again, to=KeptExchange()) is Code.INPUT_INVALID
    assert len(await bench.services.chats.all()) == 1


async def test_what_to_say_comes_from_the_input_when_it_is_not_on_the_line(bench: Bench) -> None:
    exchange = await bench.give("chat", "-", to=KeptExchange(given="hello\n"))
    assert "said hello\n with 0 files" in exchange.out
    assert await refused(bench, "chat", to=KeptExchange(given=" \n")) is Code.INPUT_INVALID


async def test_a_failed_answer_is_told(bench: Bench) -> None:
    assert await refused(bench, "chat", "fail", to=KeptExchange()) is Code.MODEL_UNAVAILABLE


async def test_an_answer_cut_off_by_the_output_limit_is_told_and_no_failure(bench: Bench) -> None:
    exchange = await bench.give("chat", "cut", to=KeptExchange())
    assert exchange.out == "said cut with 0 files\n"
    assert "output limit" in exchange.said[-1]


async def test_a_tool_shows_as_a_card_on_lines_of_its_own(bench: Bench) -> None:
    exchange = await bench.give("chat", "tool", to=KeptExchange())
    assert exchange.said[1:] == ['▸ fs.list {"path":"\\u001b[2J"}', "  ✓ fs.list, 0 ms"]


async def test_an_approval_is_asked_on_the_terminal_with_the_exact_arguments(bench: Bench) -> None:
    exchange = await bench.give("chat", "approve gem:x", to=KeptExchange("y", interactive=True))
    assert '{"secret\x1b[1A":"rm -rf"}' in exchange.said[1]
    assert "approved terminal" in exchange.out


@pytest.mark.parametrize("answers", [("n",), ("",), ("what?",), ()])
async def test_only_a_clear_yes_approves(bench: Bench, answers: tuple[str, ...]) -> None:
    exchange = await bench.give("chat", "approve gem:x", to=KeptExchange(*answers, interactive=True))
    assert "rejected terminal" in exchange.out


async def test_a_plan_is_answered_with_what_to_change(bench: Bench) -> None:
    exchange = await bench.give("chat", "approve plan:x", to=KeptExchange("skip step 2", interactive=True))
    assert "rejected terminal skip step 2" in exchange.out


async def test_without_anybody_to_ask_an_approval_is_refused(bench: Bench) -> None:
    exchange = await bench.give("chat", "approve gem:x", to=KeptExchange())
    assert "rejected terminal no terminal" in exchange.out
    assert "--allow" in exchange.said[-1]


@pytest.mark.parametrize(
    ("subject", "permission"),
    [("gem:eu.example.sums", "gem:eu.example.sums"), ("host:api.example", "host:API.example")],
)
async def test_what_was_allowed_beforehand_is_not_asked(bench: Bench, subject: str, permission: str) -> None:
    exchange = await bench.give("chat", f"approve {subject}", "--allow", permission, to=KeptExchange())
    assert "approved" in exchange.out


@pytest.mark.parametrize("permission", ["x", "gem:", ":x", "file:.env", "plan:x"])
async def test_what_is_asked_each_time_cannot_be_allowed_beforehand(bench: Bench, permission: str) -> None:
    words = ("chat", "approve gem:x", "--allow", permission)
    assert await refused(bench, *words, to=KeptExchange()) is Code.INPUT_INVALID
    assert await bench.services.chats.all() == ()


async def test_in_a_lasting_process_an_approval_waits_for_somebody_else(bench: Bench) -> None:
    exchange, asked = KeptExchange(), asyncio.Event()
    bench.services.events.subscribe(ApprovalRequested, lambda _: asked.set())
    talk = asyncio.create_task(bench.give("chat", "approve gem:x", to=exchange, lasting=True))
    await asked.wait()
    listed = await bench.give("approvals", "list", to=KeptExchange())
    assert "a1  gem  x  Use x" in listed.out
    shown = await bench.give("approvals", "show", "a1", to=KeptExchange())
    assert "rm -rf" in shown.out
    await bench.give("approvals", "approve", "a1", "--note", "fine", to=KeptExchange())
    await talk
    assert "approved control fine" in exchange.out
    assert "notochord approvals approve a1" in exchange.said[1]


async def test_a_plan_that_waits_is_called_so_in_the_readers_language(bench: Bench) -> None:
    asked = asyncio.Event()
    bench.services.events.subscribe(ApprovalRequested, lambda _: asked.set())
    talk = asyncio.create_task(bench.give("chat", "approve plan:c1", to=KeptExchange(), lasting=True))
    await asked.wait()
    listed = await bench.give("approvals", "list", to=KeptExchange(language="zh_CN"))
    assert "a1  plan  c1  计划" in listed.out
    await bench.give("approvals", "approve", "a1", to=KeptExchange())
    await talk


async def test_a_question_on_the_terminal_ends_when_somebody_else_answers(bench: Bench) -> None:
    class Undecided(KeptExchange):
        async def ask(self, question: str) -> str:
            asked.set()
            await asyncio.Event().wait()
            return ""

    asked = asyncio.Event()
    exchange = Undecided(interactive=True)
    talk = asyncio.create_task(bench.give("chat", "approve gem:x", to=exchange))
    await asked.wait()
    await bench.give("approvals", "reject", "a1", to=KeptExchange())
    await talk
    assert "rejected control" in exchange.out


async def test_a_decided_approval_cannot_be_decided_again(bench: Bench) -> None:
    await bench.give("chat", "approve gem:x", to=KeptExchange())
    assert await refused(bench, "approvals", "approve", "a1", to=KeptExchange()) is Code.APPROVAL_DECIDED
    assert await refused(bench, "approvals", "show", "a9", to=KeptExchange()) is Code.APPROVAL_UNKNOWN


async def test_conversations_are_listed_shown_and_deleted(bench: Bench) -> None:
    await bench.give("chat", "hello", to=KeptExchange())
    assert "c1  2023-11-14" in (await bench.give("chats", "list", to=KeptExchange())).out
    assert "## You\nhello" in (await bench.give("chats", "show", "c1", to=KeptExchange())).out
    shown = await bench.give("chats", "show", "c1", to=KeptExchange(json=True))
    assert isinstance(shown.values[0], dict)
    assert set(shown.values[0]) == {"chat", "entries", "summaries"}
    exported = await bench.give("chats", "export", "c1", to=KeptExchange(json=True))
    assert exported.values == [{"format": "notochord.chat", "chat": {"id": "c1"}}]
    assert (await bench.give("chats", "export", "c1", to=KeptExchange())).out.startswith("# A talk\n\n## You\n")
    await bench.give("chats", "delete", "c1", to=KeptExchange("no"))
    assert len(await bench.services.chats.all()) == 1
    await bench.give("chats", "delete", "c1", "--yes", to=KeptExchange())
    assert await bench.services.chats.all() == ()


def test_no_key_and_no_secret_becomes_a_record() -> None:
    for hidden in (Secret("sk-1"), b"key"):
        with pytest.raises(TypeError):
            record({"x": hidden})


@pytest.mark.parametrize("language", LANGUAGES)
async def test_each_state_that_a_door_can_show_has_a_sentence(language: str) -> None:
    from notochord.services.approvals.api import ApprovalState
    from notochord.services.chat.api import ChatState
    from notochord.services.gems.api import Trust
    from notochord.services.tools.api import OutcomeState

    said = Sentences.load(language).sentence
    keys = [
        *(f"chat.state.{state}" for state in ChatState),
        *(f"approval.state.{state}" for state in ApprovalState),
        *(f"gem.trust.{trust}" for trust in Trust),
        *(f"call.{state}" for state in OutcomeState),
        *(f"org.key.{place}" for place in KeyPlace),
        *(f"entry.state.{state}" for state in ("interrupted", "failed", "cancelled", "cut_off")),
    ]
    assert [key for key in keys if said(key) == key] == []


@pytest.mark.parametrize(
    ("permission", "code"),
    [("gem:nope", Code.GEM_UNKNOWN), ("tool:fs.read", Code.INPUT_INVALID), ("gem:", Code.INPUT_INVALID)],
)
async def test_a_permission_for_what_is_not_there_begins_no_conversation(
    bench: Bench, permission: str, code: Code
) -> None:
    assert await refused(bench, "chat", "--allow", permission, "hello", to=KeptExchange()) is code
    assert await bench.services.chats.all() == ()
