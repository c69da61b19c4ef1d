"""The tool `http.request`: consent per host, the agent's own rights, and an answer that a model can read."""

from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.tools import DEFINITION, MOST_CHARACTERS, NAME, HttpTools
from notochord.services.tools.api import Confinement, Consent, Session, SideEffect
from support.egress import AGENT, PUBLIC, Answer, Bench, RecordingSender, bench, rules

NAMES = {"example.com": [PUBLIC], "xn--bcher-kva.example": [PUBLIC], "other.org": [PUBLIC]}
SESSION = Session(AGENT, Path("/nowhere"))


async def run(parts: Bench, **arguments: Json) -> dict[str, Json]:
    output = await HttpTools(egress=parts.egress).run(NAME, {"method": "GET", **arguments}, SESSION)
    assert isinstance(output.value, dict)
    return output.value


async def shown(answer: Answer) -> dict[str, Json]:
    parts = await bench(RecordingSender(answer), names=NAMES)
    value = await run(parts, url="https://example.com/")
    await parts.egress.close()
    return value


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    ("url", "subject"),
    [
        *(("https://example.com/a?b", "example.com"), ("http://EXAMPLE.com.:80/", "example.com")),
        *(("https://example.com:8443/", "example.com:8443"), ("https://bücher.example/", "xn--bcher-kva.example")),
        *(("http://2130706433:8080/", "127.0.0.1:8080"), ("http://[::1]:8080/", "[::1]:8080")),
    ],
)
async def test_the_user_is_asked_for_each_host_in_its_normal_form_whatever_the_method(
    method: str, url: str, subject: str
) -> None:
    parts = await bench(RecordingSender(), lists=rules(local=["127.0.0.1:8080", "[::1]:8080"]))
    consent = await HttpTools(egress=parts.egress).consent(NAME, {"method": method, "url": url}, SESSION)
    assert consent == Consent("host", subject)
    await parts.egress.close()


@pytest.mark.req("SET-006")
@pytest.mark.parametrize(
    ("url", "code"),
    [
        *(
            ("http://user@example.com/", Code.NETWORK_ADDRESS_INVALID),
            ("https://no.example.com/", Code.NETWORK_BLOCKED),
        ),
        *(("http://localhost:8081/", Code.NETWORK_LOCAL_CLOSED), ("http://10.0.0.1/", Code.NETWORK_LOCAL_CLOSED)),
    ],
)
async def test_nobody_is_asked_about_an_address_that_would_be_refused_after_a_yes(url: str, code: Code) -> None:
    parts = await bench(RecordingSender(), lists=rules(blocked=["no.example.com"], local=["localhost:8080"]))
    with pytest.raises(NotochordError) as caught:
        await HttpTools(egress=parts.egress).consent(NAME, {"method": "GET", "url": url}, SESSION)
    assert (caught.value.code, parts.resolver.asked) == (code, [])
    await parts.egress.close()


@pytest.mark.req("SET-006", "APP-011")
async def test_the_agent_obeys_the_lists_of_the_user() -> None:
    parts = await bench(RecordingSender(), names=NAMES, lists=rules(blocked=["example.com"]))
    for url, code in (("https://example.com/", Code.NETWORK_BLOCKED), ("http://[::1]/", Code.NETWORK_LOCAL_CLOSED)):
        with pytest.raises(NotochordError) as caught:
            await run(parts, url=url)
        assert caught.value.code is code
    assert (await run(parts, url="https://other.org/"))["status"] == 200
    await parts.egress.close()


async def test_method_headers_and_body_are_sent() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES)
    await run(parts, method="POST", url="https://example.com/", headers={"X-Title": "Grüße"}, body="né\ud800")
    assert (sender.sent[0].method, sender.sent[0].body) == ("POST", "né?".encode())
    assert ("X-Title", "Grüße".encode().decode("latin-1")) in sender.sent[0].headers
    await parts.egress.close()


async def test_a_redirect_to_a_host_without_consent_is_shown_not_followed() -> None:
    sender = RecordingSender(Answer(302, (("Location", "https://other.org/"),), (b"",)))
    parts = await bench(sender, names=NAMES)
    value = await run(parts, url="https://example.com/")
    assert (value["status"], value["headers"]) == (302, {"location": "https://other.org/"})
    assert len(sender.sent) == 1
    await parts.egress.close()


