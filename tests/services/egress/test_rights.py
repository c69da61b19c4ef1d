"""Whose rules decide: the user's two lists, what a gem asked for, and addresses typed into a setting."""

from dataclasses import dataclass

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import HostGrant, Leave, NetworkRules, Request
from support.egress import AGENT, PUBLIC, Answer, Bench, RecordingSender, bench, get, rules

GEM = Caller(Actor.GEM, "weather")
NAMES = {
    "example.com": [PUBLIC],
    "www.example.com": [PUBLIC],
    "a.b.example.com": [PUBLIC],
    "notexample.com": [PUBLIC],
    "other.org": [PUBLIC],
    "xn--bcher-kva.example": [PUBLIC],
    "api.example.com": [PUBLIC],
    "wiki.corp.example.com": ["10.0.0.5"],
    "corp.example.com": ["10.0.0.4"],
    "nas.local": ["192.168.1.20"],
    "ollama.local": ["192.168.1.30"],
}


async def outcome(parts: Bench, request: Request) -> Code | None:
    """Return the code of the refusal, None if the request was sent."""
    try:
        await parts.egress.fetch(request)
    except NotochordError as error:
        return error.code
    return None


@pytest.mark.req("SET-009", "SET-011", "SET-013", "SET-014")
@pytest.mark.parametrize(
    ("lists", "url", "code"),
    [
        (rules(), "https://example.com/", None),
        (rules(blocked=["example.com"]), "https://example.com/", Code.NETWORK_BLOCKED),
        (rules(blocked=["example.com"]), "https://EXAMPLE.com.:8443/", Code.NETWORK_BLOCKED),
        (rules(blocked=["example.com"]), "https://www.example.com/", None),
        (rules(blocked=["Example.COM."]), "https://example.com/", Code.NETWORK_BLOCKED),
        (rules(blocked=["bücher.example"]), "https://xn--bcher-kva.example/", Code.NETWORK_BLOCKED),
        (rules(blocked=["xn--bcher-kva.example"]), "https://BÜCHER.example/", Code.NETWORK_BLOCKED),
        (rules(blocked=[PUBLIC]), f"http://{PUBLIC}/", Code.NETWORK_BLOCKED),
        (rules(blocked=[PUBLIC]), "http://1572395042/", Code.NETWORK_BLOCKED),
        (rules(blocked=["example.com"], allowed=["example.com"]), "https://example.com/", Code.NETWORK_BLOCKED),
        (rules(mode="allow", allowed=["example.com"]), "https://example.com:8443/", None),
        (rules(mode="allow", allowed=["example.com"]), "https://other.org/", Code.NETWORK_BLOCKED),
        (rules(mode="allow", allowed=["example.com"]), "https://notexample.com/", Code.NETWORK_BLOCKED),
        (rules(mode="allow"), "https://example.com/", Code.NETWORK_BLOCKED),
        (rules(mode="allow", allowed=["other.org"], blocked=["other.org"]), "https://other.org/", None),
    ],
)
async def test_the_outside_list_of_the_mode_decides_about_the_outside(
    lists: NetworkRules, url: str, code: Code | None
) -> None:
    parts = await bench(RecordingSender(), lists=lists, names=NAMES)
    assert await outcome(parts, get(url)) is code
    await parts.egress.close()


@pytest.mark.req("SET-015")
@pytest.mark.parametrize("mode", ["block", "allow"])
@pytest.mark.parametrize(
    ("host", "covered"),
    [("example.com", True), ("www.example.com", True), ("a.b.example.com", True), ("notexample.com", False)],
)
async def test_a_star_covers_the_domain_and_everything_under_it(mode: str, host: str, covered: bool) -> None:
    lists = rules(mode=mode, blocked=["*.example.com"], allowed=["*.example.com"])
    parts = await bench(RecordingSender(), lists=lists, names=NAMES)
    passes = covered == (mode == "allow")
    assert await outcome(parts, get(f"https://{host}/")) is (None if passes else Code.NETWORK_BLOCKED)
    await parts.egress.close()


