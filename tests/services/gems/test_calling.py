"""A call of a tool: its arguments, its rights, the files it may touch, and what the caller gets."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.api import CredentialDenied, HostGrant, Response
from notochord.services.sandbox.api import Host, HostAnswer, HostRequest
from support.gems import PackageMaker, Platform, manifest, tool

CAUSE = Cause("talk", "main", "turn", "", "step")
NETWORK = {"network": {"hosts": ["api.example.com"], "reason": "Weather"}}
Script = Callable[[Host], Awaitable[Json]]


async def ask(host: Host, target: str, attachment: bytes | None = None, **arguments: Json) -> HostAnswer:
    return await host.answer(HostRequest(target, dict(arguments), attachment))


async def run(notochord: Platform, talk: Path, script: Script, arguments: Json = None, cause: Cause = CAUSE) -> Json:
    async def play(_: Json, host: Host) -> Json:
        return await script(host)

    notochord.sandbox.tools["tools/greet.ts"] = play
    return await notochord.service.call("greeter", "greet", arguments or {}, talk, cause)


async def refused(
    notochord: Platform, talk: Path, target: str, arguments: Json, attachment: bytes | None = None
) -> Code:
    """Return the code with which a single request of a guest is refused."""

    async def script(host: Host) -> Json:
        with pytest.raises(NotochordError) as caught:
            await host.answer(HostRequest(target, arguments, attachment))
        return caught.value.code

    code = await run(notochord, talk, script)
    return Code(str(code))


@pytest.mark.req("TOOL-021", "TOOL-022", "TOOL-023", "TOOL-024")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [({"who": 1}, "who"), ({}, "who"), ({"who": "Ann", "more": 1}, "more"), (["Ann"], "object"), (None, "who")],
)
async def test_arguments_that_do_not_fit_keep_the_tool_from_running(
    notochord: Platform, packages: PackageMaker, talk: Path, arguments: Json, said: str
) -> None:
    schema = {
        "type": "object",
        "properties": {"who": {"type": "string"}},
        "required": ["who"],
        "additionalProperties": False,
    }
    await notochord.service.install(packages.make(manifest(tools=[tool(inputSchema=schema)])))
    with pytest.raises(NotochordError) as caught:
        await notochord.service.call("greeter", "greet", {} if arguments is None else arguments, talk, CAUSE)
    assert caught.value.code is Code.TOOL_ARGUMENTS
    assert said in caught.value.detail
    assert notochord.sandbox.calls == []


@pytest.mark.req("TOOL-030")
async def test_null_for_an_optional_argument_is_as_if_it_were_not_given(greeter: Platform, talk: Path) -> None:
    assert await greeter.service.call("greeter", "greet", {"who": None}, talk, CAUSE) == {"input": {}}


async def test_an_unknown_gem_or_tool_is_named(greeter: Platform, talk: Path) -> None:
    for gem, name, code in (("nobody", "greet", Code.GEM_UNKNOWN), ("greeter", "sing", Code.TOOL_UNKNOWN)):
        with pytest.raises(NotochordError) as caught:
            await greeter.service.call(gem, name, {}, talk, CAUSE)
        assert caught.value.code is code


@pytest.mark.req("PERM-064", "PERM-080", "PERM-081")
async def test_files_left_in_the_run_folder_are_told_with_the_value(greeter: Platform, talk: Path) -> None:
    async def script(host: Host) -> Json:
        await ask(host, "files.write", b"# Report", path="output/report.md")
        return {"ok": True}

    result = await run(greeter, talk, script)
    assert result == {"output": {"ok": True}, "folder": "runs/greet-20261130-090000"}
    assert (talk / "runs/greet-20261130-090000/output/report.md").read_bytes() == b"# Report"


@pytest.mark.req("PERM-075", "PERM-079", "PERM-082", "TOOL-045")
async def test_a_run_that_leaves_nothing_gives_the_value_alone(greeter: Platform, talk: Path) -> None:
    async def script(host: Host) -> Json:
        listed = (await ask(host, "files.list", path="")).value
        await ask(host, "files.write", b"x", path="tmp/part")
        return listed

    assert await run(greeter, talk, script) == []
    assert list((talk / "runs").iterdir()) == []


@pytest.mark.req("PERM-076")
async def test_a_failed_run_keeps_its_intermediate_files(greeter: Platform, talk: Path) -> None:
    async def script(host: Host) -> Json:
        await ask(host, "files.write", b"x", path="tmp/part")
        raise NotochordError(Code.TOOL_FAILED, Fault.GUEST, "thrown")

    with pytest.raises(NotochordError, match="thrown"):
        await run(greeter, talk, script)
    assert (talk / "runs/greet-20261130-090000/tmp/part").read_bytes() == b"x"


@pytest.mark.req("PERM-077", "MAN-040")
async def test_a_cancelled_run_keeps_its_intermediate_files(greeter: Platform, talk: Path) -> None:
    written = asyncio.Event()

    async def script(host: Host) -> Json:
        await ask(host, "files.write", b"x", path="tmp/part")
        written.set()
        await asyncio.Event().wait()
        return None

    task = asyncio.create_task(run(greeter, talk, script))
    await written.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (talk / "runs/greet-20261130-090000/tmp/part").read_bytes() == b"x"


@pytest.mark.req("TOOL-039", "TOOL-040", "TOOL-064", "TOOL-065")
async def test_a_plain_path_is_in_the_run_folder_and_workspace_is_the_conversation(
    greeter: Platform, talk: Path
) -> None:
    (talk / "sales.csv").write_bytes(b"a,b")

    async def script(host: Host) -> Json:
        content = (await ask(host, "files.read", path="workspace:sales.csv")).attachment
        await ask(host, "files.write", content, path="copy.csv")
        await ask(host, "files.mkdir", path="workspace:inbox")
        moving: Json = {"from": "copy.csv", "to": "workspace:inbox/moved.csv"}
        await host.answer(HostRequest("files.move", moving, None))
        return [(await ask(host, "files.stat", path=path)).value for path in ("copy.csv", "workspace:none")]

    assert await run(greeter, talk, script) == [None, None]
    assert (talk / "inbox/moved.csv").read_bytes() == b"a,b"


@pytest.mark.req("TOOL-043", "TOOL-066", "TOOL-069", "PERM-093")
async def test_a_listing_shows_names_types_and_sizes_and_no_dot_entries(greeter: Platform, talk: Path) -> None:
    (talk / "a.txt").write_bytes(b"12345")
    (talk / ".env").write_bytes(b"secret")

    async def script(host: Host) -> Json:
        return (await ask(host, "files.list", path="workspace:")).value

    assert await run(greeter, talk, script) == [{"name": "a.txt", "type": "file", "size": 5, "modified": 1_000}]


@pytest.mark.req("TOOL-067", "TOOL-070", "TOOL-071", "PERM-057")
@pytest.mark.parametrize(
    "path", ["workspace:../org/main.db", "workspace:/etc/passwd", "workspace:.env", "workspace:a/.git"]
)
async def test_paths_that_lead_out_or_begin_with_a_dot_are_refused(greeter: Platform, talk: Path, path: str) -> None:
    for target, attachment in (
        ("files.read", None),
        ("files.write", b"x"),
        ("files.stat", None),
        ("files.delete", None),
    ):
        code = await refused(greeter, talk, target, {"path": path}, attachment)
        assert code in {Code.PATH_OUTSIDE, Code.PATH_INVALID}


@pytest.mark.req("TOOL-058", "PERM-102")
async def test_a_move_never_overwrites(greeter: Platform, talk: Path) -> None:
    for name in ("a", "b"):
        (talk / name).write_text(name)
    assert (
        await refused(greeter, talk, "files.move", {"from": "workspace:a", "to": "workspace:b"}) is Code.INPUT_INVALID
    )
    assert (talk / "b").read_text() == "b"


@pytest.mark.req("TOOL-074", "TOOL-075")
async def test_one_write_is_at_most_20_megabytes(greeter: Platform, talk: Path) -> None:
    content = bytes(20 * 1024 * 1024 + 1)
    code = await refused(greeter, talk, "files.write", {"path": "workspace:big"}, content)
    assert code is Code.PAYLOAD_TOO_LARGE
    assert not (talk / "big").exists()


@pytest.mark.req("DATA-425", "DATA-426", "PERM-134", "TOOL-079")
async def test_every_tool_keeps_texts_in_the_gems_own_store(greeter: Platform, talk: Path) -> None:
    async def script(host: Host) -> Json:
        before = (await ask(host, "storage.kv.get", key="k")).value
        await ask(host, "storage.kv.set", key="k", value="v")
        return [before, (await ask(host, "storage.kv.get", key="k")).value]

    assert await run(greeter, talk, script) == [None, "v"]


@pytest.mark.req("DATA-428")
@pytest.mark.parametrize(
    ("target", "arguments"),
    [
        ("storage.kv.set", {"key": "k", "value": 1}),
        ("storage.kv.set", {"key": "k", "value": {"a": 1}}),
        ("storage.kv.get", {"key": None}),
        ("storage.kv.get", {"key": "k", "owner": "gem:other"}),
        ("storage.kv.get", ["k"]),
        ("files.read", {"path": 7}),
        ("files.list", {}),
        ("files.write", {"path": "a"}),
        ("files.move", {"from": "a"}),
        ("files.read", "workspace:a"),
    ],
)
async def test_what_a_guest_passes_is_checked_by_its_type(
    greeter: Platform, talk: Path, target: str, arguments: Json
) -> None:
    assert await refused(greeter, talk, target, arguments) is Code.INPUT_INVALID


@pytest.mark.parametrize("target", ["vault.get", "files.", "storage.kv.delete", "", "http.fetch", "x" * 10_000])
async def test_what_is_not_open_to_a_tool_is_refused(greeter: Platform, talk: Path, target: str) -> None:
    assert await refused(greeter, talk, target, {"url": "https://api.example.com/"}) is Code.PERM_DENIED
    assert greeter.egress.requests == []


async def test_after_the_call_the_host_refuses_everything(greeter: Platform, talk: Path) -> None:
    kept: list[Host] = []

    async def script(host: Host) -> Json:
        kept.append(host)
        return None

    await run(greeter, talk, script)
    with pytest.raises(NotochordError) as caught:
        await ask(kept[0], "files.write", b"late", path="workspace:late.txt")
    assert caught.value.code is Code.PERM_DENIED
    assert not (talk / "late.txt").exists()


@pytest.mark.req("PERM-026", "PERM-031", "TOOL-010")
async def test_a_tool_with_the_permission_fetches_under_the_recorded_grant(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    allowed = tool(permissions={"network": True})
    await notochord.service.install(packages.make(manifest(tools=[allowed], permissions=NETWORK)))
    headers = (("Set-Cookie", "a"), ("set-cookie", "b"))
    notochord.egress.response = Response(
        401, "https://api.example.com/x", headers, b"no", CredentialDenied("host_not_granted", "h")
    )

    async def script(host: Host) -> Json:
        answer = await ask(
            host, "http.fetch", b"body", url="https://api.example.com/x", method="post", headers={"A": "b"}
        )
        assert answer.attachment == b"no"
        return answer.value

    assert await run(notochord, talk, script) == {
        "status": 401,
        "url": "https://api.example.com/x",
        "headers": {"set-cookie": "a, b"},
        "credentialDenied": {"reason": "host_not_granted", "host": "h"},
    }
    (request,) = notochord.egress.requests
    assert (request.method, request.headers, request.body) == ("POST", (("A", "b"),), b"body")
    assert request.leave.grant == HostGrant(("api.example.com",), local=False)
    assert (request.leave.caller.actor, request.leave.caller.name) == (Actor.GEM, "greeter")
    assert notochord.sandbox.calls[0].namespaces == ("files", "storage.kv", "storage.sql", "data", "extract", "http")


async def test_a_tool_without_the_permission_has_no_http_even_if_its_gem_may_reach_hosts(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    await notochord.service.install(packages.make(manifest(permissions=NETWORK)))
    assert await refused(notochord, talk, "http.fetch", {"url": "https://api.example.com/"}) is Code.PERM_DENIED
    assert notochord.sandbox.calls[0].namespaces == ("files", "storage.kv", "storage.sql", "data", "extract")


@pytest.mark.req("PERM-013", "PERM-014", "CRED-017", "CRED-019")
async def test_an_account_is_used_only_after_the_user_chose_it_and_an_upgrade_keeps_the_choice(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    permissions = {**NETWORK, "connections": [{"id": "weather", "reason": "Your forecast"}]}
    content = manifest(tools=[tool(permissions={"network": True})], permissions=permissions)
    await notochord.service.install(packages.make(content))
    arguments: Json = {"url": "https://api.example.com/", "connection": "weather"}
    assert await refused(notochord, talk, "http.fetch", arguments) is Code.PERM_DENIED
    await notochord.service.choose_connection("greeter", "weather", "account-1")
    await notochord.service.install(packages.make({**content, "version": "1.1.0"}))

    async def script(host: Host) -> Json:
        await host.answer(HostRequest("http.fetch", arguments, None))
        return None

    await run(notochord, talk, script)
    assert notochord.egress.requests[0].leave.connection == "account-1"


@pytest.mark.req("PERM-005", "TOOL-033", "TOOL-037")
async def test_a_connection_that_the_manifest_does_not_declare_is_none_even_if_it_is_an_accounts_id(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    await notochord.service.install(
        packages.make(manifest(tools=[tool(permissions={"network": True})], permissions=NETWORK))
    )
    arguments: Json = {"url": "https://api.example.com/", "connection": "account-1"}
    answers: list[Json] = []

    async def script(host: Host) -> Json:
        answers.append((await host.answer(HostRequest("http.fetch", arguments, None))).value)
        return None

    await run(notochord, talk, script)
    (answer,) = answers
    assert isinstance(answer, dict)
    assert answer["credentialDenied"] == {"reason": "not_declared", "host": "api.example.com"}
    assert notochord.egress.requests[0].leave.connection == ""


@pytest.mark.req("TOOL-011", "GEM-014", "GEM-015")
async def test_gems_conversations_and_rights_that_differ_never_share_a_process(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    both = [tool("plain"), tool("again"), tool("online", permissions={"network": True})]
    await notochord.service.install(packages.make(manifest(tools=both, permissions=NETWORK)))
    await notochord.service.install(packages.make(manifest(id="other", tools=both, permissions=NETWORK)))
    calls = [
        ("greeter", "plain", Cause("one")),
        ("greeter", "again", Cause("one")),
        ("greeter", "online", Cause("one")),
        ("greeter", "plain", Cause("two")),
        ("other", "plain", Cause("one")),
    ]
    for gem, name, cause in calls:
        await notochord.service.call(gem, name, {}, talk, cause)
    contexts = [(call.context.instance.id, call.context.grants, call.context.scope) for call in notochord.sandbox.calls]
    assert contexts[0] == contexts[1]
    assert len(set(contexts)) == 4


@pytest.mark.req("TOOL-019", "TOOL-020")
async def test_a_step_of_a_run_keeps_its_idempotency_key_and_no_other_call_gets_one_again(
    greeter: Platform, talk: Path
) -> None:
    """In a conversation the step is the call's id; providers use `call_0` in every reply, and a gem would skip it."""
    run = Cause(run="run", step="step")
    for cause in (run, run, Cause(run="other", step="step"), Cause(run="run", step="next")):
        await greeter.service.call("greeter", "greet", {}, talk, cause)
    for cause in (CAUSE, CAUSE, Cause("talk")):
        await greeter.service.call("greeter", "greet", {}, talk, cause)
    keys = [call.idempotency_key for call in greeter.sandbox.calls]
    assert keys[0] == keys[1]
    assert len(set(keys)) == len(keys) - 1
    assert all(keys)


@pytest.mark.req("MAN-030")
async def test_a_value_that_is_not_what_the_tool_declared_is_passed_on(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    await notochord.service.install(packages.make(manifest(tools=[tool(outputSchema={"type": "string"})])))

    async def script(host: Host) -> Any:
        return 7

    assert await run(notochord, talk, script) == 7
