"""`ctx.llm`: only for tools that asked, through the one gateway, counted as a gem's, with every argument checked."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.api import Response
from notochord.services.models.api import Role, Text
from notochord.services.sandbox.api import Host, HostRequest
from support.drafts import draft_manifest, written_draft
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox
from support.scripted_models import CHAT_MODEL, Hold, say

ASKED: dict[str, Any] = {"system": None, "messages": [{"role": "user", "text": "Why?"}], "maxOutputTokens": None}
GRANTED = manifest(tools=[tool(permissions={"llm": True})], permissions={"providers": {"llm": True}})


async def ask(notochord: Platform, talk: Path, arguments: Json) -> Json:
    """Call a tool that asks a model, and return what it got: the value, or the code of its failure."""

    async def script(value: Json, host: Host) -> Json:
        try:
            return (await host.answer(HostRequest("llm.complete", arguments, None))).value
        except NotochordError as error:
            return error.code.value

    notochord.sandbox.tools["tools/greet.ts"] = script
    return await notochord.service.call("greeter", "greet", {}, talk, Cause(conversation="talk"))


@pytest.fixture
async def granted(notochord: Platform, packages: PackageMaker) -> Platform:
    assert (await notochord.service.install(packages.make(GRANTED))).uses_model
    return notochord


@pytest.mark.req("MODEL-098", "PERM-002")
async def test_a_question_goes_to_the_chat_roles_model_as_a_gems_and_the_answer_is_counted(
    granted: Platform, talk: Path
) -> None:
    granted.models.scripts["gem"] = [say("Because.", tokens=(7, 2))]
    answer = await ask(granted, talk, {**ASKED, "system": "Be brief.", "maxOutputTokens": 9})
    assert answer == {"text": "Because.", "finish": "stop", "inputTokens": 7, "outputTokens": 2}
    [request] = granted.models.requests
    assert (request.choice.model, request.feature, request.system, request.max_output_tokens) == (
        CHAT_MODEL,
        "gem",
        "Be brief.",
        9,
    )
    assert (request.caller.actor, request.caller.name, request.caller.cause.conversation) == (
        Actor.GEM,
        "greeter",
        "talk",
    )
    assert [(message.role, message.parts) for message in request.messages] == [(Role.USER, (Text("Why?"),))]


@pytest.mark.req("MODEL-097")
@pytest.mark.parametrize(
    "content",
    [
        manifest(),
        manifest(permissions={"providers": {"llm": True}}),
        manifest(tools=[tool(permissions={"llm": False})], permissions={"providers": {"llm": True}}),
    ],
)
async def test_a_tool_that_did_not_ask_reaches_no_model(
    notochord: Platform, packages: PackageMaker, talk: Path, content: dict[str, Any]
) -> None:
    assert not (await notochord.service.install(packages.make(content))).uses_model
    assert await ask(notochord, talk, ASKED) == Code.PERM_DENIED
    assert notochord.models.requests == []
    assert "llm" not in notochord.sandbox.calls[0].namespaces


@pytest.mark.req("MODEL-099")
@pytest.mark.parametrize("network", [False, True])
async def test_what_is_sent_is_what_the_gem_says_and_what_it_can_read_is_up_to_its_other_permissions(
    notochord: Platform, packages: PackageMaker, talk: Path, network: bool
) -> None:
    notochord.egress.response = Response(200, "https://api.example.com/", (), b"a page")
    notochord.models.scripts["gem"] = [say("Yes.")]

    async def script(value: Json, host: Host) -> Json:
        try:
            read = await host.answer(HostRequest("http.fetch", {"url": "https://api.example.com/"}, b""))
            text = (read.attachment or b"").decode()
        except NotochordError as error:
            text = error.code.value
        messages: Json = [{"role": "user", "text": text}]
        return (await host.answer(HostRequest("llm.complete", {**ASKED, "messages": messages}, None))).value

    asked = {"providers": {"llm": True}, "network": {"hosts": ["api.example.com"], "reason": "To look things up"}}
    declared = manifest(tools=[tool(permissions={"llm": True, "network": network})], permissions=asked)
    await notochord.service.install(packages.make(declared))
    notochord.sandbox.tools["tools/greet.ts"] = script
    await notochord.service.call("greeter", "greet", {}, talk, Cause(conversation="talk"))
    [request] = notochord.models.requests
    assert (request.system, request.tools) == ("", ())
    sent = "a page" if network else Code.PERM_DENIED
    assert [message.parts for message in request.messages] == [(Text(sent),)]


async def test_a_tool_cannot_ask_for_more_than_its_gem(notochord: Platform, packages: PackageMaker) -> None:
    package = packages.make(manifest(tools=[tool(permissions={"llm": True})]))
    with pytest.raises(NotochordError) as refused:
        await notochord.service.install(package)
    assert (refused.value.code, "permissions.llm" in refused.value.detail) == (Code.PERM_INVALID, True)


@pytest.mark.parametrize(
    "changes",
    [
        {"messages": None},
        {"messages": []},
        {"messages": "Why?"},
        {"messages": [{"role": "system", "text": "x"}]},
        {"messages": [{"role": "user", "text": " "}]},
        {"messages": [{"role": "user", "text": 5}]},
        {"messages": [{"role": "user", "text": "x", "tools": []}]},
        {"messages": [{"role": "assistant", "text": "x"}]},
        {"messages": [{"role": "user", "text": "x"}, {"role": "assistant", "text": "y"}]},
        {"messages": [{"role": "user", "text": "x"}] * 3},
        {"messages": [{"role": role, "text": "x" * 600_000} for role in ("user", "assistant", "user")]},
        {"messages": [{"role": "user", "text": "x"}] * 201},
        {"system": 5},
        {"maxOutputTokens": 0},
        {"maxOutputTokens": 1.5},
        {"maxOutputTokens": True},
        {"maxOutputTokens": 10**9},
        {"model": "cloud/deep-model"},
    ],
)
async def test_what_is_no_question_is_refused_before_a_model_is_asked(
    granted: Platform, talk: Path, changes: dict[str, Any]
) -> None:
    assert await ask(granted, talk, {**ASKED, **changes}) == Code.INPUT_INVALID
    assert granted.models.requests == []


async def test_a_failure_of_the_model_has_its_own_code(granted: Platform, talk: Path) -> None:
    granted.models.scripts["gem"] = [NotochordError(Code.MODEL_RATE_LIMITED, Fault.PROVIDER, "too many")]
    assert await ask(granted, talk, ASKED) == Code.MODEL_RATE_LIMITED
    granted.models.role_models["chat"] = None
    assert await ask(granted, talk, ASKED) == Code.MODEL_NOT_CHOSEN


async def test_stopping_the_call_stops_the_question(granted: Platform, talk: Path) -> None:
    granted.models.scripts["gem"] = [say("Long")]
    granted.models.hold = Hold()
    call = asyncio.create_task(ask(granted, talk, ASKED))
    await granted.models.hold.reached.wait()
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call


async def test_a_tool_in_a_real_guest_asks_and_gets_the_answer(tmp_path: Path, packages: PackageMaker) -> None:
    code = """export default async (input, ctx) => {
      const first = await ctx.llm.complete("One?");
      const turns = [{ role: "user", text: "One?" }, { role: "assistant", text: first.text }];
      const second = await ctx.llm.complete([...turns, { role: "user", text: "Two?" }], { system: "s" });
      const wrong = await ctx.llm.complete(5).catch((error) => error.code);
      return [first.text, second.outputTokens, wrong];
    };"""
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox) as notochord,
    ):
        notochord.models.scripts["gem"] = [say("1"), say("2", tokens=(3, 4))]
        await notochord.service.install(packages.make(GRANTED, {"tools/greet.ts": code}))
        folder = tmp_path / "folder"
        folder.mkdir()
        value = await notochord.service.call("greeter", "greet", {}, folder, Cause())
    assert value == ["1", 4, "E_INPUT_INVALID"]
    assert [len(request.messages) for request in notochord.models.requests] == [1, 3]


async def test_the_tests_of_a_draft_ask_no_model(tmp_path: Path) -> None:
    tests = "export const asks = (ctx) => ctx.llm.complete('Why?');"
    draft = written_draft(tmp_path / "draft", draft_manifest(llm=True), {"tests/a.test.ts": tests})
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox) as notochord,
    ):
        [outcome] = await notochord.service.test(draft)
    assert (outcome.code, "tests ask no model" in outcome.detail) == (Code.TOOL_FAILED, True)
    assert notochord.models.requests == []
