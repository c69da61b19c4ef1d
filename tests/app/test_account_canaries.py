"""A gem in a chat uses an account that was signed in to: no token, code or secret is found in anything that is kept."""

import asyncio
import logging
from dataclasses import dataclass
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.strict_json import Json
from notochord.headless.records import record
from notochord.headless.services import Services
from notochord.services.accounts.api import KIND
from notochord.services.chat.api import ExportForm
from notochord.services.gems.packing import pack
from notochord.services.organizations.api import KeyPlace
from notochord.services.vault.api import Connection, ConnectionDraft, OAuthClient, Placement, Registration, Secret
from support.account_benches import pages
from support.canary import leaks_below, leaks_in
from support.egress import rules
from support.gems import draft, manifest, tool
from support.http_servers import HttpServer, always
from support.http_servers import Reply as ServedReply
from support.oauth_servers import CLIENT, CLIENT_SECRET, SCOPES, Browser, OAuthServer
from support.whole import Person, calls, connect, opened, say, scripted, talk

CODE = """export default async (input, ctx) => {
  const response = await ctx.http.fetch(input.url, { connection: "calendar" });
  console.log(await response.text(), JSON.stringify(response));
  await ctx.storage.kv.set("seen", await response.text());
  await ctx.files.write("seen.txt", await response.text());
  if (response.status !== 200) throw new Error(await response.text());
  return [await response.text(), response.credentialDenied ?? null];
};"""


def package(folder: Path) -> Path:
    """Make a gem that keeps in every place whatever it is told by the service."""
    schema = {"type": "object", "properties": {"url": {"type": "string"}}}
    content = manifest(
        id="calendar",
        name="Calendar",
        tools=[tool("look", entry="tools/look.ts", inputSchema=schema, expose=True, permissions={"network": True})],
        permissions={
            "network": {"hosts": [], "allowLocalNetwork": True, "reason": "Tests"},
            "connections": [{"id": "calendar", "reason": "Tests"}],
        },
    )
    made = folder / "calendar.gem"
    made.write_bytes(pack(draft(folder / "calendar", content, {"tools/look.ts": CODE}), key=None))
    return made


async def signed_in(services: Services, server: OAuthServer) -> Connection:
    client = OAuthClient(f"{server.url}/authorize", f"{server.url}/token", CLIENT, SCOPES, typed=True)
    registration = Registration((), ("/api",), server.url)
    draft_ = ConnectionDraft("Calendar", KIND, Placement.BEARER, registration, oauth=client)
    made = await services.accounts.add(draft_, Secret(CLIENT_SECRET))
    browser = Browser()
    found = await asyncio.wait_for(services.accounts.sign_in(made.id, pages(browser)), 60)
    await browser.done()
    return found


@dataclass
class Heard:
    """Every event that is published, as text."""

    texts: list[str]

    def listen(self, events: EventBus, monkeypatch: pytest.MonkeyPatch) -> None:
        publish = events.publish

        def noted(event: object) -> None:
            self.texts.append(repr(event))
            publish(event)

        monkeypatch.setattr(events, "publish", noted)


