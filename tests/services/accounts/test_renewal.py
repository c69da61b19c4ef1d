"""An access token that has run out is renewed on the way out: once for all who wait, and kept before it is used."""

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import Response
from notochord.services.vault.api import Attachment, AttachmentDenied, AttachmentExpired, Connection, SignIn
from support.account_benches import AccountBench, account_bench
from support.clocks import HandClock
from support.eventually import until
from support.http_servers import Received, Reply
from support.oauth_servers import OAuthServer


async def test_a_token_that_is_good_is_not_renewed(tmp_path: Path) -> None:
    server, clock = OAuthServer(lifetime=3600), HandClock()
    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(3600 - 61)
        assert (await bench.fetch(account, f"{server.url}/api/x")).status == 200
        assert server.renewals == 0
        clock.advance(2)
        assert (await bench.fetch(account, f"{server.url}/api/x")).status == 200
        assert (server.renewals, server.complaints) == (1, [])


async def test_a_token_without_an_end_is_used_for_ever(tmp_path: Path) -> None:
    server, clock = OAuthServer(lifetime=None), HandClock()
    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(10**8)
        assert (await bench.fetch(account, f"{server.url}/api/x")).status == 200
        assert server.renewals == 0


@pytest.mark.parametrize("rotates", [True, False])
async def test_requests_at_once_share_one_renewal(tmp_path: Path, rotates: bool) -> None:
    server, clock = OAuthServer(rotates=rotates), HandClock()
    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        for round_ in range(1, 4):
            clock.advance(3600)
            answers = await asyncio.gather(*(bench.fetch(account, f"{server.url}/api/{at}") for at in range(8)))
            assert [answer.status for answer in answers] == [200] * 8
            assert (server.renewals, server.complaints) == (round_, [])
        refresh = (await bench.keeping.client(account.id)).refresh
        assert refresh is not None
        assert refresh.reveal() == server.refresh


async def test_a_request_that_read_the_old_token_while_it_was_renewed_does_not_renew_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server, clock = OAuthServer(), HandClock()
    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(3600)
        read, renewed, attachment = asyncio.Event(), asyncio.Event(), bench.vault.attachment

        async def slow(connection: str, url: str) -> Attachment | AttachmentDenied | AttachmentExpired:
            found = await attachment(connection, url)
            if not read.is_set():
                read.set()
                await renewed.wait()
            return found

        monkeypatch.setattr(bench.vault, "attachment", slow)
        late = asyncio.create_task(bench.fetch(account, f"{server.url}/api/late"))
        await read.wait()
        assert (await bench.fetch(account, f"{server.url}/api/x")).status == 200
        renewed.set()
        assert (await late).status == 200
        assert (server.renewals, server.complaints) == (1, [])


@pytest.mark.req("CRED-011")
async def test_the_refresh_token_is_on_the_disk_before_the_new_access_token_is_sent(tmp_path: Path) -> None:
    server = OAuthServer()
    async with server.http:
        async with account_bench(tmp_path, server, clock=HandClock()) as bench:
            account = await bench.signed_in(server)
        child = await _child(tmp_path, server, account.id)
        await _until_renewed(server, 3)
        child.kill()
        await child.wait()
        used = max(_number(request.header("authorization") or "") for request in server.api_calls)
        async with account_bench(tmp_path, server) as bench:
            refresh = (await bench.keeping.client(account.id)).refresh
            assert refresh is not None
            assert _number(refresh.reveal()) >= used


@pytest.mark.parametrize("moment", ["before the answer", "while it is sent", "at random"])
async def test_a_kill_during_a_renewal_leaves_the_old_or_the_new_refresh_token(tmp_path: Path, moment: str) -> None:
    server = OAuthServer()
    killed = asyncio.Event()

    async def hold() -> None:
        if server.made >= 3:
            killed.set()
            await asyncio.sleep(3600)

    async def hold_first(_: Received) -> None:
        await hold()

    async with server.http:
        async with account_bench(tmp_path, server, clock=HandClock()) as bench:
            account = await bench.signed_in(server)
        if moment == "before the answer":
            server.before_token = hold_first
        elif moment == "while it is sent":
            server.after_token = hold
        child = await _child(tmp_path, server, account.id)
        if moment == "at random":
            await _until_renewed(server, 2 + int.from_bytes(tmp_path.name.encode()) % 3)
        else:
            await asyncio.wait_for(killed.wait(), 60)
        child.kill()
        await child.wait()
        server.before_token = server.after_token = None
        async with account_bench(tmp_path, server, clock=later()) as bench:
            refresh = (await bench.keeping.client(account.id)).refresh
            assert refresh is not None
            assert server.made - _number(refresh.reveal()) in (0, 1)
            answer = await bench.fetch(account, f"{server.url}/api/x")
            found = await bench.accounts.get(account.id)
            if moment == "before the answer":
                assert answer.status == 200  # nothing was given, so nothing is lost
            assert (answer.status, found.sign_in) in ((200, SignIn.READY), (401, SignIn.AGAIN))


