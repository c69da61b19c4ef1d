"""Signing in with the system's browser: code with PKCE, a state, and a port that listens only meanwhile.

Each attack runs with its control: the barrier taken away, it succeeds.
"""

import asyncio
import hmac
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit, urlunsplit

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.accounts import oauth
from notochord.services.vault.api import Connection, SignIn
from support.account_benches import AccountBench, account_bench, pages
from support.http_servers import HttpServer, Received, Reply, always
from support.oauth_servers import CLIENT, CLIENT_SECRET, Browser, OAuthServer, get


def changed(url: str, **parameters: str) -> str:
    """Return the address with these parameters of its query replaced, or (empty) taken out."""
    parts = urlsplit(url)
    query = {name: values[0] for name, values in parse_qs(parts.query).items()} | parameters
    return urlunsplit(parts._replace(query=urlencode({name: value for name, value in query.items() if value})))


class Waiting:
    """A sign-in under way, whose browser stands before the last step: at the address in `location`."""

    def __init__(self, bench: AccountBench, account: Connection) -> None:
        self.browser = Browser(follows=False)
        self.task = asyncio.create_task(bench.accounts.sign_in(account.id, pages(self.browser)))

    async def location(self) -> str:
        while not self.browser.opened:
            await asyncio.sleep(0.001)
            if self.task.done():
                self.task.result()
        await self.browser.done()
        return self.browser.locations[0]

    async def finish(self) -> Connection:
        status, _, _ = await get(await self.location())
        assert status == 200
        return await asyncio.wait_for(self.task, 60)


