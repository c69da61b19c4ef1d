"""What is text of OAuth 2: the page for the browser, the redirect's verdict, and answers of token endpoints."""

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.accounts.oauth import Attempt, challenge_of, is_final, tokens_of, verdict
from notochord.services.vault.api import OAuthClient, Tokens

STATE = "S" * 43
JSON = st.none() | st.booleans() | st.floats() | st.integers() | st.text() | st.lists(st.text(), max_size=2)
ANSWERS = st.dictionaries(
    st.sampled_from(["access_token", "token_type", "refresh_token", "expires_in", "error", "scope"]), JSON
)
VALUES = st.lists(st.text() | st.just(STATE), max_size=3).map(tuple)


def good(**changes: object) -> bytes:
    return json.dumps({"access_token": "a", "token_type": "bearer"} | changes).encode()


def test_the_challenge_is_the_one_of_the_standard() -> None:
    verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"  # RFC 7636, appendix B
    assert challenge_of(verifier) == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"


def test_the_page_keeps_what_the_service_needs_and_nobody_can_replace_what_guards_it() -> None:
    client = OAuthClient(
        "https://a.example/auth?tenant=one&state=planted&code_challenge_method=plain",
        "https://a.example/token",
        "me & you",
        ("a", "b"),
        (("access_type", "offline"), ("redirect_uri", "https://evil.example/"), ("code_challenge", "planted")),
    )
    attempt = Attempt.begin(client, "http://127.0.0.1:1/callback", SystemClock(), state=STATE)
    query = parse_qs(urlsplit(attempt.page).query, strict_parsing=True)
    assert {name: values for name, values in query.items() if name != "code_challenge"} == {
        "tenant": ["one"],
        "access_type": ["offline"],
        "response_type": ["code"],
        "client_id": ["me & you"],
        "redirect_uri": ["http://127.0.0.1:1/callback"],
        "state": [STATE],
        "code_challenge_method": ["S256"],
        "scope": ["a b"],
    }
    assert query["code_challenge"] == [challenge_of(attempt.verifier)]
    assert attempt.verifier not in attempt.page


@given(st.dictionaries(st.sampled_from(["state", "code", "error", "iss", "x"]), VALUES))
def test_no_redirect_counts_without_the_one_state(query: dict[str, tuple[str, ...]]) -> None:
    judged = verdict(query, STATE)
    assert judged is None or query["state"] == (STATE,)
    assert not judged or (len(query["code"]) == 1 and "error" not in query)


@given(st.integers(100, 599), st.binary(max_size=200) | ANSWERS.map(lambda answer: json.dumps(answer).encode()))
def test_any_answer_is_tokens_or_a_failure_with_a_name(status: int, body: bytes) -> None:
    try:
        tokens = tokens_of(status, body, 1_000)
    except NotochordError as error:
        assert error.code in (Code.SIGN_IN_FAILED, Code.SIGN_IN_REFUSED)  # noqa: PT017 - one of two outcomes
    else:
        assert status == 200
        assert isinstance(tokens, Tokens)
        assert tokens.expires_at == 0 or tokens.expires_at > 1_000


@pytest.mark.parametrize(
    ("life", "expected"),
    [
        (3600, 3_540_000),
        ("7200", 7_140_000),
        (60, 30_000),
        (1, 500),
        (None, 0),
        (0, 0),
        (-5, 0),
        (True, 0),
        (10**12, 0),
        ("soon", 0),
        ("٣٦٠٠", 0),
    ],
)
def test_a_token_is_used_until_shortly_before_its_end(life: object, expected: int) -> None:
    assert tokens_of(200, good(expires_in=life), 0).expires_at == expected


@pytest.mark.parametrize(
    ("status", "body", "final"),
    [
        (400, b'{"error":"invalid_grant"}', True),
        (401, b"", True),
        (200, b'{"error":"bad_refresh_token"}', True),
        (400, b'{"error":"temporarily_unavailable"}', False),
        (500, b'{"error":"invalid_grant"}', False),
        (502, b"<html>", False),
        (200, b"<html>", False),
        (403, b"blocked by the office", False),
    ],
)
def test_only_a_service_that_says_no_ends_a_sign_in(status: int, body: bytes, final: bool) -> None:
    with pytest.raises(NotochordError) as caught:
        tokens_of(status, body, 0)
    assert is_final(caught.value) is final
