"""The platform tool `http.request`: an agent asks a website, with the user's consent for each host."""

import codecs
import re
from collections.abc import Sequence

from notochord.core.strict_json import Json
from notochord.services.egress.api import Egress, HostGrant, Leave, Request, Response
from notochord.services.egress.url import read_url
from notochord.services.tools.api import Consent, Session, SideEffect, ToolDefinition, ToolOutput, ToolProvider

NAME = "http.request"
MOST_BYTES = 5 * 1024 * 1024
MOST_CHARACTERS = 50_000
SECONDS = 60.0

_SHOWN = ("content-type", "location", "retry-after", "last-modified", "etag", "link", "www-authenticate")
_MOST_HEADER_CHARACTERS = 2_000
_TEXT = re.compile(r"text/|application/(.*\+)?(json|xml|javascript|x-www-form-urlencoded|yaml|toml)|image/svg")
_CHARSET = re.compile(r"charset=\"?([A-Za-z0-9._-]{1,30})")
# Python knows codecs that are no character sets, or slow on hostile bytes.
_CODEC = re.compile(
    r"utf-8|utf-16(-[lb]e)?|ascii|iso8859-\d+|cp\d+|gb2312|gbk|gb18030|big5|shift_jis|euc_(jp|kr)|koi8-r"
)

DEFINITION = ToolDefinition(
    name=NAME,
    description=(
        "Send an HTTP request and read the answer as text. The user agrees to each host once per conversation. "
        "A redirect to another host is returned, not followed. Addresses of this computer and of the internal "
        "network work only if the user listed them."
    ),
    schema={
        "type": "object",
        "properties": {
            "method": {"type": "string", "enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]},
            "url": {"type": "string", "description": "An absolute http or https address."},
            "headers": {"type": "object", "additionalProperties": {"type": "string"}},
            "body": {"type": "string"},
        },
        "required": ["method", "url"],
        "additionalProperties": False,
    },
    side_effect=SideEffect.WRITE,
    keywords=("web", "internet", "download", "API"),
)


class HttpTools(ToolProvider):
    """A source with one tool. A GET needs consent as well: an address alone can carry data out.

    An agent of a gem reaches the hosts of its gem, and nobody is asked about them; it reaches no others.
    """

    def __init__(self, *, egress: Egress) -> None:
        self._egress = egress

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        return () if session.gem and session.confined is None else (DEFINITION,)

    async def consent(self, name: str, arguments: dict[str, Json], session: Session) -> Consent:
        """Return the host, with its port unless it is the default.

        Nobody is asked for what would be refused after a yes. Raises as `Egress.check` does.
        """
        if session.confined is not None:
            return Consent()
        url = str(arguments["url"])
        self._egress.check(url, Leave(session.caller, grant=_grant(session)))
        return Consent("host", read_url(url).authority)

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        """Send the request under the agent's own rights. Raises PERM_DENIED, and as `Egress.fetch` does."""
        headers, body = arguments.get("headers"), arguments.get("body")
        response = await self._egress.fetch(
            Request(
                method=str(arguments["method"]),
                url=str(arguments["url"]),
                leave=Leave(session.caller, grant=_grant(session)),
                headers=_wire_headers(headers if isinstance(headers, dict) else {}),
                body=str(body).encode("utf-8", "replace") if body is not None else b"",
                max_bytes=MOST_BYTES,
                timeout=SECONDS,
                stay_on_host=True,
            )
        )
        return ToolOutput(_shown(response))


def _grant(session: Session) -> HostGrant | None:
    """Return the hosts that an agent of a gem may reach; none at all if its gem asked for no network."""
    if session.confined is not None:
        return HostGrant(session.confined.hosts, session.confined.local)
    return HostGrant(()) if session.gem else None


def _wire_headers(headers: dict[str, Json]) -> tuple[tuple[str, str], ...]:
    return tuple((name, str(value).encode("utf-8", "replace").decode("latin-1")) for name, value in headers.items())


def _shown(response: Response) -> Json:
    headers: dict[str, Json] = {
        name.lower(): value[:_MOST_HEADER_CHARACTERS] for name, value in response.headers if name.lower() in _SHOWN
    }
    text = _text(response, str(headers.get("content-type", "")).lower())
    shown: dict[str, Json] = {"status": response.status, "url": response.url, "headers": headers}
    shown["body"] = text[:MOST_CHARACTERS]
    if len(text) > MOST_CHARACTERS:
        shown["note"] = f"the body was cut after {MOST_CHARACTERS} of {len(text)} characters"
    return shown


def _text(response: Response, kind: str) -> str:
    if (kind and not _TEXT.match(kind)) or (not kind and b"\0" in response.body):
        return f"[{len(response.body)} bytes that are not text]" if response.body else ""
    return response.body.decode(_codec(kind), "replace")


def _codec(kind: str) -> str:
    charset = _CHARSET.search(kind)
    try:
        name = codecs.lookup(charset[1]).name if charset else "utf-8"
    except LookupError:
        return "utf-8"
    return name if _CODEC.fullmatch(name) else "utf-8"