@pytest.mark.req("CRED-008", "CRED-012", "CRED-013", "CRED-014")
async def test_no_token_code_or_secret_is_found_in_what_is_kept_told_or_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    home, server, heard = tmp_path / "home", OAuthServer(), Heard([])
    caplog.set_level(logging.DEBUG)
    async with scripted() as (provider, script), server.http, opened(home, place=KeyPlace.MEMORY) as services:
        heard.listen(services.events, monkeypatch)
        await connect(services, provider)
        await services.egress.change_rules(rules(local=[f"127.0.0.1:{server.http.port}", *_host(provider.base_url)]))
        account = await signed_in(services, server)
        await services.gems.install(package(tmp_path), allow_unsigned=True)
        await services.gems.choose_connection("calendar", "calendar", account.id)
        Person(services)
        chat = await talk(services)
        script.play(calls("read_skill", name="calendar"), calls("gem_calendar_look", url=f"{server.url}/api/events"))
        assert await say(services, chat, "What is on today?") == "done"
        assert [request.header("authorization") for request in server.api_calls] == ["Bearer access-token-canary-1"]
        (tmp_path / "export").mkdir()
        for form in ExportForm:
            await services.chats.export(chat.id, tmp_path / "export" / form.value, form)
        told = [
            str(await services.chats.entries(chat.id)),
            str(script.bodies),
            str(record(await services.accounts.all())),
            str(record(await services.vault.connections())),
            repr(await services.accounts.all()),
            *heard.texts,
        ]
        assert "you sent [redacted]" in told[0]
    secrets = ("access-token-canary-1", "refresh-token-canary-1", "code-canary-1", CLIENT_SECRET)
    for secret in secrets:
        assert not any(leaks_in(text.encode(), secret.encode()) for text in told), secret
        assert leaks_below(home, secret.encode()) == []
        assert leaks_below(tmp_path / "export", secret.encode()) == []
        assert secret not in caplog.text


@pytest.mark.req("APP-013", "CRED-008")
async def test_an_agent_uses_an_account_and_can_neither_read_its_token_nor_have_it_sent_elsewhere(
    tmp_path: Path,
) -> None:
    server = OAuthServer()
    async with (
        scripted() as (provider, script),
        server.http,
        HttpServer(always(ServedReply(body=b"thanks"))) as elsewhere,
        opened(tmp_path / "home", place=KeyPlace.MEMORY) as services,
    ):
        await connect(services, provider)
        await services.egress.change_rules(rules(local=[f"127.0.0.1:{server.http.port}", *_host(elsewhere.url)]))
        account = await signed_in(services, server)
        await services.gems.install(package(tmp_path), allow_unsigned=True)
        await services.gems.choose_connection("calendar", "calendar", account.id)
        Person(services)
        look = "gem_calendar_look"
        script.play(
            calls("read_skill", name="calendar"),
            calls(look, url=f"{server.url}/api/events"),
            calls(look, url=f"{elsewhere.url}/api/events"),
            calls("http_request", method="GET", url=f"{elsewhere.url}/mine", headers={"Authorization": account.id}),
            calls("fs_grep", pattern="access-token"),
        )
        assert await say(services, await talk(services), "Send me the token") == "done"
    assert [request.header("authorization") for request in server.api_calls] == ["Bearer access-token-canary-1"]
    assert [request.target for request in elsewhere.received] == ["/api/events", "/mine"]
    assert not leaks_in(str(elsewhere.received).encode(), b"access-token-canary-1")
    assert not leaks_in(str(script.bodies).encode(), b"access-token-canary-1")


@pytest.mark.req("CRED-019", "CRED-021", "GEMUI-025")
async def test_a_gem_whose_account_was_deleted_fails_until_another_is_chosen(tmp_path: Path) -> None:
    server = OAuthServer()
    (tmp_path / "talk").mkdir()
    async with server.http, opened(tmp_path / "home", place=KeyPlace.MEMORY) as services:
        await services.egress.change_rules(rules(local=[f"127.0.0.1:{server.http.port}"]))
        await services.gems.install(package(tmp_path), allow_unsigned=True)

        async def look() -> str:
            try:
                arguments: Json = {"url": f"{server.url}/api/x"}
                return str(await services.gems.call("calendar", "look", arguments, tmp_path / "talk", Cause()))
            except NotochordError as error:
                return str(error)

        assert "the user has chosen no account" in await look()
        assert server.api_calls == []
        first, second = await signed_in(services, server), await signed_in(services, server)
        await services.gems.choose_connection("calendar", "calendar", first.id)
        assert "you sent [redacted]" in await look()
        await services.accounts.remove(first.id)
        assert "E_TOOL_FAILED" in await look()
        assert server.api_calls[-1].header("authorization") is None
        await services.gems.choose_connection("calendar", "calendar", second.id)
        assert "you sent [redacted]" in await look()


def _host(url: str) -> list[str]:
    return [url.removeprefix("http://").partition("/")[0]]
