"""Each hop is judged anew, and carries what browsers would carry."""

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import HostGrant, Leave, Request
from support.egress import AGENT, PUBLIC, Answer, Bench, RecordingSender, bench, get, rules

NAMES = {
    "a.example": [PUBLIC],
    "b.example": [PUBLIC],
    "inward.example": ["10.0.0.1"],
    "mixed.example": [PUBLIC, "10.0.0.1"],
    "nas.local": ["192.168.1.20"],
}
GEM = Caller(Actor.GEM, "weather")


def to(location: str, status: int = 302) -> Answer:
    return Answer(status, (("Location", location),), (b"moved",))


async def refusal(parts: Bench, request: Request) -> Code:
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(request)
    return caught.value.code


CLOSED, INVALID, BLOCKED = Code.NETWORK_LOCAL_CLOSED, Code.NETWORK_ADDRESS_INVALID, Code.NETWORK_BLOCKED


@pytest.mark.req("PERM-034")
@pytest.mark.parametrize("hop", [1, 3])
@pytest.mark.parametrize(
    ("location", "code", "control"),
    [
        ("http://127.0.0.1/", CLOSED, "http://127.0.0.1/"),
        ("//127.0.0.1/", CLOSED, "http://127.0.0.1/"),
        ("http://2130706433/", CLOSED, "http://127.0.0.1/"),
        ("http://[::1]/", CLOSED, "http://127.0.0.1/"),
        ("http://localhost./", CLOSED, "http://127.0.0.1/"),
        ("http://169.254.169.254/latest/meta-data/", CLOSED, "http://169.254.169.254/"),
        ("http://inward.example/", CLOSED, "http://inward.example/"),
        ("http://mixed.example/", CLOSED, "http://mixed.example/"),
        ("http://nas.local/", CLOSED, "http://nas.local/"),
        ("http://blocked.example/", BLOCKED, "http://b.example/"),
        ("http://user@127.0.0.1/", INVALID, "http://127.0.0.1/"),
        ("http://b.example\\@127.0.0.1/", INVALID, "http://127.0.0.1/"),
        ("/\\127.0.0.1/", INVALID, "http://127.0.0.1/"),
        ("\\\\127.0.0.1/", INVALID, "http://127.0.0.1/"),
        ("http:/\\127.0.0.1/", INVALID, "http://127.0.0.1/"),
        ("\thttp://127.0.0.1/", INVALID, "http://127.0.0.1/"),
        ("file:///etc/passwd", INVALID, "http://b.example/"),
        ("gopher://127.0.0.1/", INVALID, "http://127.0.0.1/"),
        ("javascript:alert(1)", INVALID, "http://b.example/"),
        ("http://[", INVALID, "http://b.example/"),
    ],
)
async def test_a_redirect_leads_only_where_a_request_may_go(hop: int, location: str, code: Code, control: str) -> None:
    way = [to(f"/{number}") for number in range(hop - 1)]
    sender = RecordingSender(*way, to(location))
    parts = await bench(sender, lists=rules(blocked=["blocked.example"]), names=NAMES)
    assert await refusal(parts, get("http://a.example/")) is code
    assert {sent.host for sent in sender.sent} == {"a.example"}
    await parts.egress.close()

    listed = rules(local=["localhost:80", "169.254.169.254", "inward.example", "mixed.example", "nas.local"])
    sender = RecordingSender(*way, to(control))
    parts = await bench(sender, lists=listed, names=NAMES)
    await parts.egress.fetch(get("http://a.example/"))
    assert len(sender.sent) == hop + 1
    await parts.egress.close()


@pytest.mark.req("PERM-034")
async def test_a_gem_is_not_led_to_a_host_it_did_not_ask_for() -> None:
    for hosts, allowed in ((("a.example",), False), (("a.example", "b.example"), True)):
        parts = await bench(RecordingSender(to("https://b.example/")), names=NAMES)
        request = get("https://a.example/", Leave(GEM, grant=HostGrant(hosts)))
        if allowed:
            assert (await parts.egress.fetch(request)).url == "https://b.example/"
        else:
            assert await refusal(parts, request) is Code.PERM_DENIED
        await parts.egress.close()


@pytest.mark.parametrize(
    ("status", "method", "next_method", "keeps_body"),
    [
        *((301, "POST", "GET", False), (302, "POST", "GET", False), (303, "POST", "GET", False)),
        *((303, "PUT", "GET", False), (303, "DELETE", "GET", False), (303, "HEAD", "HEAD", True)),
        *((301, "PUT", "PUT", True), (302, "DELETE", "DELETE", True), (301, "GET", "GET", True)),
        *((307, "POST", "POST", True), (308, "POST", "POST", True), (302, "HEAD", "HEAD", True)),
    ],
)
async def test_method_and_body_change_as_in_browsers(
    status: int, method: str, next_method: str, keeps_body: bool
) -> None:
    sender = RecordingSender(to("/next", status))
    parts = await bench(sender, names=NAMES)
    headers = (("Content-Type", "text/plain"), ("X-Mine", "1"))
    await parts.egress.fetch(Request(method, "http://a.example/", Leave(AGENT), headers, b"body"))
    second = sender.sent[1]
    names = {name for name, _ in second.headers}
    assert (second.method, second.body, second.target) == (next_method, b"body" if keeps_body else b"", "/next")
    assert ("Content-Type" in names, "X-Mine" in names) == (keeps_body, True)
    await parts.egress.close()