async def test_a_caller_that_gives_up_does_not_lose_what_the_service_gives(tmp_path: Path) -> None:
    server, clock = OAuthServer(), HandClock()
    asked, release = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        asked.set()
        await release.wait()

    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(3600)
        server.after_token = hold
        caller = asyncio.create_task(bench.fetch(account, f"{server.url}/api/x"))
        await asyncio.wait_for(asked.wait(), 60)
        caller.cancel()
        await asyncio.wait([caller])
        release.set()
        await bench.fresh.close()  # as at the end of the program
        refresh = (await bench.keeping.client(account.id)).refresh
        assert refresh is not None
        assert refresh.reveal() == server.refresh


@pytest.mark.parametrize("error", ["invalid_grant", "bad_refresh_token", "No such thing!"])
async def test_a_refused_renewal_asks_for_a_new_sign_in_once(tmp_path: Path, error: str) -> None:
    server, clock = OAuthServer(), HandClock()
    asked: list[Received] = []

    async def refuse(request: Received) -> Reply:
        asked.append(request)
        return Reply(400, (), f'{{"error":"{error}"}}'.encode())

    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(3600)
        server.before_token = refuse
        for _ in range(3):
            answer = await bench.fetch(account, f"{server.url}/api/x")
            assert answer.status == 401
            assert answer.credential_denied is not None
            assert answer.credential_denied.reason == "needs_reauth"
        assert len(asked) == 1
        assert (await bench.accounts.get(account.id)).sign_in is SignIn.AGAIN
        assert (await bench.keeping.client(account.id)).refresh is None
        server.before_token = None
        assert (await bench.signed_in(server)).sign_in is SignIn.READY


async def test_a_service_that_is_out_of_order_ends_no_sign_in(tmp_path: Path) -> None:
    server, clock = OAuthServer(), HandClock()
    replies = [
        Reply(503, (), b'{"error":"invalid_grant"}'),
        Reply(200, (), b"<html>Sign in to the hotel</html>"),
        Reply(429, (), b'{"error":"slow_down"}'),
    ]

    async def out_of_order(_: Received) -> Reply:
        return replies[0]

    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(3600)
        server.before_token = out_of_order
        while replies:
            with pytest.raises(NotochordError) as caught:
                await bench.fetch(account, f"{server.url}/api/x")
            assert caught.value.code in (Code.SIGN_IN_FAILED, Code.SIGN_IN_REFUSED)
            replies.pop(0)
        server.before_token = None
        assert (await bench.fetch(account, f"{server.url}/api/x")).status == 200


@asynccontextmanager
async def during_a_renewal(
    folder: Path,
) -> AsyncIterator[tuple[AccountBench, Connection, Callable[[], Awaitable[Response]]]]:
    """Hold a renewal between the service and the disk; the third lets it go and returns what the caller gets."""
    server, clock = OAuthServer(), HandClock()
    asked, release = asyncio.Event(), asyncio.Event()

    async def hold() -> None:
        asked.set()
        await release.wait()

    async with server.http, account_bench(folder, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(3600)
        server.after_token = hold
        caller = asyncio.create_task(bench.fetch(account, f"{server.url}/api/x"))
        await asyncio.wait_for(asked.wait(), 60)

        async def answer() -> Response:
            release.set()
            return await asyncio.wait_for(caller, 60)

        yield bench, account, answer


async def test_signing_out_during_a_renewal_stays_out(tmp_path: Path) -> None:
    async with during_a_renewal(tmp_path) as (bench, account, answer):
        await bench.accounts.sign_out(account.id)
        assert (await answer()).status == 401
        assert (await bench.accounts.get(account.id)).sign_in is SignIn.NEEDED


@pytest.mark.req("CRED-020")
async def test_an_account_deleted_during_a_renewal_stays_deleted(tmp_path: Path) -> None:
    async with during_a_renewal(tmp_path) as (bench, account, answer):
        await bench.accounts.remove(account.id)
        with pytest.raises(NotochordError) as caught:
            await answer()
        assert caught.value.code is Code.NOT_FOUND
        assert await bench.accounts.all() == ()


@pytest.mark.req("CRED-008", "CRED-012")
async def test_no_token_code_or_client_secret_is_in_a_log_an_event_or_an_error(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server, clock = OAuthServer(), HandClock()
    caplog.set_level(logging.DEBUG)
    async with server.http, account_bench(tmp_path, server, clock=clock) as bench:
        account = await bench.signed_in(server)
        clock.advance(3600)
        await bench.fetch(account, f"{server.url}/api/x")
        assert server.renewals == 1
        secrets = ("access-token-canary-1", "access-token-canary-2", "refresh-token-canary-1", "refresh-token-canary-2")
        for secret in (*secrets, "code-canary-1", "client-secret-canary"):
            logging.getLogger("test").info("a careless line with %s", secret)  # the log hides what came in
            told = "\n".join(bench.redactor.clean(record.getMessage()) for record in caplog.records)
            assert secret not in told
            assert secret not in repr(await bench.accounts.all()) + repr(await bench.keeping.client(account.id))


async def _child(folder: Path, server: OAuthServer, account: str) -> asyncio.subprocess.Process:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "support.killed_renewal", str(folder), str(server.http.port), account, env=environment
    )


def later() -> HandClock:
    clock = HandClock()
    clock.advance(10**7)
    return clock


async def _until_renewed(server: OAuthServer, times: int) -> None:
    await until(lambda: server.renewals >= times)


def _number(text: str) -> int:
    return int(text.rpartition("-")[2] or 0)
