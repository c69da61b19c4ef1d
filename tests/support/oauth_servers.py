"""A strict OAuth 2 server with an API behind it, and a browser that goes where it is sent."""

import asyncio
import base64
import hashlib
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlencode, urlsplit

from support.http_servers import HttpServer, Received, Reply

CLIENT, CLIENT_SECRET = "client-1", "client-secret-canary"
SCOPES = ("calendar.read", "offline")

Override = Callable[[Received], Awaitable[Reply | None]]


@dataclass(frozen=True, slots=True)
class _Code:
    redirect_uri: str
    challenge: str


@dataclass
class OAuthServer:
    """Refuses whatever RFC 6749, 7636 and 8252 refuse. Each refresh token is good for one renewal; using one again
    ends the sign-in. `complaints` are the requests that a correct client does not make."""

    consent: bool = True
    needs_secret: bool = True
    lifetime: int | None = 3600
    rotates: bool = True
    issuer: str = ""
    before_token: Override | None = None
    """Answers a token request instead, or first waits, or looks."""
    after_token: Callable[[], Awaitable[None]] | None = None
    """Awaited after tokens were made and before they are sent."""
    complaints: list[str] = field(default_factory=list)
    codes: dict[str, _Code] = field(default_factory=dict)
    access: set[str] = field(default_factory=set)
    refresh: str = ""
    ended: bool = False
    made: int = 0
    renewals: int = 0
    api_calls: list[Received] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.http = HttpServer(self.answer)

    @property
    def url(self) -> str:
        return self.http.url

    async def answer(self, request: Received) -> Reply:
        path = urlsplit(request.target).path
        if path == "/authorize" and request.method == "GET":
            return self._authorize(request)
        if path == "/token" and request.method == "POST":
            special = await self.before_token(request) if self.before_token else None
            if special is not None:
                return special
            reply = self._token(request)
            if self.after_token is not None:
                await self.after_token()
            return reply
        if path.startswith("/api"):
            return self._api(request)
        return Reply(404)

    def _authorize(self, request: Received) -> Reply:
        query = parse_qs(urlsplit(request.target).query, strict_parsing=True)
        one = {name: values[0] for name, values in query.items() if len(values) == 1}
        uri = urlsplit(one.get("redirect_uri", ""))
        problems = [
            "a parameter is given twice" if len(one) != len(query) else "",
            "response_type" if one.get("response_type") != "code" else "",
            "client_id" if one.get("client_id") != CLIENT else "",
            "redirect_uri" if (uri.scheme, uri.hostname, uri.path) != ("http", "127.0.0.1", "/callback") else "",
            "state" if len(one.get("state", "")) < 22 else "",
            "challenge" if len(one.get("code_challenge", "")) != 43 else "",
            "method" if one.get("code_challenge_method") != "S256" else "",
            "scope" if one.get("scope") != " ".join(SCOPES) else "",
            "a secret" if CLIENT_SECRET in request.target else "",
        ]
        if any(problems):
            self.complaints += [problem for problem in problems if problem]
            return Reply(400)
        back = {"state": one["state"]} | ({"iss": self.issuer} if self.issuer else {})
        if self.consent:
            code = f"code-canary-{len(self.codes) + 1}"
            self.codes[code] = _Code(one["redirect_uri"], one["code_challenge"])
            back["code"] = code
        else:
            back["error"] = "access_denied"
        return Reply(302, (("Location", f"{one['redirect_uri']}?{urlencode(back)}"),))

    def _token(self, request: Received) -> Reply:
        form = {name: values[0] for name, values in parse_qs(request.body.decode(), strict_parsing=True).items()}
        if request.header("content-type") != "application/x-www-form-urlencoded" or "?" in request.target:
            return self._refused("invalid_request", "form")
        if form.get("client_id") != CLIENT or (self.needs_secret and form.get("client_secret") != CLIENT_SECRET):
            return self._refused("invalid_client", "client")
        if form.get("grant_type") == "authorization_code":
            code = self.codes.pop(form.get("code", ""), None)
            verifier = form.get("code_verifier", "")
            digest = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
            if code is None or code.challenge != digest or code.redirect_uri != form.get("redirect_uri"):
                return self._refused("invalid_grant", "code, verifier or redirect_uri")
            self.ended = False
            return self._tokens()
        if form.get("grant_type") == "refresh_token":
            if self.ended or form.get("refresh_token") != self.refresh:
                self.ended = True
                self.access.clear()
                return self._refused("invalid_grant", "refresh token")
            self.renewals += 1
            return self._tokens()
        return self._refused("unsupported_grant_type", "grant type")

    def _tokens(self) -> Reply:
        self.made += 1
        access = f"access-token-canary-{self.made}"
        self.access.add(access)
        given: dict[str, object] = {"access_token": access, "token_type": "Bearer"}
        if self.lifetime is not None:
            given["expires_in"] = self.lifetime
        if self.rotates or not self.refresh:
            self.refresh = f"refresh-token-canary-{self.made}"
            given["refresh_token"] = self.refresh
        headers = (("Content-Type", "application/json"), ("Cache-Control", "no-store"))
        return Reply(200, headers, json.dumps(given).encode())

    def _refused(self, error: str, complaint: str) -> Reply:
        self.complaints.append(complaint)
        return Reply(400, (("Content-Type", "application/json"),), json.dumps({"error": error}).encode())

    def _api(self, request: Received) -> Reply:
        self.api_calls.append(request)
        given = (request.header("authorization") or "").removeprefix("Bearer ")
        return Reply(200, (), f"you sent {given}".encode()) if given in self.access else Reply(401)


async def get(url: str, *, host: str = "", method: str = "GET") -> tuple[int, dict[str, str], bytes]:
    """Send a request as a browser (or anybody on this computer) can; return status, headers and body."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    try:
        writer.write(f"{method} {target} HTTP/1.1\r\nHost: {host or parts.netloc}\r\n\r\n".encode())
        await writer.drain()
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        first, *lines = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    finally:
        writer.close()
    return int(first.split(" ")[1]), headers, body


class Browser:
    """Opens a page in a task of its own and follows where it leads; `ended` holds the last status."""

    def __init__(self, *, follows: bool = True) -> None:
        self.opened: list[str] = []
        self.locations: list[str] = []
        self.statuses: list[int] = []
        self.page = b""
        self._follows = follows
        self._tasks: list[asyncio.Task[None]] = []

    def __call__(self, url: str) -> None:
        self.opened.append(url)
        self._tasks.append(asyncio.get_running_loop().create_task(self._browse(url)))

    async def done(self) -> None:
        """Wait until all pages are there."""
        await asyncio.gather(*self._tasks)

    async def _browse(self, url: str) -> None:
        status, headers, _ = await get(url)
        if status == 302:
            self.locations.append(headers["location"])
            if self._follows:
                status, _, self.page = await get(headers["location"])
        self.statuses.append(status)
