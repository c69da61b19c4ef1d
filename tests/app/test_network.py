"""The network rules reach agents, gems and providers through the composed program; model calls are counted."""

from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.headless.services import Services
from notochord.services.egress.api import NetworkRules, OutsideMode
from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.services.vault.api import Secret
from support.eventually import until
from support.http_servers import HttpServer, Reply, always
from support.proxy_servers import ConnectProxy
from support.whole import OUTSIDE, Person, calls, connect, opened, probe, say, scripted, talk


async def list_local(services: Services, *entries: str, mode: OutsideMode = OutsideMode.BLOCK, proxy: str = "") -> None:
    await services.egress.change_rules(NetworkRules(mode, (), (), entries, proxy))


async def fetched(services: Services, url: str, folder: Path) -> object:
    """Let the gem ask for an address; return the status, or the code of the refusal."""
    try:
        return await services.gems.call("probe", "fetches", {"text": url}, folder, Cause())
    except NotochordError as error:
        return next((code for code in (Code.PERM_DENIED, Code.NETWORK_PROXY) if code in str(error)), error.code)


@pytest.mark.req("SET-007", "SET-017", "SET-018", "SET-031")
async def test_a_gem_reaches_an_address_of_this_computer_only_once_it_is_listed(tmp_path: Path) -> None:
    async with HttpServer(always(Reply())) as server, opened(tmp_path / "home") as services:
        await services.gems.install(probe(tmp_path, "fetches"), allow_unsigned=True)
        assert await fetched(services, server.url, tmp_path) is Code.PERM_DENIED
        assert server.received == []
        await list_local(services, server.url.removeprefix("http://"))
        assert await fetched(services, server.url, tmp_path) == 200


@pytest.mark.req("SET-006", "APP-010")
async def test_an_agent_reaches_an_address_of_this_computer_only_once_it_is_listed(tmp_path: Path) -> None:
    async with (
        HttpServer(always(Reply(body=b"hello"))) as web,
        scripted() as (server, script),
        opened(tmp_path / "home") as services,
    ):
        await connect(services, server)
        person, chat = Person(services), await talk(services)
        request = calls("http_request", method="GET", url=web.url)
        script.play(request)
        await say(services, chat, "Ask it")
        assert Code.NETWORK_LOCAL_CLOSED in script.results()[-1]
        await list_local(services, web.url.removeprefix("http://"))
        script.play(request)
        await say(services, chat, "Again")
        assert "hello" in script.results()[-1]
        assert {(one.question.kind, one.question.subject) for one in person.asked} == {
            ("host", web.url.removeprefix("http://"))
        }


@pytest.mark.req("SET-032", "SET-033")
async def test_a_connected_provider_answers_whatever_the_lists_say(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        await list_local(services, mode=OutsideMode.ALLOW)
        Person(services)
        chat = await talk(services)
        script.play(calls("http_request", method="GET", url=f"{server.base_url}/models"))
        assert await say(services, chat, "Ask your own server") == "done"
        assert Code.NETWORK_LOCAL_CLOSED in script.results()[-1]


async def test_the_proxy_is_the_way_of_agents_gems_and_providers_alike(tmp_path: Path) -> None:
    async with (
        ConnectProxy({}) as proxy,
        scripted() as (server, script),
        opened(tmp_path / "home") as services,
    ):
        await connect(services, server)
        await services.gems.install(probe(tmp_path, "fetches"), allow_unsigned=True)
        await list_local(services, proxy=proxy.url)
        Person(services)
        chat = await talk(services)
        script.play(calls("http_request", method="GET", url=f"https://{OUTSIDE}:1/"))
        await say(services, chat, "Go out")
        assert Code.NETWORK_PROXY in script.results()[-1]
        assert await fetched(services, f"https://{OUTSIDE}/", tmp_path) is Code.NETWORK_PROXY
        away = ProviderDraft("away", ProviderKind.COMPATIBLE, f"https://{OUTSIDE}:2")
        await services.models.add_provider(away, Secret("sk"))
        with pytest.raises(NotochordError):
            await services.models.listed_models("away")
        assert [asked.target for asked in proxy.asked] == [f"{OUTSIDE}:{port}" for port in (1, 443, 2)]


@pytest.mark.req("MODEL-100")
async def test_model_calls_are_counted_for_each_feature(tmp_path: Path) -> None:
    async with scripted() as (server, script), opened(tmp_path / "home") as services:
        await connect(services, server)
        chat = await talk(services)
        await say(services, chat, "Tell me about the year")

        async def both() -> bool:
            return len(await services.usage.totals()) == 2

        await until(both)
        totals = {total.feature: total for total in await services.usage.totals()}
    assert len(script.background) == 1
    assert {feature: total.calls for feature, total in totals.items()} == {"chat": 1, "title": 1}
    assert all((total.input_tokens, total.output_tokens) == (11, 7) for total in totals.values())