@pytest.mark.parametrize(
    ("location", "carried"),
    [
        *(("/next", True), ("https://a.example:443/", True), ("https://A.example./", True)),
        *(("https://b.example/", False), ("https://a.example:8443/", False), ("http://a.example/", False)),
    ],
)
async def test_what_identifies_the_user_stays_with_the_origin(location: str, carried: bool) -> None:
    sender = RecordingSender(to(location), to("https://a.example/"))
    parts = await bench(sender, names=NAMES)
    secret = tuple((name, "secret") for name in ("Authorization", "COOKIE", "x-api-key", "API-Key"))
    await parts.egress.fetch(Request("GET", "https://a.example/", Leave(AGENT), secret))
    assert [str(sent.headers).count("secret") for sent in sender.sent] == ([4, 4, 4] if carried else [4, 0, 0])
    await parts.egress.close()


async def test_a_circle_of_redirects_ends() -> None:
    sender = RecordingSender(*[to("/again")] * 50)
    parts = await bench(sender, names=NAMES)
    assert await refusal(parts, get("http://a.example/")) is Code.NETWORK_REDIRECTS
    assert len(sender.sent) == 21
    await parts.egress.close()


async def test_a_caller_that_follows_itself_gets_the_redirect() -> None:
    sender = RecordingSender(to("http://127.0.0.1/"))
    parts = await bench(sender, names=NAMES)
    answer = await parts.egress.fetch(get("http://a.example/", follow_redirects=False))
    assert (answer.status, answer.headers, answer.body) == (302, (("Location", "http://127.0.0.1/"),), b"moved")
    await parts.egress.close()


@pytest.mark.parametrize(
    ("location", "status"),
    [
        *(("/next", 200), ("https://a.example/", 200), ("https://b.example/", 302), ("http://a.example:81/", 302)),
        *(("http://127.0.0.1/", 302),),
    ],
)
async def test_a_request_that_stays_on_its_host_returns_a_redirect_elsewhere(location: str, status: int) -> None:
    parts = await bench(RecordingSender(to(location)), names=NAMES)
    answer = await parts.egress.fetch(get("http://a.example/", stay_on_host=True))
    assert answer.status == status
    await parts.egress.close()


async def test_a_redirect_without_a_target_is_the_answer() -> None:
    parts = await bench(RecordingSender(Answer(302)), names=NAMES)
    assert (await parts.egress.fetch(get("http://a.example/"))).status == 302
    await parts.egress.close()


async def test_the_answer_tells_where_it_came_from_in_the_end() -> None:
    parts = await bench(RecordingSender(to("https://b.example/x?y#z")), names=NAMES)
    assert (await parts.egress.fetch(get("http://a.example/"))).url == "https://b.example/x?y"
    await parts.egress.close()


@pytest.mark.parametrize(
    ("method", "headers"),
    [
        *(("CONNECT", ()), ("TRACE", ()), ("track", ()), ("GE T", ()), ("GET\r\nX: y", ()), ("", ())),
        *(("GET", (("X\r\nHost", "b"),)), ("GET", (("X", "a\r\nHost: b"),)), ("GET", (("X", "ß→"),))),
        *(("GET", (("X Y", "a"),)), ("GET", (("", "a"),)), ("GET", (("X", "a\0"),)), ("GET", (("X", "a"),) * 201)),
    ],
)
async def test_what_http_cannot_carry_is_refused(method: str, headers: tuple[tuple[str, str], ...]) -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES)
    assert await refusal(parts, Request(method, "http://a.example/", Leave(AGENT), headers)) is Code.INPUT_INVALID
    assert sender.sent == []
    await parts.egress.close()


@pytest.mark.parametrize("name", ["Host", "HOST", "Content-Length", "Transfer-Encoding", "Proxy-Authorization", "TE"])
async def test_headers_that_route_or_frame_are_the_business_of_the_gateway(name: str) -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES)
    request = Request("POST", "http://a.example/", Leave(AGENT), ((name, "b.example"),), b"four")
    await parts.egress.fetch(request)
    headers = {name.lower(): value for name, value in sender.sent[0].headers}
    assert (headers["host"], headers["content-length"]) == ("a.example", "4")
    assert "b.example" not in str(sender.sent[0].headers)
    await parts.egress.close()


async def test_no_caller_can_ask_for_a_packing_that_would_hide_a_secret() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES)
    await parts.egress.fetch(Request("GET", "http://a.example/", Leave(AGENT), (("accept-Encoding", "br, zstd"),)))
    packings = [value for name, value in sender.sent[0].headers if name.lower() == "accept-encoding"]
    assert packings == ["gzip, deflate"]
    await parts.egress.close()


async def test_blanks_around_the_value_of_a_header_are_not_sent() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES)
    await parts.egress.fetch(Request("GET", "http://a.example/", Leave(AGENT), (("X-Mine", " a b\t"),)))
    assert ("X-Mine", "a b") in sender.sent[0].headers
    await parts.egress.close()
