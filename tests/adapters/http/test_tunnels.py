"""Through a real proxy: always a tunnel to the checked address, or nothing."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from notochord.adapters.http.sender import HttpSender
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from support.certificates import Authority
from support.egress import PUBLIC, Bench, HandResolver, bench, get, rules
from support.http_servers import HttpServer, Reply, always
from support.proxy_servers import ConnectProxy

NAMES = {"example.com": [[PUBLIC], ["10.0.0.1"]]}


async def through(proxy: str, authority: Authority | None = None, **environment: str) -> Bench:
    tls = None if authority is None else authority.client()
    sender = HttpSender(resolver=HandResolver({"proxy.corp": ["127.0.0.1"]}), tls=tls)
    return await bench(sender, names=NAMES, environment={"ALL_PROXY": proxy, **environment})


async def code(parts: Bench, url: str) -> Code:
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get(url))
    return caught.value.code


async def test_https_through_a_proxy_asks_for_the_checked_address_and_checks_the_name(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with (
        HttpServer(always(Reply(body=b"safe")), tls=authority.server("example.com")) as server,
        ConnectProxy({f"{PUBLIC}:443": server.port}) as proxy,
    ):
        parts = await through(proxy.url, authority)
        answer = await parts.egress.fetch(get("https://example.com/x"))
        assert answer.body == b"safe"
        assert [request.target for request in proxy.asked] == [f"{PUBLIC}:443"]
        assert server.received[0].header("Host") == "example.com"
        await parts.egress.close()


async def test_a_server_with_another_name_behind_a_proxy_is_refused(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with (
        HttpServer(always(Reply()), tls=authority.server("evil.org", PUBLIC)) as server,
        ConnectProxy({f"{PUBLIC}:443": server.port}) as proxy,
    ):
        parts = await through(proxy.url, authority)
        assert await code(parts, "https://example.com/") is Code.NETWORK_TLS
        assert server.received == []
        await parts.egress.close()


async def test_plain_http_goes_through_a_tunnel_to_the_checked_address_as_well() -> None:
    async with HttpServer(always(Reply(body=b"plain"))) as server, ConnectProxy({f"{PUBLIC}:80": server.port}) as proxy:
        parts = await through(proxy.url)
        assert (await parts.egress.fetch(get("http://example.com/x?y"))).body == b"plain"
        assert (proxy.asked[0].method, proxy.asked[0].target) == ("CONNECT", f"{PUBLIC}:80")
        assert (server.received[0].target, server.received[0].header("Host")) == ("/x?y", "example.com")
        await parts.egress.close()


@pytest.mark.parametrize("url", ["http://example.com/", "https://example.com/"])
async def test_a_proxy_that_refuses_the_tunnel_gets_no_request(url: str) -> None:
    async with ConnectProxy({}) as proxy:
        parts = await through(proxy.url)
        assert await code(parts, url) is Code.NETWORK_PROXY
        assert [request.method for request in proxy.asked] == ["CONNECT"]
        await parts.egress.close()


async def test_a_proxy_may_be_a_name_want_a_password_and_speak_https(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with HttpServer(always(Reply(body=b"x"))) as server:
        routes: Mapping[str, int] = {f"{PUBLIC}:80": server.port}
        async with ConnectProxy(routes, tls=authority.server("proxy.corp")) as proxy:
            parts = await through(f"https://me:secret@proxy.corp:{proxy.port}", authority)
            assert (await parts.egress.fetch(get("http://example.com/"))).body == b"x"
            assert proxy.asked[0].header("Proxy-Authorization") == "Basic bWU6c2VjcmV0"
            assert server.received[0].header("Proxy-Authorization") is None
            await parts.egress.close()


async def test_a_proxy_that_is_not_there_is_named() -> None:
    async with ConnectProxy({}) as proxy:
        pass
    parts = await through(proxy.url)
    assert await code(parts, "http://example.com/") is Code.NETWORK_PROXY
    await parts.egress.close()


async def test_the_proxy_is_not_asked_for_this_computer() -> None:
    async with HttpServer(always(Reply(body=b"here"))) as server, ConnectProxy({}) as proxy:
        parts = await through(proxy.url)
        await parts.egress.change_rules(rules(local=[f"localhost:{server.port}"]))
        for host in ("localhost", "127.0.0.1"):
            assert (await parts.egress.fetch(get(f"http://{host}:{server.port}/"))).body == b"here"
        assert proxy.asked == []
        await parts.egress.close()
