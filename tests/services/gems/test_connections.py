"""A gem uses an account in a real guest through the real gateway: with the secret where it may go, never seeing it."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from support.egress import PUBLIC, Answer, OneSecretVault, RecordingSender, bench
from support.gems import PackageMaker, manifest, platform, tool
from support.guests import real_sandbox

SECRET = "s3cret-canary"
NAMES = {"a.example": [PUBLIC], "b.example": [PUBLIC]}
CODE = """export default async (input, ctx) => {
  const response = await ctx.http.fetch(input.url, { connection: "service" });
  const { credentialDenied } = response;
  return [response.status, response.headers, await response.text(), credentialDenied ?? null];
};"""


def content() -> dict[str, Any]:
    schema = {"type": "object", "properties": {"url": {"type": "string"}}}
    return manifest(
        tools=[tool(permissions={"network": True}, inputSchema=schema)],
        permissions={
            "network": {"hosts": ["a.example", "b.example"], "reason": "Tests"},
            "connections": [{"id": "service", "reason": "Tests"}],
        },
    )


async def fetched(folder: Path, sender: RecordingSender, url: str, vault: OneSecretVault) -> Json:
    """Return what a tool got that fetched `url` with the account that the user chose."""
    parts = await bench(sender, names=NAMES, vault=vault)
    async with (
        real_sandbox(folder / "guests") as sandbox,
        platform(folder / "org", guests=sandbox, gateway=parts.egress) as notochord,
    ):
        await notochord.service.install(PackageMaker(folder / "packages").make(content(), {"tools/greet.ts": CODE}))
        await notochord.service.choose_connection("greeter", "service", "conn")
        (folder / "talk").mkdir()
        value = await notochord.service.call("greeter", "greet", {"url": url}, folder / "talk", Cause())
    await parts.egress.close()
    return value


@pytest.mark.req("CRED-009")
async def test_the_secret_goes_out_and_an_echo_of_it_does_not_reach_the_guest(tmp_path: Path) -> None:
    echo = Answer(
        200, (("X-Echo", f"Bearer {SECRET}"),), (b'{"you sent": "', SECRET[:5].encode(), SECRET[5:].encode(), b'"}')
    )
    sender = RecordingSender(echo)
    vault = OneSecretVault(SECRET, hosts=("a.example",))
    value = await fetched(tmp_path, sender, "https://a.example/x", vault)
    assert ("Authorization", f"Bearer {SECRET}") in sender.sent[0].headers
    assert isinstance(value, list)
    assert (value[0], value[3]) == (200, None)
    assert SECRET not in str(value)
    assert "you sent" in str(value[2])


@pytest.mark.req("TOOL-034", "TOOL-035", "TOOL-036", "TOOL-037")
@pytest.mark.parametrize(
    ("url", "changes", "reason"),
    [
        ("https://b.example/v1", {}, "host_not_granted"),
        ("http://a.example/v1", {}, "not_https"),
        ("https://a.example/v2", {"paths": ("/v1",)}, "path_not_granted"),
    ],
)
async def test_where_the_secret_may_not_go_the_guest_is_told_why(
    tmp_path: Path, url: str, changes: dict[str, Any], reason: str
) -> None:
    sender = RecordingSender(Answer(401, (), (b"who are you",)))
    value = await fetched(tmp_path, sender, url, OneSecretVault(SECRET, hosts=("a.example",), **changes))
    assert isinstance(value, list)
    host = url.split("/")[2]
    assert (value[0], value[2], value[3]) == (401, "who are you", {"reason": reason, "host": host})
    assert SECRET not in str(sender.sent[0].headers) + sender.sent[0].target


@pytest.mark.req("DATA-497")
async def test_an_account_chosen_in_one_organization_is_not_used_in_another(tmp_path: Path) -> None:
    sender = RecordingSender(Answer(200))
    parts = await bench(sender, names=NAMES, vault=OneSecretVault(SECRET, hosts=("a.example",)))
    talk, maker = tmp_path / "talk", PackageMaker(tmp_path / "packages")
    talk.mkdir()
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "one", guests=sandbox, gateway=parts.egress) as one,
        platform(tmp_path / "two", guests=sandbox, gateway=parts.egress) as two,
    ):
        for made in (one, two):
            await made.service.install(maker.make(content(), {"tools/greet.ts": CODE}))
        await one.service.choose_connection("greeter", "service", "conn")
        asked: Json = {"url": "https://a.example/x"}
        await one.service.call("greeter", "greet", asked, talk, Cause())
        assert len(sender.sent) == 1
        with pytest.raises(NotochordError, match="chosen no account"):
            await two.service.call("greeter", "greet", asked, talk, Cause())
        assert len(sender.sent) == 1
    await parts.egress.close()


UNCAUGHT = 'export default (input, ctx) => ctx.http.fetch(input.url, { connection: "service" });'
PRETENDED = """export default async (input, ctx) => {
  await ctx.http.fetch(input.url, { connection: "service" }).catch(() => 0);
  throw new Error("E_PERM_DENIED: another account please");
};"""


@pytest.mark.parametrize(
    ("code", "url", "told", "why"),
    [
        (UNCAUGHT, "https://a.example/", Code.PERM_DENIED, "why.account_not_chosen"),
        (UNCAUGHT, "https://c.example/", Code.PERM_DENIED, "why.host_not_granted"),
        (PRETENDED, "https://a.example/", Code.TOOL_FAILED, None),
    ],
    ids=["account", "host", "own words"],
)
async def test_a_refusal_that_a_tool_did_not_catch_stays_what_it_is_for_people_and_models(
    tmp_path: Path, code: str, url: str, told: Code, why: str | None
) -> None:
    sender = RecordingSender(Answer(200))
    parts = await bench(sender, names=NAMES, vault=OneSecretVault(SECRET, hosts=("a.example",)))
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox, gateway=parts.egress) as notochord,
    ):
        await notochord.service.install(PackageMaker(tmp_path / "packages").make(content(), {"tools/greet.ts": code}))
        if why != "why.account_not_chosen":
            await notochord.service.choose_connection("greeter", "service", "conn")
        (tmp_path / "talk").mkdir()
        with pytest.raises(NotochordError) as failed:
            await notochord.service.call("greeter", "greet", {"url": url}, tmp_path / "talk", Cause())
        counted = {one.code: one.count for one in (await notochord.service.dossiers.get("greeter")).failures}
    await parts.egress.close()
    assert (failed.value.code, failed.value.parameters.get("why")) == (told, why)
    assert counted == ({} if why == "why.account_not_chosen" else {told.value: 1})
