"""Whatever happened to a conversation, what is sent of it is accepted by both formats."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.adapters.providers import anthropic_wire, openai_wire
from notochord.core.events import EventBus
from notochord.services.models.api import (
    Capabilities,
    Message,
    Part,
    Provider,
    ProviderKind,
    Reasoning,
    Role,
    Text,
    ToolCall,
    ToolResult,
)
from notochord.services.models.preparation import prepare
from notochord.services.models.replay import CANCELLED, replayable
from support.models import request
from support.provider_rules import check_anthropic, check_openai

IDS = st.sampled_from(["a", "b", "functions.read:0", "", "x" * 60])
PARTS: st.SearchStrategy[Part] = st.one_of(
    st.builds(Text, st.sampled_from(["", " \n", "hello", "你好"])),
    st.builds(Reasoning, st.just("hm"), st.sampled_from(["", "other"]), st.sampled_from(["", "{}"])),
    st.builds(ToolCall, IDS, st.sampled_from(["fs.read", "größe", ""]), st.sampled_from(["{}", '{"a":', "[1]", "NaN"])),
    st.builds(ToolResult, IDS, st.sampled_from(["", "done"]), st.booleans()),
)
MESSAGES = st.lists(
    st.builds(Message, st.sampled_from(Role), st.lists(PARTS, max_size=4).map(tuple)), min_size=1, max_size=8
).filter(lambda messages: any(message.parts for message in messages))


@given(MESSAGES)
def test_any_conversation_is_accepted_by_both_formats(messages: list[Message]) -> None:
    kinds = {
        ProviderKind.COMPATIBLE: (openai_wire.body, check_openai),
        ProviderKind.ANTHROPIC: (anthropic_wire.body, check_anthropic),
    }
    for kind, (body, check) in kinds.items():
        provider = Provider("p", kind, "http://127.0.0.1:1/v1", "", ("alpha",), True)
        call = prepare(request(*messages, "go on"), provider, Capabilities(), EventBus().publish).call
        sent = {**body(call), "stream": True}
        json.dumps(sent, allow_nan=False)
        check(sent, frozenset())


def test_a_call_without_a_result_gets_a_cancelled_one() -> None:
    """Known fault B11."""
    calls = (ToolCall("a", "t", "{}"), ToolCall("b", "t", "{}"))
    messages = [
        Message(Role.USER, (Text("x"),)),
        Message(Role.ASSISTANT, calls),
        Message(Role.TOOL, (ToolResult("a", "1"),)),
    ]
    found = replayable([*messages, Message(Role.USER, (Text("hi"),))], "p")
    assert found[2].parts == (ToolResult("a", "1"), ToolResult("b", CANCELLED, failed=True))


def test_ids_that_occur_again_are_told_apart_with_their_results() -> None:
    round_ = (
        Message(Role.ASSISTANT, (ToolCall("call_0", "t", "{}"),)),
        Message(Role.TOOL, (ToolResult("call_0", "r"),)),
    )
    found = replayable([Message(Role.USER, (Text("x"),)), *round_, *round_], "p")
    ids = [part.id for message in found for part in message.parts if isinstance(part, ToolCall)]
    results = [part.call for message in found for part in message.parts if isinstance(part, ToolResult)]
    assert ids == results
    assert len(set(ids)) == 2


@pytest.mark.parametrize("provider", ["p", "q"])
def test_opaque_fields_go_to_their_own_provider_only(provider: str) -> None:
    own = (Reasoning("hm", "p", '{"s":1}'), ToolCall("a", "t", "{}", "p", '{"extra_content":{}}'))
    found = replayable([Message(Role.USER, (Text("x"),)), Message(Role.ASSISTANT, own)], provider)
    kept = found[1].parts
    assert kept == (own if provider == "p" else (ToolCall("a", "t", "{}"),))
