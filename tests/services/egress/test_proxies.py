"""Which way a request takes: the proxy of the settings or of the environment, and never for local addresses."""

import base64

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import HostGrant, Leave
from notochord.services.egress.ports import Proxy
from notochord.services.egress.proxies import read_proxy
from support.egress import AGENT, PUBLIC, RecordingSender, bench, get, rules

NAMES = {
    "example.com": [PUBLIC],
    "www.example.com": [PUBLIC],
    "notexample.com": [PUBLIC],
    "nas.local": ["192.168.1.20"],
    "llm.corp.example.com": ["10.0.0.7"],
}
P, S, A = "http://p.example:3128", "http://s.example:3128", "http://all.example:3128"
LOCAL = rules(local=["localhost:80", "localhost:11434", "nas.local"])


async def way(url: str, environment: dict[str, str], *, setting: str = "", typed: str = "") -> str | None:
    """Return the host of the proxy that the request goes through, None for straight."""
    sender = RecordingSender()
    lists = rules(local=LOCAL.local, proxy=setting)
    parts = await bench(sender, lists=lists, names=NAMES, environment=environment)
    await parts.egress.fetch(get(url, Leave(AGENT, typed_origin=typed)))
    await parts.egress.close()
    proxy = sender.sent[0].proxy
    return None if proxy is None else proxy.host


@pytest.mark.parametrize(
    ("url", "environment", "host"),
    [
        ("http://example.com/", {}, None),
        ("http://example.com/", {"HTTP_PROXY": P}, "p.example"),
        ("http://example.com/", {"http_proxy": P}, "p.example"),
        ("http://example.com/", {"http_proxy": P, "HTTP_PROXY": S}, "p.example"),
        ("http://example.com/", {"HTTPS_PROXY": S}, None),
        ("https://example.com/", {"HTTP_PROXY": P}, None),
        ("https://example.com/", {"HTTPS_PROXY": S}, "s.example"),
        ("https://example.com/", {"https_proxy": S, "HTTP_PROXY": P}, "s.example"),
        ("https://example.com/", {"ALL_PROXY": A}, "all.example"),
        ("https://example.com/", {"all_proxy": A, "HTTPS_PROXY": S}, "s.example"),
        ("https://example.com/", {"HTTPS_PROXY": "", "ALL_PROXY": " "}, None),
        ("https://example.com/", {"HTTPS_PROXY": "s.example:3128"}, "s.example"),
        ("http://example.com/", {"HTTP_PROXY": P, "REQUEST_METHOD": "GET"}, None),
        ("http://example.com/", {"http_proxy": P, "REQUEST_METHOD": "GET"}, "p.example"),
        ("https://example.com/", {"HTTPS_PROXY": S, "NO_PROXY": "*"}, None),
        ("https://example.com/", {"HTTPS_PROXY": S, "no_proxy": "example.com"}, None),
        ("https://www.example.com/", {"HTTPS_PROXY": S, "NO_PROXY": "x.org, .Example.com ,"}, None),
        ("https://www.example.com/", {"HTTPS_PROXY": S, "NO_PROXY": "*.example.com"}, None),
        ("https://notexample.com/", {"HTTPS_PROXY": S, "NO_PROXY": "example.com"}, "s.example"),
        ("https://example.com/", {"HTTPS_PROXY": S, "NO_PROXY": "example.com:8443"}, "s.example"),
        ("https://example.com:8443/", {"HTTPS_PROXY": S, "NO_PROXY": "example.com:8443"}, None),
        ("https://example.com/", {"HTTPS_PROXY": S, "NO_PROXY": ""}, "s.example"),
        (f"http://{PUBLIC}/", {"HTTP_PROXY": P, "NO_PROXY": PUBLIC}, None),
        (f"http://{PUBLIC}/", {"HTTP_PROXY": P, "NO_PROXY": "93.184.0.0/16"}, None),
        ("http://[2606::1]/", {"HTTP_PROXY": P, "NO_PROXY": "[2606::1]"}, None),
        ("http://[2606::1]/", {"HTTP_PROXY": P, "NO_PROXY": "2606::/16"}, None),
    ],
)
async def test_the_environment_names_a_proxy_for_the_outside(
    url: str, environment: dict[str, str], host: str | None
) -> None:
    assert await way(url, environment) == host