@pytest.mark.parametrize(
    ("kind", "body", "text"),
    [
        ("text/plain; charset=latin-1", b"gr\xfc\xdfe", "grüße"),
        ("text/html; charset=gb18030", "你好".encode("gb18030"), "你好"),
        ("text/plain; charset=punycode", b"abc-", "abc-"),
        ("text/plain; charset=no-such", "ü".encode(), "ü"),
        ("application/ld+json", b"{}", "{}"),
        ("", b"plain", "plain"),
        ("text/plain", b"\xff", "\ufffd"),
        ("image/png", b"\x89PNG", "[4 bytes that are not text]"),
        ("", b"a\0b", "[3 bytes that are not text]"),
        ("application/pdf", b"", ""),
    ],
)
async def test_the_body_is_shown_as_text_or_described(kind: str, body: bytes, text: str) -> None:
    headers = (("Content-Type", kind),) if kind else ()
    assert (await shown(Answer(200, headers, (body,))))["body"] == text


async def test_a_long_body_is_cut_and_says_so() -> None:
    value = await shown(Answer(200, (), (b"x" * (MOST_CHARACTERS + 1),)))
    assert len(str(value["body"])) == MOST_CHARACTERS
    assert str(MOST_CHARACTERS + 1) in str(value["note"])


async def test_cookies_are_not_shown_to_the_model() -> None:
    value = await shown(Answer(200, (("Set-Cookie", "id=1"), ("Content-Type", "text/plain")), (b"",)))
    assert value["headers"] == {"content-type": "text/plain"}


async def test_the_tool_is_listed_with_a_strict_schema_and_is_not_for_plan_mode() -> None:
    parts = await bench(RecordingSender())
    tools = HttpTools(egress=parts.egress)
    assert await tools.definitions(SESSION) == (DEFINITION,)
    assert DEFINITION.side_effect is SideEffect.WRITE
    assert await tools.searchable(SESSION) == ()
    validator = jsonschema.Draft202012Validator(DEFINITION.schema)
    assert validator.is_valid({"method": "GET", "url": "https://example.com"})
    assert not validator.is_valid({"method": "TRACE", "url": "https://example.com"})
    assert not validator.is_valid({"method": "GET", "url": "https://example.com", "proxy": "x"})
    await parts.egress.close()


def confined(*hosts: str) -> Session:
    """Return the session of an agent of a gem that asked for these hosts."""
    return replace(SESSION, gem="weather", confined=Confinement(frozenset({NAME}), Path("/nowhere"), "runs/a", hosts))


@pytest.mark.req("AGENT-017", "PERM-016")
async def test_an_agent_of_a_gem_reaches_the_hosts_of_its_gem_and_nobody_is_asked() -> None:
    sender = RecordingSender(Answer(200))
    parts = await bench(sender, names=NAMES)
    tools, session = HttpTools(egress=parts.egress), confined("example.com")
    arguments: dict[str, Json] = {"method": "GET", "url": "https://example.com/"}
    assert await tools.definitions(session) == (DEFINITION,)
    assert await tools.consent(NAME, arguments, session) == Consent()
    await tools.run(NAME, arguments, session)
    await parts.egress.close()
    assert len(sender.sent) == 1


@pytest.mark.req("PERM-033")
@pytest.mark.parametrize(
    ("session", "url"),
    [
        (confined("example.com"), "https://other.org/"),
        (confined("example.com"), "https://sub.example.com/"),
        (confined(), "https://example.com/"),
        (replace(SESSION, gem="weather"), "https://example.com/"),
    ],
)
async def test_an_agent_of_a_gem_reaches_no_other_host(session: Session, url: str) -> None:
    sender = RecordingSender(Answer(200))
    parts = await bench(sender, names={**NAMES, "sub.example.com": [PUBLIC]})
    with pytest.raises(NotochordError) as caught:
        await HttpTools(egress=parts.egress).run(NAME, {"method": "GET", "url": url}, session)
    await parts.egress.close()
    assert (caught.value.code, sender.sent) == (Code.PERM_DENIED, [])


async def test_an_agent_of_a_gem_that_is_not_confined_does_not_have_the_tool() -> None:
    parts = await bench(RecordingSender())
    assert await HttpTools(egress=parts.egress).definitions(replace(SESSION, gem="weather")) == ()
    await parts.egress.close()
