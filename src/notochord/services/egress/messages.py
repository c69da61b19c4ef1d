"""Makes the request that goes over the wire: what callers may set, what the gateway sets, what a redirect changes."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.url import Url
from notochord.services.vault.api import Attachment

Headers = tuple[tuple[str, str], ...]

ACCEPT_ENCODING = "gzip, deflate"
REDIRECTS = frozenset({301, 302, 303, 307, 308})

_TOKEN = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,200}")
_VALUE = re.compile(r"[\t\x20-\x7e\x80-\xff]{0,65536}")
_FORBIDDEN_METHODS = frozenset({"CONNECT", "TRACE", "TRACK"})
_STANDARD_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
# Framing and routing belong to the gateway; a Host of the caller's choice would reach a site that was never judged.
_OURS = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "keep-alive", "expect"}
    | {"accept-encoding", "via", "proxy-authorization", "proxy-connection", "proxy-authenticate"}
)
_SECRET = frozenset(["authorization", "cookie", "x-api-key", "api-key", "x-goog-api-key", "x-auth-token"])
_OF_BODY = frozenset(["content-type", "content-encoding", "content-language", "content-location"])
_MOST_HEADERS = 200


@dataclass(frozen=True, slots=True)
class Message:
    """What is sent at one hop, before the secret is added."""

    method: str
    headers: Headers
    body: bytes


def read_message(method: str, headers: Headers, body: bytes) -> Message:
    """Check what a caller wants to send; headers that belong to the gateway are left out, as browsers do.

    Raises NotochordError(INPUT_INVALID) for CONNECT, TRACE and for what HTTP cannot carry.
    """
    if method.upper() in _STANDARD_METHODS | _FORBIDDEN_METHODS:
        method = method.upper()
    if not _TOKEN.fullmatch(method) or method in _FORBIDDEN_METHODS:
        raise _wrong("the method is not allowed", "why.http_method")
    if len(headers) > _MOST_HEADERS:
        raise _wrong("there are too many headers", "why.http_headers")
    for name, value in headers:
        if not _TOKEN.fullmatch(name) or not _VALUE.fullmatch(value):
            raise _wrong("a header has characters that HTTP cannot carry", "why.http_characters")
    stripped = tuple((name, value.strip(" \t")) for name, value in headers)
    return Message(method, without(stripped, _OURS), body)


def without(headers: Headers, names: Iterable[str]) -> Headers:
    """Return the headers but those of these (lower-case) names."""
    dropped = frozenset(names)
    return tuple((name, value) for name, value in headers if name.lower() not in dropped)


def redirected(message: Message, status: int, source: Url, target: Url) -> Message:
    """Return what is sent to the target of a redirect: methods and bodies change as in browsers.

    What may identify the user to the first site is not carried to another origin, hence not from https to http.
    """
    method, headers, body = message.method, message.headers, message.body
    if (status in (301, 302) and method == "POST") or (status == 303 and method not in ("GET", "HEAD")):
        method, headers, body = "GET", without(headers, _OF_BODY), b""
    if target.origin != source.origin:
        headers = without(headers, _SECRET)
    return Message(method, headers, body)


def complete(message: Message, url: Url, attachment: Attachment | None) -> Headers:
    """Return the headers as sent: the gateway's own, the caller's, and the secret in place of the caller's.

    Raises NotochordError(INPUT_INVALID) if the secret is one that no header can carry; the text does not show it.
    """
    added = () if attachment is None else attachment.headers
    if not all(_TOKEN.fullmatch(name) and _VALUE.fullmatch(value) and value == value.strip() for name, value in added):
        raise _wrong("the secret of this connection cannot be sent in a header", "why.secret_characters")
    kept = without(message.headers, (name.lower() for name, _ in added))
    framing: list[tuple[str, str]] = [("Host", url.authority), ("Accept-Encoding", ACCEPT_ENCODING)]
    if message.body or message.method in ("POST", "PUT", "PATCH"):
        framing.append(("Content-Length", str(len(message.body))))
    if not any(name.lower() == "user-agent" for name, _ in kept):
        framing.append(("User-Agent", "Notochord"))
    if not any(name.lower() == "accept" for name, _ in kept):
        framing.append(("Accept", "*/*"))
    return (*framing, *kept, *added)


def location_of(status: int, headers: Headers) -> str | None:
    """Return where a redirect leads, None for any other answer."""
    if status not in REDIRECTS:
        return None
    return next((value for name, value in headers if name.lower() == "location"), None)


def _wrong(detail: str, why: str) -> NotochordError:
    return NotochordError(Code.INPUT_INVALID, Fault.USER, detail, why=why)