@pytest.mark.parametrize("setting", ["", P])
@pytest.mark.parametrize(
    "url",
    [
        *("http://127.0.0.1/", "http://localhost/", "http://[::1]/", "http://localhost:11434/", "http://nas.local/"),
        *("http://2130706433/",),
    ],
)
async def test_local_addresses_are_reached_directly_although_no_proxy_is_unset(url: str, setting: str) -> None:
    environment = {"HTTP_PROXY": P, "HTTPS_PROXY": S, "ALL_PROXY": A}
    assert await way(url, environment, setting=setting) is None
    assert await way("http://example.com/", environment, setting=setting) == "p.example"


async def test_a_typed_local_address_is_reached_directly_and_a_typed_public_one_through_the_proxy() -> None:
    typed = "http://llm.corp.example.com:8080"
    assert await way(typed + "/v1", {"ALL_PROXY": A}, typed=typed) is None
    assert await way("https://example.com/v1", {"ALL_PROXY": A}, typed="https://example.com") == "all.example"


async def test_the_setting_of_the_user_goes_before_the_environment() -> None:
    environment = {"ALL_PROXY": A, "NO_PROXY": "example.com"}
    assert await way("https://example.com/", environment, setting=S) == "s.example"
    assert await way("https://www.example.com/", environment, setting="direct") is None


@pytest.mark.parametrize(
    ("text", "proxy"),
    [
        ("http://p.example", Proxy("http", "p.example", 80)),
        ("p.example:3128/", Proxy("http", "p.example", 3128)),
        ("HTTPS://P.example", Proxy("https", "p.example", 443)),
        ("http://[::1]:3128", Proxy("http", "::1", 3128)),
        ("http://127.0.0.1:8888", Proxy("http", "127.0.0.1", 8888)),
    ],
)
def test_a_proxy_is_read_as_it_is_usually_written(text: str, proxy: Proxy) -> None:
    assert read_proxy(text) == proxy


def test_the_password_of_a_proxy_is_sent_but_not_shown() -> None:
    proxy = read_proxy("http://me:p%40ss@p.example:3128")
    assert proxy.authorization == "Basic " + base64.b64encode(b"me:p@ss").decode()
    assert "Basic" not in repr(proxy)


@pytest.mark.parametrize(
    "text", ["socks5://127.0.0.1:1080", "ftp://p", "http://", "http://p/path", "http://a b", "p:x"]
)
async def test_a_proxy_that_cannot_be_used_stops_the_request(text: str) -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES, environment={"ALL_PROXY": text})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get("https://example.com/"))
    assert caught.value.code is Code.NETWORK_PROXY
    assert sender.sent == []
    with pytest.raises(NotochordError) as caught:
        await parts.egress.change_rules(rules(proxy=text))
    assert caught.value.code is Code.NETWORK_RULE_INVALID
    await parts.egress.change_rules(rules(proxy="direct"))
    await parts.egress.fetch(get("https://example.com/"))
    await parts.egress.close()


async def test_an_unusable_proxy_error_quotes_no_password() -> None:
    parts = await bench(RecordingSender(), names=NAMES, environment={"ALL_PROXY": "socks5://me:hunter2@p:1"})
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get("https://example.com/"))
    assert "hunter2" not in str(caught.value) + str(caught.value.parameters)
    with pytest.raises(NotochordError) as caught:
        await parts.egress.change_rules(rules(proxy="http://me:hunter2@p/path"))
    assert "hunter2" not in str(caught.value) + str(caught.value.parameters)
    await parts.egress.close()


async def test_the_proxy_is_given_the_checked_address() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names={"example.com": [[PUBLIC], ["10.0.0.1"]]}, environment={"ALL_PROXY": P})
    await parts.egress.fetch(get("http://example.com/"))
    assert (sender.sent[0].addresses, sender.sent[0].host) == ((PUBLIC,), "example.com")
    await parts.egress.close()


@pytest.mark.parametrize("own", [True, False])
async def test_every_caller_takes_the_same_way(own: bool) -> None:
    for actor in Actor:
        grant = HostGrant(("example.com",)) if actor is Actor.GEM else None
        sender = RecordingSender()
        parts = await bench(sender, names=NAMES, lists=rules(proxy=S), environment={"ALL_PROXY": A})
        await parts.egress.fetch(get("https://example.com/", Leave(Caller(actor), grant=grant, own=own)))
        assert sender.sent[0].proxy == Proxy("http", "s.example", 3128)
        await parts.egress.close()
