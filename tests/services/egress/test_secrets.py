"""The secret is added at the moment of sending, only where it may go, and is taken out of what comes back."""

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import CredentialDenied, HostGrant, Leave, Request
from notochord.services.egress.redaction import MARK, Redaction
from notochord.services.vault.api import Denial
from support.egress import PUBLIC, Answer, OneSecretVault, RecordingSender, bench, get

GEM = Caller(Actor.GEM, "weather")
NAMES = {"a.example": [PUBLIC], "b.example": [PUBLIC], "files.a.example": [PUBLIC]}
HOSTS = ("a.example", "b.example", "files.a.example")
WITH_SECRET = Leave(GEM, grant=HostGrant(HOSTS), connection="conn")


def to(location: str) -> Answer:
    return Answer(302, (("Location", location),))


@pytest.mark.req("CRED-009", "CRED-011", "CRED-014")
async def test_the_secret_is_added_where_it_is_registered() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES, vault=OneSecretVault("the-secret", hosts=("a.example",)))
    answer = await parts.egress.fetch(get("https://a.example/x", WITH_SECRET))
    assert ("Authorization", "Bearer the-secret") in sender.sent[0].headers
    assert answer.credential_denied is None
    assert "the-secret" not in repr(sender.sent[0])
    await parts.egress.close()


@pytest.mark.req("TOOL-034", "TOOL-035", "TOOL-036", "TOOL-037")
@pytest.mark.parametrize(
    ("url", "connection", "reason"),
    [
        ("https://b.example/v1/x", "conn", "host_not_granted"),
        ("https://a.example:8443/v1/x", "conn", "host_not_granted"),
        ("https://a.example/v2/x", "conn", "path_not_granted"),
        ("https://a.example/v1/../v2/x", "conn", "path_not_granted"),
        ("https://a.example/v1/%2e%2e/v2/x", "conn", "path_not_granted"),
        ("http://a.example/v1/x", "conn", "not_https"),
        ("https://a.example/v1/x", "other", "not_connected"),
    ],
)
async def test_where_it_may_not_go_the_request_is_sent_without_it_and_says_so(
    url: str, connection: str, reason: str
) -> None:
    sender = RecordingSender(Answer(401, (), (b"who are you",)))
    vault = OneSecretVault("the-secret", hosts=("a.example",), paths=("/v1/",))
    parts = await bench(sender, names=NAMES, vault=vault)
    grant = HostGrant((*HOSTS, "a.example:8443"))
    answer = await parts.egress.fetch(get(url, Leave(GEM, grant=grant, connection=connection)))
    assert (answer.status, answer.body) == (401, b"who are you")
    assert answer.credential_denied is not None
    assert answer.credential_denied.reason == reason
    assert "the-secret" not in str(sender.sent[0].headers) + sender.sent[0].target
    await parts.egress.fetch(get("https://a.example/v1/x", WITH_SECRET))
    assert "the-secret" in str(sender.sent[1].headers)
    await parts.egress.close()


@pytest.mark.req("CRED-015", "TOOL-033")
async def test_a_redirect_elsewhere_carries_no_secret_and_the_answer_says_so() -> None:
    sender = RecordingSender(to("https://b.example/"))
    parts = await bench(sender, names=NAMES, vault=OneSecretVault("the-secret", hosts=("a.example",)))
    answer = await parts.egress.fetch(get("https://a.example/", WITH_SECRET))
    assert ["the-secret" in str(sent.headers) for sent in sender.sent] == [True, False]
    assert answer.credential_denied == CredentialDenied(Denial.HOST, "b.example")
    assert parts.vault.asked == ["https://a.example/", "https://b.example/"]
    await parts.egress.close()

    sender = RecordingSender(to("https://files.a.example/"))
    vault = OneSecretVault("the-secret", hosts=("a.example", "files.a.example"))
    parts = await bench(sender, names=NAMES, vault=vault)
    await parts.egress.fetch(get("https://a.example/", WITH_SECRET))
    assert ["the-secret" in str(sent.headers) for sent in sender.sent] == [True, True]
    await parts.egress.close()


@pytest.mark.req("CRED-015", "TOOL-036")
async def test_a_step_down_from_https_to_http_carries_no_secret() -> None:
    sender = RecordingSender(to("http://a.example/"))
    parts = await bench(sender, names=NAMES, vault=OneSecretVault("the-secret", hosts=("a.example",)))
    answer = await parts.egress.fetch(get("https://a.example/", WITH_SECRET))
    assert ["the-secret" in str(sent.headers) for sent in sender.sent] == [True, False]
    assert answer.credential_denied == CredentialDenied(Denial.SCHEME, "a.example")
    await parts.egress.close()


async def test_the_secret_takes_the_place_of_a_header_of_the_caller() -> None:
    sender = RecordingSender()
    parts = await bench(sender, names=NAMES, vault=OneSecretVault("the-secret", hosts=("a.example",)))
    request = Request("GET", "https://a.example/", WITH_SECRET, (("authorization", "mine"), ("X-Other", "1")))
    await parts.egress.fetch(request)
    assert [value for name, value in sender.sent[0].headers if name.lower() == "authorization"] == ["Bearer the-secret"]
    await parts.egress.close()


