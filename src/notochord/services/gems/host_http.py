"""`ctx.http.fetch` on this side: one request through the gateway, under the grant made at installation."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from urllib.parse import urlsplit

from notochord.core.caller import Caller
from notochord.core.strict_json import Json
from notochord.services.egress.api import CredentialDenied, Egress, HostGrant, Leave, Request, Response
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.sandbox.api import HostAnswer, HostRequest
from notochord.services.vault.api import Denial

METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
MAX_URL = 8_192
MAX_HEADERS = 64

_NAMES = frozenset({"url", "method", "headers", "connection"})

ConnectionOf = Callable[[str], Awaitable[str | None]]
"""As `AccountRights.account`, for the gem and the work of the call."""


class GuestHttp:
    """The requests of one call."""

    def __init__(self, egress: Egress, *, grant: HostGrant, caller: Caller, connection_of: ConnectionOf) -> None:
        self._egress = egress
        self._grant = grant
        self._caller = caller
        self._connection_of = connection_of

    async def fetch(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, _NAMES)
        method = (arguments.text_or_none("method", limit=16) or "GET").upper()
        if method not in METHODS:
            raise refused(f"http.fetch: method must be one of {', '.join(sorted(METHODS))}")
        headers = arguments.texts("headers")
        if len(headers) > MAX_HEADERS:
            raise refused(f"http.fetch: at most {MAX_HEADERS} headers")
        slot = arguments.text_or_none("connection", limit=64)
        connection = None if slot is None else await self._connection_of(slot)
        leave = Leave(caller=self._caller, grant=self._grant, connection=connection or "")
        url = arguments.text("url", limit=MAX_URL)
        asked = Request(method=method, url=url, leave=leave, headers=headers, body=request.attachment or b"")
        response = await self._egress.fetch(asked)
        if slot is not None and connection is None:
            host = urlsplit(response.url).hostname or ""
            response = replace(response, credential_denied=CredentialDenied(Denial.NOT_DECLARED, host))
        return HostAnswer(_shown(response), response.body)


def _shown(response: Response) -> Json:
    headers: dict[str, Json] = {}
    for name, value in response.headers:
        key = name.lower()
        before = headers.get(key)
        headers[key] = value if before is None else f"{before}, {value}"
    denied = response.credential_denied
    return {
        "status": response.status,
        "url": response.url,
        "headers": headers,
        "credentialDenied": None if denied is None else {"reason": denied.reason, "host": denied.host},
    }
