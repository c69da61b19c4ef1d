"""Every form in which a secret could come back, to be searched for and replaced."""

import base64
import html
import json
from contextlib import suppress
from urllib.parse import quote, quote_plus

_FIRST_WHOLE = (0, 2, 3)
"""How many characters of base64 depend on what stands before, when 0, 1 or 2 bytes of a group of three do."""


def spellings(secret: bytes) -> tuple[str, ...]:
    """Return the plain text (if it is one), percent-encoded, JSON, HTML, hexadecimal and base64 forms.

    Base64 is given for each of the three places at which the secret can start inside a longer encoded text, without
    the characters that depend on its neighbours. Longest first; no form twice.
    """
    forms = {secret.hex(), secret.hex().upper(), *_base64(secret), *_percent(secret)}
    with suppress(UnicodeDecodeError):
        forms.update(_text_forms(secret.decode()))
    return tuple(sorted((form for form in forms if form), key=lambda form: (-len(form), form)))


def _base64(secret: bytes) -> set[str]:
    forms = {base64.b64encode(secret).decode(), base64.urlsafe_b64encode(secret).decode()}
    for shift, start in enumerate(_FIRST_WHOLE):
        end = (shift + len(secret)) * 8 // 6
        inner = base64.b64encode(bytes(shift) + secret).decode()[start:end]
        forms |= {inner, inner.translate(str.maketrans("+/", "-_"))}
    return forms


def _percent(secret: bytes) -> set[str]:
    encoded = {quote(secret, safe=""), quote(secret), quote_plus(secret)}
    every = "".join(f"%{byte:02X}" for byte in secret)
    return encoded | {_lower_escapes(form) for form in encoded} | {every, every.lower()}


def _lower_escapes(text: str) -> str:
    first, *rest = text.split("%")
    return "%".join([first, *(part[:2].lower() + part[2:] for part in rest)])


def _text_forms(text: str) -> set[str]:
    escaped = {json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]}
    slashes = {form.replace("/", "\\/") for form in escaped}
    return {text, *escaped, *slashes, html.escape(text), html.escape(text, quote=False), repr(text)[1:-1]}
