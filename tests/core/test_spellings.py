"""A secret is found in whatever encoding it comes back."""

import base64
import html
import json
from urllib.parse import quote, quote_plus

from hypothesis import given
from hypothesis import strategies as st

from notochord.core.spellings import spellings

SECRETS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=6, max_size=40)


def found(secret: str, content: str) -> bool:
    return any(form in content for form in spellings(secret.encode()))


@given(SECRETS, st.binary(max_size=5), st.binary(max_size=5))
def test_a_secret_inside_longer_base64_is_found(secret: str, before: bytes, after: bytes) -> None:
    inside = before + secret.encode() + after
    assert found(secret, base64.b64encode(inside).decode())
    assert found(secret, base64.urlsafe_b64encode(inside).decode())


@given(SECRETS)
def test_a_secret_in_the_escapes_of_the_web_is_found(secret: str) -> None:
    for written in (
        secret,
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        json.dumps(secret),
        json.dumps(secret, ensure_ascii=False),
        json.dumps({"echo": secret}).replace("/", "\\/"),
        html.escape(secret),
        html.escape(secret, quote=False),
        secret.encode().hex(),
        secret.encode().hex().upper(),
        f"{secret!r}",
    ):
        assert found(secret, f"<<{written}>>"), written


@given(st.binary(min_size=32, max_size=32), st.binary(max_size=5))
def test_a_binary_key_is_found_in_hex_and_base64(key: bytes, before: bytes) -> None:
    for written in (key.hex(), base64.b64encode(before + key).decode()):
        assert any(form in written for form in spellings(key))


@given(st.binary(max_size=8))
def test_no_form_is_empty_or_given_twice_and_the_longest_comes_first(secret: bytes) -> None:
    forms = spellings(secret)
    assert all(forms)
    assert len(set(forms)) == len(forms)
    assert list(map(len, forms)) == sorted(map(len, forms), reverse=True)