@pytest.mark.req("SET-018", "SET-023")
@pytest.mark.parametrize(
    ("entry", "url", "passes"),
    [
        ("192.168.1.20", "http://192.168.1.20/", True),
        ("192.168.1.20", "http://192.168.1.20:8080/", True),
        ("192.168.1.20", "http://192.168.1.21/", False),
        ("nas.local:5000", "http://nas.local:5000/", True),
        ("nas.local:5000", "http://nas.local/", False),
        ("nas.local:5000", "http://nas.local:5001/", False),
        ("nas.local", "https://NAS.local.:5001/", True),
        ("[fd00::1]:8080", "http://[fd00::1]:8080/", True),
        ("[fd00::1]:8080", "http://[fd00::1]/", False),
        ("*.corp.example.com", "https://wiki.corp.example.com/", True),
        ("*.corp.example.com", "https://corp.example.com/", True),
        ("*.corp.example.com:8443", "https://wiki.corp.example.com/", False),
        ("*.corp.example.com:8443", "https://wiki.corp.example.com:8443/", True),
        ("wiki.corp.example.com", "https://corp.example.com/", False),
    ],
)
async def test_only_what_is_listed_in_the_internal_network_can_be_reached(entry: str, url: str, passes: bool) -> None:
    parts = await bench(RecordingSender(), lists=rules(local=[entry]), names=NAMES)
    assert await outcome(parts, get(url)) is (None if passes else Code.NETWORK_LOCAL_CLOSED)
    await parts.egress.close()


@pytest.mark.req("SET-021", "SET-020")
@pytest.mark.parametrize(
    ("host", "passes"),
    [
        *(("localhost:5173", True), ("127.0.0.1:5173", True), ("[::1]:5173", True), ("localhost:5174", False)),
        *(("localhost", False), ("127.0.0.2:5173", False), ("app.localhost:5173", False), ("0.0.0.0:5173", False)),
    ],
)
async def test_localhost_with_a_port_opens_that_port_under_its_three_names(host: str, passes: bool) -> None:
    parts = await bench(RecordingSender(), lists=rules(local=["localhost:5173"]))
    assert await outcome(parts, get(f"http://{host}/")) is (None if passes else Code.NETWORK_LOCAL_CLOSED)
    await parts.egress.close()


@dataclass(frozen=True)
class GemCase:
    url: str
    hosts: tuple[str, ...] = ("api.example.com",)
    local: bool = False
    listed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    code: Code | None = None


DENIED = Code.PERM_DENIED


