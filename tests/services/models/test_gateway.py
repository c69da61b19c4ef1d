"""The gateway streams, counts, tries again while nothing has come, and says clearly what went wrong."""

import asyncio
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.models import assembly
from notochord.services.models.api import (
    Finish,
    Message,
    ModelRef,
    ProviderDraft,
    ProviderKind,
    Reasoning,
    ReasoningDelta,
    Reply,
    Role,
    Text,
    TextDelta,
    ToolCall,
    ToolLeftOut,
    ToolResult,
    ToolSpec,
    Waiting,
)
from notochord.services.models.failures import as_error
from notochord.services.models.ports import FailureKind, ProviderFailure
from notochord.services.vault.api import Secret
from support.models import ModelsBench, events_of, reply_of, request
from support.strict_servers import AnthropicServer, Call, Drop, Fail, Hold, OpenAiServer, Say

READ = ToolSpec("fs.read", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
LIST = ToolSpec("fs.list", "List files.", {"type": "object", "properties": {}})


@pytest.fixture(params=[ProviderKind.COMPATIBLE, ProviderKind.ANTHROPIC])
async def server(
    request: pytest.FixtureRequest, bench: ModelsBench, openai: OpenAiServer, anthropic: AnthropicServer
) -> OpenAiServer | AnthropicServer:
    """Each of the two formats in turn, connected as the provider `p`."""
    chosen = anthropic if request.param is ProviderKind.ANTHROPIC else openai
    await bench.connect(request.param, chosen.base_url)
    return chosen


async def test_text_arrives_in_pieces_and_whole(bench: ModelsBench, server: OpenAiServer | AnthropicServer) -> None:
    server.script(Say("Good morning, everybody."))
    events = await events_of(bench.service, request("Hello"))
    deltas = [event.text for event in events if isinstance(event, TextDelta)]
    assert len(deltas) > 1
    assert "".join(deltas) == "Good morning, everybody."
    reply = events[-1]
    assert isinstance(reply, Reply)
    assert reply.message == Message(Role.ASSISTANT, (Text("Good morning, everybody."),))
    assert reply.finish is Finish.STOP


@pytest.mark.req("MODEL-100")
async def test_every_call_is_counted_with_what_it_was_for(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    server.script(Say("x", tokens=(40, 5)))
    reply = await reply_of(bench.service, request("Hello", feature="title"))
    assert (reply.input_tokens, reply.output_tokens) == (40, 5)
    (use,) = bench.usage.uses
    assert (use.feature, use.provider, use.model, use.run) == ("title", "p", "alpha", "r")
    assert (use.input_tokens, use.output_tokens) == (40, 5)


async def test_reasoning_and_parallel_calls_come_back_with_our_names(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    calls = (Call("fs_read", {"path": "ä.txt"}), Call("fs_list", {}))
    server.script(Say("Let me look.", calls=calls, reasoning="Two files, perhaps."))
    events = await events_of(bench.service, request("Look", tools=[READ, LIST]))
    assert any(isinstance(event, ReasoningDelta) for event in events)
    reply = events[-1]
    assert isinstance(reply, Reply)
    assert reply.finish is Finish.TOOLS
    names = [(part.name, part.arguments) for part in reply.message.parts if isinstance(part, ToolCall)]
    assert names == [("fs.read", '{"path": "ä.txt"}'), ("fs.list", "{}")]
    assert [type(part) for part in reply.message.parts] == [Reasoning, Text, ToolCall, ToolCall]


async def test_what_a_provider_needs_back_is_replayed_to_it_only(
    bench: ModelsBench, openai: OpenAiServer, anthropic: AnthropicServer
) -> None:
    await bench.connect(ProviderKind.ANTHROPIC, anthropic.base_url)
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url, name="other")
    anthropic.script(Say(calls=(Call("fs_list", {}, "toolu_1"),), reasoning="Hm."), Say("Empty."))
    reply = await reply_of(bench.service, request("Look", tools=[LIST]))
    later = (reply.message, Message(Role.TOOL, (ToolResult("toolu_1", "nothing"),)))
    await reply_of(bench.service, request("Look", *later, tools=[LIST]))
    assistant = anthropic.requests[1]["messages"][1]
    assert assistant["content"][0] == {"type": "thinking", "thinking": "Hm.", "signature": "signed-0"}
    openai.script(Say("Empty."))
    await reply_of(bench.service, request("Look", *later, model=ModelRef("other", "alpha"), tools=[LIST]))
    assert "signed" not in str(openai.requests)


async def test_a_character_cut_by_the_network_stays_whole(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    """Known fault D1."""
    text = "你好世界 🌍 Ş"
    server.script(Say(text, pieces=1, split=1))
    assert (await reply_of(bench.service, request("Hi"))).message.parts == (Text(text),)


async def test_whitespace_deltas_are_kept(bench: ModelsBench, server: OpenAiServer | AnthropicServer) -> None:
    text = "```python\ndef f():\n    pass\n```"
    server.script(Say(text, pieces=1))
    events = await events_of(bench.service, request("Hi"))
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) == text


async def test_arguments_cut_by_the_output_limit_reach_the_caller_as_they_came(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    """Known fault B1."""
    cut = '{"path":"a.txt","text":"hel'
    finish = "max_tokens" if isinstance(server, AnthropicServer) else "length"
    server.script(Say(calls=(Call("fs_read", cut, "c1"),), finish=finish), Say("I see."))
    reply = await reply_of(bench.service, request("Write", tools=[READ]))
    assert reply.finish is Finish.LENGTH
    assert reply.message.parts == (ToolCall("c1", "fs.read", cut),)
    result = Message(Role.TOOL, (ToolResult("c1", "the output limit was reached", failed=True),))
    again = await reply_of(bench.service, request("Write", reply.message, result, tools=[READ]))
    assert again.message.parts == (Text("I see."),)


async def test_arguments_that_are_no_json_reach_the_caller_and_can_be_sent_back(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    """Known fault B14."""
    server.script(Say(calls=(Call("fs_read", '{"a":1 "b":2}', "c1"),)), Say("Sorry."))
    reply = await reply_of(bench.service, request("Write", tools=[READ]))
    assert reply.message.parts == (ToolCall("c1", "fs.read", '{"a":1 "b":2}'),)
    result = Message(Role.TOOL, (ToolResult("c1", "no JSON", failed=True),))
    await reply_of(bench.service, request("Write", reply.message, result, tools=[READ]))


async def test_an_interrupted_conversation_is_accepted_again(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    """Known faults B10, B11, B13: a call without a result, an empty text, and text behind a call."""
    calls = (ToolCall("a", "fs.read", '{"path":"1"}'), ToolCall("b", "fs.list", "{}"))
    stopped = Message(Role.ASSISTANT, (Text(""), *calls, Text("and then")))
    results = Message(Role.TOOL, (ToolResult("a", ""), ToolResult("stray", "x")))
    server.script(Say("Hello again."))
    await reply_of(bench.service, request("Look", stopped, results, "hi", tools=[READ, LIST]))
    assert "Cancelled" in str(server.requests[0]["messages"])


async def test_one_tool_with_an_unusable_schema_is_left_out_with_a_notice(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    """Known fault P1."""
    heard: list[ToolLeftOut] = []
    bench.events.subscribe(ToolLeftOut, heard.append)
    bad = ToolSpec("bad", "", {"type": "object", "properties": {"x": {"$ref": "https://example.com/x.json"}}})
    server.script(Say("Fine."))
    await reply_of(bench.service, request("Hi", tools=[bad, READ]))
    assert [notice.tool for notice in heard] == ["bad"]
    assert "fs_read" in str(server.requests[0]["tools"])


async def test_strange_schemas_and_property_names_are_made_acceptable_and_translated_back(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    """Known faults P1, P2, P4 and P5 in one request."""
    tree = {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/T"}}}}
    schema: dict[str, Any] = {
        "type": "object",
        "$defs": {"T": tree},
        "properties": {"größe": {"type": "integer"}, "a b": {"$ref": "#/$defs/T", "default": 1}, "$x": {}},
        "anyOf": [{"required": ["größe"]}, {"required": ["a b"]}],
    }
    tool = ToolSpec("strange", "A\nstrange\x07 tool.", schema)
    server.script(Say("Wait."))
    await reply_of(bench.service, request("Go", tools=[tool]))
    sent = server.requests[0]["tools"][0]
    sent = sent.get("input_schema") or sent["function"]["parameters"]
    wire = dict(zip(schema["properties"], sent["properties"], strict=True))
    server.script(Say(calls=(Call("strange", {wire["größe"]: 3, wire["a b"]: {"kids": []}}, "c1"),)), Say("Done."))
    reply = await reply_of(bench.service, request("Go", tools=[tool]))
    (call,) = reply.message.parts
    assert isinstance(call, ToolCall)
    assert call.arguments == '{"größe":3,"a b":{"kids":[]}}'
    await reply_of(bench.service, request("Go", reply.message, tools=[tool]))
    assert wire["größe"] in str(server.requests[-1]["messages"])


# -- trying again


@pytest.mark.parametrize("failure", [Fail(429), Fail(500), Fail(503), Fail(529), Drop()], ids=str)
async def test_a_passing_failure_before_the_first_token_is_tried_again(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer, failure: Fail | Drop
) -> None:
    server.script(failure, Say("At last."))
    events = await events_of(bench.service, request("Hi"))
    assert isinstance(events[0], Waiting)
    assert bench.clock.slept == [events[0].seconds]
    assert isinstance(events[-1], Reply)
    assert len(server.requests) == 2
    assert len(bench.usage.uses) == 1


async def test_the_time_that_the_provider_names_is_waited(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    server.script(Fail(429, headers=(("retry-after", "17"),)), Say("Now."))
    await reply_of(bench.service, request("Hi"))
    assert bench.clock.slept == [17.0]


@pytest.mark.parametrize("until", ["Mon, 30 Nov 2026 10:00:10 -0000", "Mon, 30 Nov 99999 10:00:10 GMT", "soon", "nan"])
async def test_a_time_that_makes_no_sense_is_as_good_as_none(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer, until: str
) -> None:
    """A date with the zone unknown cannot be held against the server's own clock."""
    headers = (("retry-after", until), ("date", "Mon, 30 Nov 2026 10:00:00 GMT"))
    server.script(Fail(429, headers=headers), Say("Now."))
    await reply_of(bench.service, request("Hi"))
    assert len(server.requests) == 2
    assert bench.clock.slept[0] <= 1.0


async def test_a_provider_that_asks_for_hours_is_not_waited_for(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    server.script(Fail(429, headers=(("retry-after", "7200"),)))
    with pytest.raises(NotochordError) as caught:
        await reply_of(bench.service, request("Hi"))
    assert caught.value.code is Code.MODEL_RATE_LIMITED
    assert caught.value.parameters["seconds"] == 7200
    assert bench.clock.slept == []


async def test_waiting_grows_and_ends(bench: ModelsBench, server: OpenAiServer | AnthropicServer) -> None:
    server.script(*[Fail(503)] * 4)
    with pytest.raises(NotochordError) as caught:
        await reply_of(bench.service, request("Hi"))
    assert caught.value.code is Code.MODEL_UNAVAILABLE
    assert len(bench.clock.slept) == 3
    assert bench.clock.slept[0] <= 1 <= bench.clock.slept[1] <= 2 <= bench.clock.slept[2] <= 4
    assert bench.usage.uses == []


async def test_a_flood_is_ended_and_told_as_one(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assembly, "LARGEST_REPLY", 1000)
    server.script(Say("word " * 300), Say("never asked for"))
    with pytest.raises(NotochordError) as caught:
        await events_of(bench.service, request("Hi"))
    assert caught.value.code is Code.MODEL_REPLY_TOO_LONG
    assert len(server.requests) == 1


async def test_a_stream_cut_after_the_first_token_is_not_tried_again(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    server.script(Say("Half of an ans", cut=True), Say("never asked for"))
    with pytest.raises(NotochordError) as caught:
        await events_of(bench.service, request("Hi"))
    assert caught.value.code is Code.MODEL_STREAM_BROKEN
    assert len(server.requests) == 1
    assert bench.clock.slept == []
    assert len(bench.usage.uses) == 1


REFUSALS = [
    (401, "invalid key", Code.MODEL_KEY_REFUSED),
    (402, "payment required", Code.MODEL_QUOTA),
    (429, "You exceeded your current quota, please check your billing", Code.MODEL_QUOTA),
    (404, "The model `alpha` does not exist", Code.MODEL_UNKNOWN),
    (400, "maximum context length is 8192 tokens", Code.MODEL_CONTEXT_LENGTH),
    (400, "registry.ollama.ai/library/gemma:2b does not support tools", Code.MODEL_NO_TOOLS),
    (400, "something odd", Code.MODEL_REFUSED),
]


def test_a_refusal_to_list_the_models_names_the_provider_where_a_model_would_stand() -> None:
    refused = ProviderFailure(FailureKind.STATUS, "invalid key", status=401)
    assert as_error(refused, ModelRef("Office", ""), begun=False).parameters["model"] == "Office"
    assert as_error(refused, ModelRef("Office", "alpha"), begun=False).parameters["model"] == "Office/alpha"


@pytest.mark.parametrize(("status", "text", "code"), REFUSALS, ids=lambda value: str(value)[:20])
async def test_a_refusal_says_what_is_wrong_and_is_not_tried_again(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer, status: int, text: str, code: Code
) -> None:
    server.script(Fail(status, text))
    with pytest.raises(NotochordError) as caught:
        await reply_of(bench.service, request("Hi"))
    assert caught.value.code is code
    assert text in caught.value.detail
    assert bench.clock.slept == []


async def test_a_model_known_to_have_no_tools_is_not_asked(bench: ModelsBench, openai: OpenAiServer) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url, "llama2:7b")
    with pytest.raises(NotochordError) as caught:
        await reply_of(bench.service, request("Hi", model=ModelRef("p", "llama2:7b"), tools=[READ]))
    assert caught.value.code is Code.MODEL_NO_TOOLS
    assert openai.requests == []


async def test_an_error_inside_of_a_stream_is_taken_for_one(bench: ModelsBench, openai: OpenAiServer) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url)
    openai.script(Say(events=({"error": {"message": "overloaded", "code": 503}},)), Say("Well."))
    assert (await reply_of(bench.service, request("Hi"))).message.parts == (Text("Well."),)
    assert len(bench.clock.slept) == 1


# -- cancelling, secrets


async def test_closing_the_iterator_ends_the_request(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    server.script(Hold("x" * 200))
    stream = bench.service.stream(request("Hi"))
    assert isinstance(await anext(stream), TextDelta)
    await stream.aclose()
    async with asyncio.timeout(60):
        await server.gone.wait()
    assert len(bench.usage.uses) == 1


async def test_closing_the_service_ends_the_calls(bench: ModelsBench, server: OpenAiServer | AnthropicServer) -> None:
    server.script(Hold("x" * 200))
    stream = bench.service.stream(request("Hi"))
    await anext(stream)

    async def read_on() -> None:
        async for _ in stream:
            pass

    task = asyncio.create_task(read_on())
    await asyncio.sleep(0.05)
    await bench.service.close()
    with pytest.raises(NotochordError):
        await task


@pytest.mark.parametrize("kind", [ProviderKind.COMPATIBLE, ProviderKind.ANTHROPIC])
async def test_the_client_of_a_provider_never_holds_the_key(
    bench: ModelsBench, kind: ProviderKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID"):
        monkeypatch.setenv(variable, "from-the-environment")
    monkeypatch.setenv("ANTHROPIC_CUSTOM_HEADERS", "x-canary: from-the-environment")
    server = AnthropicServer(key="sk-canary") if kind is ProviderKind.ANTHROPIC else OpenAiServer(key="sk-canary")
    async with server:
        draft = ProviderDraft("p", kind, server.base_url, ("alpha",))
        await bench.service.add_provider(draft, Secret("sk-canary"))
        server.script(Say("Hello."))
        await reply_of(bench.service, request("Hi"))
    assert bench.clients.carried == ["Bearer placeholder"]
    assert server.headers[0]["authorization"] == "Bearer sk-canary"
    assert "from-the-environment" not in str(server.headers)
    assert not [name for name in server.headers[0] if name.startswith("x-")]


async def test_an_answer_without_end_is_cut(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("notochord.adapters.providers.connection.LARGEST_BODY", 20_000)
    server.script(Say("x" * 40_000))
    with pytest.raises(NotochordError) as caught:
        await events_of(bench.service, request("Hi"))
    assert caught.value.code is Code.MODEL_REPLY_TOO_LONG
    assert bench.clock.slept == []


async def test_a_refusal_by_the_network_rules_comes_through_as_it_is(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    bench.clients.refusal = NotochordError(Code.NETWORK_BLOCKED, Fault.POLICY, "not allowed")
    with pytest.raises(NotochordError) as caught:
        await reply_of(bench.service, request("Hi"))
    assert caught.value.code is Code.NETWORK_BLOCKED
    assert server.requests == []
    assert bench.clock.slept == []


async def test_reasoning_beside_calls_is_given_back_where_the_format_has_a_place_for_it(
    bench: ModelsBench, openai: OpenAiServer
) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url)
    openai.script(
        Say(calls=(Call("fs_list", {}, "c1"),), reasoning="Hm, hm."), Say("Empty.", reasoning="So."), Say(".")
    )
    first = await reply_of(bench.service, request("Look", tools=[LIST]))
    result = Message(Role.TOOL, (ToolResult("c1", "nothing"),))
    second = await reply_of(bench.service, request("Look", first.message, result, tools=[LIST]))
    await reply_of(bench.service, request("Look", first.message, result, second.message, "And?", tools=[LIST]))
    sent = openai.requests[2]["messages"]
    assert sent[2]["reasoning_content"] == "Hm, hm."
    assert "reasoning_content" not in sent[4]


async def test_signatures_of_calls_and_details_of_reasoning_are_given_back_word_for_word(
    bench: ModelsBench, openai: OpenAiServer
) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url)
    signature = {"google": {"thought_signature": "abc=="}}
    start = {"index": 0, "id": "c1", "type": "function", "extra_content": signature}
    text = {"type": "reasoning.text", "index": 0, "format": "f"}
    deltas: list[dict[str, Any]] = [
        {"reasoning_details": [{**text, "text": "Let me "}]},
        {"reasoning_details": [{**text, "text": "see.", "signature": "s"}]},
        {"tool_calls": [{**start, "function": {"name": "fs_list", "arguments": "{}"}}]},
    ]
    events: list[dict[str, Any]] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    events.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    openai.script(Say(events=tuple(events)), Say("Empty."))
    reply = await reply_of(bench.service, request("Look", tools=[LIST]))
    await reply_of(bench.service, request("Look", reply.message, tools=[LIST]))
    sent = openai.requests[1]["messages"][2]
    assert sent["reasoning_details"] == [{**text, "text": "Let me see.", "signature": "s"}]
    assert sent["tool_calls"][0]["extra_content"] == signature