async def test_a_secret_in_the_query_is_sent_once_and_never_shown() -> None:
    answer = to("https://a.example/moved?x=1&key=s%2Be%20cret")
    sender = RecordingSender(answer)
    vault = OneSecretVault("s+e cret", hosts=("a.example",), query="key")
    parts = await bench(sender, names=NAMES, vault=vault)
    got = await parts.egress.fetch(get("https://a.example/?key=mine&x=1", WITH_SECRET))
    assert [sent.target for sent in sender.sent] == ["/?x=1&key=s%2Be%20cret", "/moved?x=1&key=s%2Be%20cret"]
    assert got.url == "https://a.example/moved?x=1&key=%5Bredacted%5D" or "cret" not in got.url
    assert "cret" not in str(vault.asked)
    await parts.egress.close()


async def test_a_location_hands_no_secret_on_to_another_host() -> None:
    sender = RecordingSender(to("https://b.example/?stolen=the-secret"))
    parts = await bench(sender, names=NAMES, vault=OneSecretVault("the-secret", hosts=("a.example",)))
    answer = await parts.egress.fetch(get("https://a.example/", WITH_SECRET))
    assert "the-secret" not in sender.sent[1].target
    assert "the-secret" not in answer.url
    await parts.egress.close()


@pytest.mark.parametrize("secret", ["the\r\nsecret", "the\0secret", "thesecret ", "thesecret\n"])
async def test_a_secret_that_no_header_can_carry_is_not_quoted_by_the_error(secret: str) -> None:
    parts = await bench(RecordingSender(), names=NAMES, vault=OneSecretVault(secret, hosts=("a.example",)))
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(get("https://a.example/", WITH_SECRET))
    assert caught.value.code is Code.INPUT_INVALID
    assert secret not in str(caught.value) + str(caught.value.parameters)
    await parts.egress.close()


@pytest.mark.req("CRED-013", "CRED-012")
@pytest.mark.parametrize("form", ["plain", "percent", "base64", "hex", "utf-16-le", "utf-16-be"])
async def test_an_echoed_secret_is_taken_out_of_headers_and_body(form: str) -> None:
    secret = "the+secret/Ünïcode"
    plain = secret.encode()
    forms = {
        "plain": plain,
        "percent": quote(secret, safe="").encode(),
        "base64": base64.b64encode(plain),
        "hex": plain.hex().encode(),
        "utf-16-le": secret.encode("utf-16-le"),
        "utf-16-be": secret.encode("utf-16-be"),
    }
    echo = forms[form]
    pieces = tuple(bytes([byte]) for byte in b"you sent " + echo + b", thanks")
    headers = () if form.startswith("utf-16") else (("X-Echo", f"<{echo.decode()}>"),)
    sender = RecordingSender(Answer(200, headers, pieces))
    vault = OneSecretVault(secret, hosts=("a.example",))
    parts = await bench(sender, names=NAMES, vault=vault)
    answer = await parts.egress.fetch(get("https://a.example/", WITH_SECRET))
    assert answer.body == b"you sent [redacted], thanks"
    assert form.startswith("utf-16") or answer.headers == (("X-Echo", "<[redacted]>"),)
    await parts.egress.close()


async def test_a_later_host_that_learned_the_secret_cannot_tell_it_either() -> None:
    sender = RecordingSender(to("https://b.example/"), Answer(200, (), (b"it is the-secret",)))
    parts = await bench(sender, names=NAMES, vault=OneSecretVault("the-secret", hosts=("a.example",)))
    answer = await parts.egress.fetch(get("https://a.example/", WITH_SECRET))
    assert answer.body == b"it is [redacted]"
    await parts.egress.close()


ALPHABET = st.text(alphabet="ab", min_size=1, max_size=5)


@given(
    spellings=st.lists(ALPHABET, min_size=1, max_size=3),
    pieces=st.lists(st.binary(max_size=6) | ALPHABET.map(str.encode), max_size=12),
)
def test_redaction_does_not_depend_on_where_chunks_begin(spellings: list[str], pieces: list[bytes]) -> None:
    whole = b"".join(pieces)
    at_once, in_pieces = Redaction(spellings), Redaction(spellings)
    expected = at_once.feed(whole) + at_once.end()
    assert b"".join(in_pieces.feed(piece) for piece in pieces) + in_pieces.end() == expected
    left = expected.replace(MARK, b"\xff")
    assert not any(text.encode() in left for text in spellings)


@given(st.binary(max_size=200))
def test_without_a_secret_nothing_changes_or_waits(data: bytes) -> None:
    redaction = Redaction(())
    assert redaction.feed(data) == data
    assert redaction.end() == b""


def test_what_cannot_begin_a_secret_is_shown_at_once() -> None:
    redaction = Redaction(["the-secret"])
    assert redaction.feed(b"data: one\n\n") == b"data: one\n\n"
    assert redaction.feed(b"data: the-") == b"data: "
    assert redaction.feed(b"end\n\n") == b"the-end\n\n"