@pytest.mark.req("PERM-022", "PERM-035", "PERM-052", "PERM-055")
@pytest.mark.parametrize(
    "case",
    [
        GemCase("https://api.example.com/"),
        GemCase("http://api.example.com/"),
        GemCase("https://API.example.com.:443/"),
        GemCase("https://api.example.com:8443/", code=DENIED),
        GemCase("https://api.example.com:80/", code=DENIED),
        GemCase("https://www.example.com/", code=DENIED),
        GemCase("https://example.com/", code=DENIED),
        GemCase("https://api.example.com/", blocked=("*.example.com",), code=Code.NETWORK_BLOCKED),
        GemCase("https://api.example.com:8443/", hosts=("api.example.com:8443",)),
        GemCase("https://api.example.com/", hosts=("api.example.com:8443",), code=DENIED),
        GemCase("https://api.example.com/", hosts=("API.Example.com.:443",)),
        GemCase("http://api.example.com/", hosts=("api.example.com:443",), code=DENIED),
        GemCase("https://api.example.com/", hosts=(), code=DENIED),
        GemCase("https://api.example.com/", hosts=(), local=True, code=DENIED),
        GemCase(f"http://{PUBLIC}/", hosts=(PUBLIC,)),
        GemCase(f"http://{PUBLIC}/", code=DENIED),
        # local addresses need the user's listing and the gem's own request, and nothing else
        GemCase("http://localhost:5173/", code=DENIED),
        GemCase("http://localhost:5173/", listed=("localhost:5173",), code=DENIED),
        GemCase("http://localhost:5173/", local=True, code=DENIED),
        GemCase("http://localhost:5173/", local=True, listed=("localhost:5173",)),
        GemCase("http://localhost:5173/", hosts=(), local=True, listed=("localhost:5173",)),
        GemCase("http://localhost:5173/", hosts=("localhost:5173",), local=True, code=DENIED),
        GemCase("http://localhost:5173/", hosts=("localhost:5173",), listed=("localhost:5173",), code=DENIED),
        GemCase("http://192.168.1.20/", hosts=("192.168.1.20",), local=True, code=DENIED),
        GemCase("http://192.168.1.20/", hosts=("192.168.1.20",), listed=("192.168.1.20",), code=DENIED),
        GemCase("http://192.168.1.20/", local=True, listed=("192.168.1.20",)),
        GemCase("http://nas.local/", local=True, listed=("192.168.1.20",), code=DENIED),
        GemCase("https://wiki.corp.example.com/", hosts=("wiki.corp.example.com",), code=DENIED),
        GemCase("https://wiki.corp.example.com/", hosts=("wiki.corp.example.com",), local=True, code=DENIED),
        GemCase(
            "https://wiki.corp.example.com/",
            hosts=("wiki.corp.example.com",),
            listed=("wiki.corp.example.com",),
            code=DENIED,
        ),
        GemCase("https://wiki.corp.example.com/", local=True, listed=("wiki.corp.example.com",)),
        # the user's local entry opens no outside host to a gem that did not ask for it
        GemCase("https://www.example.com/", local=True, listed=("*.example.com",), code=DENIED),
    ],
)
async def test_a_gem_passes_only_if_its_grant_and_the_rules_of_the_user_allow_it(case: GemCase) -> None:
    parts = await bench(RecordingSender(), lists=rules(blocked=case.blocked, local=case.listed), names=NAMES)
    leave = Leave(GEM, grant=HostGrant(case.hosts, case.local))
    assert await outcome(parts, get(case.url, leave)) is case.code
    await parts.egress.close()


@pytest.mark.req("PERM-053", "PERM-049", "PERM-054", "SET-031")
async def test_a_gem_cannot_choose_local_addresses_itself_nor_reaches_listed_ones_unasked() -> None:
    parts = await bench(RecordingSender(), names=NAMES)
    leave = Leave(GEM, grant=HostGrant(("nas.local", "192.168.1.20"), local=True), typed_origin="http://nas.local")
    assert await outcome(parts, get("http://nas.local/", leave)) is DENIED
    assert await outcome(parts, get("http://192.168.1.20/", leave)) is DENIED
    await parts.egress.change_rules(rules(local=["nas.local"]))
    assert (
        await outcome(parts, get("http://nas.local/", Leave(GEM, grant=HostGrant(("nas.local",), local=False))))
        is DENIED
    )
    assert await outcome(parts, get("http://nas.local/", Leave(GEM, grant=HostGrant((), local=True)))) is None
    await parts.egress.close()


OLLAMA = "http://ollama.local:11434"


@pytest.mark.req("SET-029", "SET-032", "SET-033")
@pytest.mark.parametrize(
    ("url", "passes"),
    [
        (OLLAMA + "/v1/models", True),
        ("http://OLLAMA.local.:11434/", True),
        ("http://ollama.local:11435/", False),
        ("http://ollama.local/", False),
        ("https://ollama.local:11434/", False),
        ("http://192.168.1.30:11434/", False),
        ("http://nas.local:11434/", False),
    ],
)
async def test_an_address_typed_for_a_feature_opens_that_very_address_to_that_feature(url: str, passes: bool) -> None:
    parts = await bench(RecordingSender(), names=NAMES)
    models = Leave(Caller(Actor.SYSTEM, "models"), typed_origin=OLLAMA, own=True)
    assert await outcome(parts, get(url, models)) is (None if passes else Code.NETWORK_LOCAL_CLOSED)
    assert await outcome(parts, get(url)) is Code.NETWORK_LOCAL_CLOSED
    await parts.egress.close()