async def test_a_user_signs_in_and_requests_carry_the_token(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        made = await bench.add(server)
        assert made.sign_in is SignIn.NEEDED
        browser = Browser()
        found = await asyncio.wait_for(bench.accounts.sign_in(made.id, pages(browser)), 60)
        await browser.done()
        assert (found.sign_in, browser.statuses, server.complaints) == (SignIn.READY, [200], [])
        assert b"You are signed in." in browser.page
        answer = await bench.fetch(found, f"{server.url}/api/events")
        assert (answer.status, answer.body) == (200, b"you sent [redacted]")
        (known,) = await bench.accounts.all()
        assert (known.uses, known.last_used > 0) == (1, True)


async def test_a_client_without_a_secret_signs_in_too(tmp_path: Path) -> None:
    server = OAuthServer(needs_secret=False)
    async with server.http, account_bench(tmp_path, server) as bench:
        assert (await bench.signed_in(server)).sign_in is SignIn.READY
        assert server.complaints == []


async def test_before_anybody_signed_in_requests_go_out_bare_and_say_so(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        answer = await bench.fetch(await bench.add(server), f"{server.url}/api/events")
        assert answer.status == 401
        assert answer.credential_denied is not None
        assert answer.credential_denied.reason == "not_connected"


async def test_signing_out_forgets_the_tokens_and_keeps_the_account(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        account = await bench.signed_in(server)
        await bench.accounts.sign_out(account.id)
        assert (await bench.accounts.get(account.id)).sign_in is SignIn.NEEDED
        assert (await bench.keeping.client(account.id)).refresh is None
        assert (await bench.fetch(account, f"{server.url}/api/x")).status == 401


async def test_a_user_who_says_no_is_told_so_and_nothing_changes(tmp_path: Path) -> None:
    server = OAuthServer(consent=False)
    async with server.http, account_bench(tmp_path, server) as bench:
        made = await bench.add(server)
        browser = Browser()
        with pytest.raises(NotochordError) as caught:
            await asyncio.wait_for(bench.accounts.sign_in(made.id, pages(browser)), 60)
        await browser.done()
        assert (caught.value.code, caught.value.parameters["reason"]) == (Code.SIGN_IN_REFUSED, "access_denied")
        assert b"You are not signed in." in browser.page
        assert (await bench.accounts.get(made.id)).sign_in is SignIn.NEEDED


async def test_nobody_who_signs_in_in_time_ends_the_wait_and_the_listening(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server, seconds=0.3) as bench:
        made = await bench.add(server)
        browser = Browser(follows=False)
        with pytest.raises(NotochordError) as caught:
            await bench.accounts.sign_in(made.id, pages(browser))
        await browser.done()
        assert caught.value.code is Code.TIMEOUT
        with pytest.raises(OSError, match=r"refused|reset|Connect"):
            await get(browser.locations[0])


async def test_a_cancelled_sign_in_listens_no_more_and_leaves_the_one_before(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        account = await bench.signed_in(server)
        waiting = Waiting(bench, account)
        place = await waiting.location()
        waiting.task.cancel()
        await asyncio.wait([waiting.task])
        with pytest.raises(OSError, match=r"refused|reset|Connect"):
            await get(place)
        assert (await bench.fetch(account, f"{server.url}/api/x")).status == 200


async def test_each_sign_in_has_a_port_a_state_and_a_verifier_of_its_own(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        made = await bench.add(server)
        waits = [Waiting(bench, made) for _ in range(2)]
        places = [await waiting.location() for waiting in waits]
        opened = [parse_qs(urlsplit(waiting.browser.opened[0]).query) for waiting in waits]
        for name in ("state", "code_challenge", "redirect_uri"):
            assert len({query[name][0] for query in opened}) == 2
        assert len({urlsplit(place).port for place in places}) == 2
        for waiting in waits:
            await waiting.finish()


# -- attacks on the redirect


FORGERIES: dict[str, Callable[[str], str]] = {
    "a code of the attacker's without a state": lambda url: changed(url, code="planted", state=""),
    "a code of the attacker's with a guessed state": lambda url: changed(url, code="planted", state="guessed"),
    "a state of another sign-in": lambda url: changed(url, state="A" * 43),
    "a state given twice": lambda url: url + "&state=other",
    "a code given twice": lambda url: url + "&code=planted",
    "a state that differs in its case": lambda url: changed(
        url, state=parse_qs(urlsplit(url).query)["state"][0].swapcase()
    ),
    "another path": lambda url: url.replace("/callback", "/"),
    "a path that only begins so": lambda url: url.replace("/callback", "/callback/more"),
    "a path that is cut": lambda url: url.replace("/callback", "/callbac"),
    "an escaped path": lambda url: url.replace("/callback", "/%63allback"),
    "a path with dots": lambda url: url.replace("/callback", "/x/../callback"),
    "no query": lambda url: url.partition("?")[0],
    "an error without the state": lambda url: changed(url, code="", state="", error="access_denied"),
}


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_a_forged_redirect_is_refused_and_the_sign_in_goes_on(tmp_path: Path, forgery: str) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        genuine = await waiting.location()
        status, headers, body = await get(FORGERIES[forgery](genuine))
        assert status in (400, 404)
        assert b"planted" not in body
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert not waiting.task.done()
        assert (await waiting.finish()).sign_in is SignIn.READY  # the control: the genuine one is taken
        assert server.complaints == []


@pytest.mark.parametrize("host", ["evil.example", "localhost", "127.0.0.1", "[::1]"])
async def test_a_redirect_under_another_name_of_this_computer_is_refused(tmp_path: Path, host: str) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        genuine = await waiting.location()
        status, _, _ = await get(genuine, host=host)
        assert status == 404
        await waiting.finish()


@pytest.mark.parametrize("method", ["POST", "HEAD", "OPTIONS", "PUT"])
async def test_a_redirect_is_a_get_and_nothing_else(tmp_path: Path, method: str) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        reader, writer = await asyncio.open_connection(*_address(await waiting.location()))
        target = (await waiting.location()).partition("/callback")[2]
        writer.write(f"{method} /callback{target} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert (await reader.readline()).startswith(b"HTTP/1.1 404")
        writer.close()
        await waiting.finish()


async def test_planting_a_code_succeeds_only_where_the_state_is_not_looked_at(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control of the forgeries: without the barrier the user's account becomes the attacker's."""
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        genuine = await waiting.location()
        monkeypatch.setattr(hmac, "compare_digest", lambda _one, _other: True)
        status, _, _ = await get(changed(genuine, state="guessed"))
        assert status == 200
        assert (await asyncio.wait_for(waiting.task, 60)).sign_in is SignIn.READY


async def test_a_redirect_is_taken_once(tmp_path: Path) -> None:
    server = OAuthServer()
    release = asyncio.Event()

    async def slow(_: Received) -> None:
        await release.wait()

    server.before_token = slow
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        place = await waiting.location()
        assert (await get(place))[0] == 200
        with pytest.raises((OSError, asyncio.IncompleteReadError)):
            await get(place)  # nobody listens while the token is fetched
        release.set()
        await asyncio.wait_for(waiting.task, 60)
        assert server.made == 1


async def test_a_page_that_tries_every_port_gets_nothing_and_disturbs_nothing(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        host, port = _address(await waiting.location())
        for path in ("/", "/callback", "/callback?code=x", "/favicon.ico", "/callback?" + "a=1&" * 100):
            status, headers, body = await get(f"http://{host}:{port}{path}")
            assert status in (400, 404)
            assert "access-control-allow-origin" not in headers
            assert b"state" not in body
        held = [await asyncio.open_connection(host, port) for _ in range(40)]
        for _, writer in held[:10]:
            writer.write(b"GET /" + b"a" * 20_000)
        for _, writer in held:
            writer.close()
        await waiting.finish()


async def test_a_code_that_was_listened_in_on_is_worth_nothing_without_the_verifier(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        query = parse_qs(urlsplit(await waiting.location()).query)
        opened = parse_qs(urlsplit(waiting.browser.opened[0]).query)
        form = {
            "grant_type": "authorization_code",
            "client_id": CLIENT,
            "client_secret": CLIENT_SECRET,
            "code": query["code"][0],
            "redirect_uri": opened["redirect_uri"][0],
        }
        stolen = dict(server.codes)
        for verifier in ("", opened["code_challenge"][0], "a" * 43):
            assert await _token_status(server, form | {"code_verifier": verifier}) == 400
            server.codes.update(stolen)
        challenge = server.codes[query["code"][0]].challenge
        server.codes[query["code"][0]] = type(server.codes[query["code"][0]])(
            opened["redirect_uri"][0], oauth.challenge_of("mine")
        )
        assert challenge == opened["code_challenge"][0]
        assert await _token_status(server, form | {"code_verifier": "mine"}) == 200  # the control
        waiting.task.cancel()
        await asyncio.wait([waiting.task])


async def test_an_answer_from_another_service_is_refused(tmp_path: Path) -> None:
    for told, code in (("https://evil.example", Code.SIGN_IN_FAILED), ("https://right.example", None)):
        server = OAuthServer(issuer=told)
        folder = tmp_path / told.removeprefix("https://")
        folder.mkdir()
        async with server.http, account_bench(folder, server) as bench:
            waiting = Waiting(bench, await bench.add(server, issuer="https://right.example"))
            await get(await waiting.location())
            await asyncio.wait([waiting.task])
            error = waiting.task.exception()
            assert (error.code if isinstance(error, NotochordError) else None) is code
            assert server.made == (0 if code else 1)


# -- attacks by the token endpoint


async def test_a_token_endpoint_that_sends_on_gets_no_second_request(tmp_path: Path) -> None:
    server = OAuthServer()
    elsewhere = HttpServer(always(Reply(200, (), b"{}")))
    async with server.http, elsewhere, account_bench(tmp_path, server) as bench:
        for status in (301, 302, 303, 307, 308):

            async def onward(_: Received, status: int = status) -> Reply:
                return Reply(status, (("Location", f"{elsewhere.url}/token"),))

            server.before_token = onward
            waiting = Waiting(bench, await bench.add(server))
            await get(await waiting.location())
            with pytest.raises(NotochordError) as caught:
                await asyncio.wait_for(waiting.task, 60)
            assert caught.value.code is Code.SIGN_IN_FAILED
        assert elsewhere.received == []


HOSTILE: dict[str, bytes] = {
    "no JSON": b"<html>",
    "a list": b"[]",
    "no token": b'{"token_type":"Bearer"}',
    "an empty token": b'{"access_token":"","token_type":"Bearer"}',
    "a number": b'{"access_token":1,"token_type":"Bearer"}',
    "another kind": b'{"access_token":"a-token-canary","token_type":"mac"}',
    "no kind": b'{"access_token":"a-token-canary"}',
    "a key twice": b'{"access_token":"a-token-canary","access_token":"b","token_type":"Bearer"}',
    "a line break": b'{"access_token":"a-token-canary\\r\\nX: y","token_type":"Bearer"}',
    "too long": b'{"access_token":"' + b"a" * 20_000 + b'","token_type":"Bearer"}',
    "deep": b"[" * 5_000,
    "a refresh token that is none": b'{"access_token":"a-token-canary","token_type":"Bearer","refresh_token":[1]}',
}


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_answer_of_the_token_endpoint_changes_nothing_and_is_not_quoted(
    tmp_path: Path, name: str
) -> None:
    server = OAuthServer()

    async def hostile(_: Received) -> Reply:
        return Reply(200, (), HOSTILE[name])

    async with server.http, account_bench(tmp_path, server) as bench:
        made = await bench.add(server)
        server.before_token = hostile
        waiting = Waiting(bench, made)
        await get(await waiting.location())
        with pytest.raises(NotochordError) as caught:
            await asyncio.wait_for(waiting.task, 60)
        assert caught.value.code in (Code.SIGN_IN_FAILED, Code.INPUT_INVALID)
        assert "canary" not in str(caught.value) + str(caught.value.parameters)
        assert (await bench.accounts.get(made.id)).sign_in is SignIn.NEEDED


async def test_an_answer_without_end_is_cut_off(tmp_path: Path) -> None:
    server = OAuthServer()

    async def endless(_: Received) -> Reply:
        return Reply(200, (), b" " * (oauth.MOST_ANSWER_BYTES + 1))

    server.before_token = endless
    async with server.http, account_bench(tmp_path, server) as bench:
        waiting = Waiting(bench, await bench.add(server))
        await get(await waiting.location())
        with pytest.raises(NotochordError) as caught:
            await asyncio.wait_for(waiting.task, 60)
        assert caught.value.code is Code.PAYLOAD_TOO_LARGE


def _address(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    assert parts.hostname is not None
    assert parts.port is not None
    return parts.hostname, parts.port


async def _token_status(server: OAuthServer, form: dict[str, str]) -> int:
    body = urlencode(form).encode()
    headers = (("content-type", "application/x-www-form-urlencoded"),)
    return (await server.answer(Received("POST", "/token", headers, body))).status