@pytest.mark.req("SET-030")
async def test_a_typed_page_may_redirect_to_itself_but_not_to_another_internal_address() -> None:
    typed = Leave(AGENT, typed_origin="https://wiki.corp.example.com")
    sender = RecordingSender(Answer(301, (("Location", "/page"),)), Answer(301, (("Location", "http://nas.local/"),)))
    parts = await bench(sender, names=NAMES)
    assert await outcome(parts, get("https://wiki.corp.example.com/", typed)) is Code.NETWORK_LOCAL_CLOSED
    assert [sent.host for sent in sender.sent] == ["wiki.corp.example.com"] * 2

    await parts.egress.change_rules(rules(local=["nas.local"]))
    sender = RecordingSender(Answer(301, (("Location", "http://nas.local/"),)))
    parts = await bench(sender, names=NAMES, lists=rules(local=["nas.local"]))
    assert await outcome(parts, get("https://wiki.corp.example.com/", typed)) is None
    await parts.egress.close()


@pytest.mark.req("SET-030")
async def test_a_detour_over_a_foreign_site_loses_the_exception_for_the_typed_address() -> None:
    typed = Leave(AGENT, typed_origin="https://wiki.corp.example.com")
    there = Answer(302, (("Location", "https://example.com/"),))
    back = Answer(302, (("Location", "https://wiki.corp.example.com/admin?delete"),))
    parts = await bench(RecordingSender(there, back), names=NAMES)
    assert await outcome(parts, get("https://wiki.corp.example.com/", typed)) is Code.NETWORK_LOCAL_CLOSED
    parts = await bench(RecordingSender(there, back), names=NAMES, lists=rules(local=["*.corp.example.com"]))
    assert await outcome(parts, get("https://wiki.corp.example.com/", typed)) is None
    await parts.egress.close()


async def test_the_outside_list_rules_typed_pages_but_not_the_own_requests_of_the_program() -> None:
    parts = await bench(RecordingSender(), lists=rules(mode="allow"), names=NAMES)
    page = Leave(Caller(Actor.USER), typed_origin="https://example.com")
    own = Leave(Caller(Actor.SYSTEM), own=True)
    assert await outcome(parts, get("https://example.com/", page)) is Code.NETWORK_BLOCKED
    assert await outcome(parts, get("https://example.com/", own)) is None
    assert await outcome(parts, get("http://nas.local/", own)) is Code.NETWORK_LOCAL_CLOSED
    await parts.egress.close()


@pytest.mark.req("SET-006", "SET-007")
@pytest.mark.parametrize("actor", [actor for actor in Actor])
async def test_the_rules_hold_for_every_caller(actor: Actor) -> None:
    parts = await bench(RecordingSender(), lists=rules(blocked=["example.com"]), names=NAMES)
    assert await outcome(parts, get("https://example.com/", Leave(Caller(actor)))) is Code.NETWORK_BLOCKED
    assert await outcome(parts, get("http://nas.local/", Leave(Caller(actor)))) is Code.NETWORK_LOCAL_CLOSED
    assert await outcome(parts, get("https://other.org/", Leave(Caller(actor)))) is None
    await parts.egress.close()


@pytest.mark.req("SET-010")
async def test_websites_and_online_services_are_the_outside_and_the_network_here_is_not() -> None:
    parts = await bench(RecordingSender(), names=NAMES)
    await parts.egress.change_rules(rules(mode="allow"))
    found = [await outcome(parts, get(url)) for url in ("https://example.com/", "https://api.example.com/v1")]
    assert found == [Code.NETWORK_BLOCKED] * 2
    assert await outcome(parts, get("http://nas.local/")) is Code.NETWORK_LOCAL_CLOSED
    await parts.egress.change_rules(rules(mode="block"))
    assert await outcome(parts, get("https://example.com/")) is None
    assert await outcome(parts, get("http://nas.local/")) is Code.NETWORK_LOCAL_CLOSED
    await parts.egress.close()
