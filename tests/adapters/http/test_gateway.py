"""The gateway over real sockets: what is dialled, what is read, and how failures are named."""

import asyncio
import gzip
import logging
import zlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.adapters.http.connections import Connections
from notochord.adapters.http.resolver import SystemResolver
from notochord.adapters.http.sender import HttpSender
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import HostGrant, Leave, Request
from support.certificates import Authority
from support.egress import AGENT, Bench, HandResolver, OneSecretVault, bench, get, rules
from support.http_servers import HttpServer, LoopbackServer, Received, Reply, always, events

MEGABYTE = 1024 * 1024


async def listed(
    *servers: LoopbackServer, vault: OneSecretVault | None = None, authority: Authority | None = None
) -> Bench:
    """Return a gateway whose user listed these servers."""
    entries = [f"localhost:{server.port}" for server in servers]
    tls = None if authority is None else authority.client()
    return await bench(HttpSender(resolver=HandResolver(), tls=tls), lists=rules(local=entries), vault=vault)


async def refusal(parts: Bench, request: Request) -> NotochordError:
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(request)
    return caught.value


@pytest.mark.req("SET-021", "PERM-038", "PERM-039")
async def test_a_listed_server_of_this_computer_is_reached_by_all_its_names() -> None:
    async with HttpServer(always(Reply(body=b"hello"))) as server:
        parts = await listed(server)
        for host in ("localhost", "127.0.0.1", "LOCALHOST.", "2130706433"):
            answer = await parts.egress.fetch(get(f"http://{host}:{server.port}/a?b=1"))
            assert (answer.status, answer.body) == (200, b"hello")
        assert {request.target for request in server.received} == {"/a?b=1"}
        error = await refusal(parts, get(f"http://127.0.0.2:{server.port}/"))
        assert error.code is Code.NETWORK_LOCAL_CLOSED
        await parts.egress.close()


@pytest.mark.req("PERM-040")
async def test_a_server_on_the_ipv6_loopback_is_reached_by_the_name_localhost() -> None:
    async with HttpServer(always(Reply(body=b"six")), host="::1") as server:
        parts = await listed(server)
        for host in ("localhost", "[::1]"):
            assert (await parts.egress.fetch(get(f"http://{host}:{server.port}/"))).body == b"six"
        await parts.egress.close()


async def test_the_checked_address_is_dialled_although_the_name_leads_elsewhere_by_now() -> None:
    async with HttpServer(always(Reply(body=b"first"))) as server, HttpServer(always(Reply()), host="127.0.0.9"):
        resolver = HandResolver({"nas.local": ["127.0.0.9"]})  # what the sender would learn if it asked
        parts = await bench(
            HttpSender(resolver=resolver), lists=rules(local=["nas.local"]), names={"nas.local": ["127.0.0.1"]}
        )
        answer = await parts.egress.fetch(get(f"http://nas.local:{server.port}/"))
        assert answer.body == b"first"
        assert server.received[0].header("Host") == f"nas.local:{server.port}"
        assert (resolver.asked, parts.resolver.asked) == ([], ["nas.local"])
        await parts.egress.close()


async def test_the_certificate_is_checked_against_the_name_and_not_the_address(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with HttpServer(always(Reply()), tls=authority.server("nas.local")) as server:
        entries = [f"nas.local:{server.port}", f"other.local:{server.port}", f"localhost:{server.port}"]
        parts = await bench(
            HttpSender(resolver=HandResolver(), tls=authority.client()),
            lists=rules(local=entries),
            names={"nas.local": ["127.0.0.1"], "other.local": ["127.0.0.1"]},
        )
        assert (await parts.egress.fetch(get(f"https://nas.local:{server.port}/"))).status == 200
        for host in ("other.local", "127.0.0.1"):
            error = await refusal(parts, get(f"https://{host}:{server.port}/"))
            assert error.code is Code.NETWORK_TLS
        assert len(server.received) == 1
        await parts.egress.close()


async def test_an_unknown_authority_has_its_own_code(tmp_path: Path) -> None:
    async with HttpServer(always(Reply()), tls=Authority(tmp_path).server("localhost", "127.0.0.1")) as server:
        parts = await listed(server)
        assert (await refusal(parts, get(server.url))).code is Code.NETWORK_TLS
        await parts.egress.close()


async def test_a_connection_is_used_again_and_closed_at_the_end() -> None:
    async with HttpServer(always(Reply(body=b"x"))) as server:
        parts = await listed(server)
        for _ in range(5):
            await parts.egress.fetch(get(server.url))
        assert (server.connections, len(server.received)) == (1, 5)
        await parts.egress.close()


async def test_many_targets_leave_few_connections_open() -> None:
    async with HttpServer(always(Reply())) as server:
        sender = Connections(resolver=HandResolver(), tls=None)
        names = {f"h{number}.local": ["127.0.0.1"] for number in range(40)}
        parts = await bench(sender, lists=rules(local=["*.local"]), names=names)
        for name in names:
            await parts.egress.fetch(get(f"http://{name}:{server.port}/"))
        assert len(sender._targets) == 32
        await parts.egress.close()


class Silent(LoopbackServer):
    """Accepts and says nothing, or only the bytes it was given."""

    def __init__(self, words: bytes = b"", *, until: bytes = b"\r\n\r\n") -> None:
        super().__init__()
        self.heard = asyncio.Event()
        self._words = words
        self._until = until

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(self._until)
        self.heard.set()
        writer.write(self._words)
        await writer.drain()
        if not self._words:
            await reader.read()


async def test_a_server_that_speaks_no_tls_has_the_code_of_tls() -> None:
    async with Silent(b"HTTP/1.1 400 Bad Request\r\n\r\n", until=b"\x03") as server:
        parts = await listed(server)
        assert (await refusal(parts, get(f"https://localhost:{server.port}/"))).code is Code.NETWORK_TLS
        await parts.egress.close()


async def test_a_server_that_says_nothing_is_left_after_the_timeout() -> None:
    async with Silent() as server:
        parts = await listed(server)
        error = await refusal(parts, get(server.url, timeout=0.1))
        assert error.code is Code.TIMEOUT
        await parts.egress.close()


@pytest.mark.parametrize(
    "words",
    [
        b"\x00\x01\x02",
        b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
        b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: 5\r\n\r\nhello",
        b"HTTP/1.1 200 OK\r\n",
    ],
)
async def test_a_broken_answer_is_no_answer(words: bytes) -> None:
    async with Silent(words) as server:
        parts = await listed(server)
        assert (await refusal(parts, get(server.url))).code is Code.NETWORK_UNREACHABLE
        await parts.egress.close()


async def test_a_port_where_nobody_listens_is_unreachable() -> None:
    async with HttpServer(always(Reply())) as server:
        parts = await listed(server)
    assert (await refusal(parts, get(server.url))).code is Code.NETWORK_UNREACHABLE
    await parts.egress.close()


async def test_an_endless_answer_is_cut_off_at_its_limit() -> None:
    sent = 0

    async def endless() -> AsyncIterator[bytes]:
        nonlocal sent
        while True:
            sent += 65536
            yield b"x" * 65536

    async def handler(request: Received) -> Reply:
        return Reply(chunks=endless())

    async with HttpServer(handler) as server:
        parts = await listed(server)
        error = await refusal(parts, get(server.url, max_bytes=MEGABYTE))
        assert error.code is Code.PAYLOAD_TOO_LARGE
        assert sent < 16 * MEGABYTE
        await parts.egress.close()


@pytest.mark.parametrize("coding", ["gzip", "deflate", "gzip, gzip"])
async def test_a_bomb_is_cut_off_while_it_is_unpacked(coding: str) -> None:
    plain = b"\0" * (16 * MEGABYTE)
    bomb = zlib.compress(plain) if coding == "deflate" else gzip.compress(plain)
    bomb = gzip.compress(bomb) if coding == "gzip, gzip" else bomb
    async with HttpServer(always(Reply(headers=(("Content-Encoding", coding),), body=bomb))) as server:
        parts = await listed(server)
        error = await refusal(parts, get(server.url, max_bytes=MEGABYTE))
        assert error.code is Code.PAYLOAD_TOO_LARGE
        answer = await parts.egress.fetch(get(server.url, max_bytes=17 * MEGABYTE))  # the control: it is a bomb
        assert len(answer.body) == len(plain)
        await parts.egress.close()


@pytest.mark.req("CRED-013")
@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate"])
async def test_an_echoed_secret_is_found_also_when_the_answer_is_packed(coding: str) -> None:
    async def echo(request: Received) -> Reply:
        body = f"you said {request.header('Authorization')}".encode()
        packed = {"identity": body, "gzip": gzip.compress(body), "deflate": zlib.compress(body)}[coding]
        return Reply(
            headers=(("Content-Encoding", coding), ("X-Echo", request.header("Authorization") or "")), body=packed
        )

    async with HttpServer(echo) as server:
        vault = OneSecretVault("the-secret-canary", plain_http=server.url)
        parts = await listed(server, vault=vault)
        answer = await parts.egress.fetch(get(server.url, Leave(AGENT, connection="conn")))
        assert server.received[0].header("Authorization") == "Bearer the-secret-canary"
        assert answer.body == b"you said Bearer [redacted]"
        assert ("X-Echo", "Bearer [redacted]") in answer.headers
        await parts.egress.close()


@pytest.mark.req("CRED-012", "CRED-013")
async def test_no_error_and_no_log_holds_the_secret(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)

    async def echo(request: Received) -> Reply:
        return Reply(headers=(("X-Echo", request.header("Authorization") or ""), ("Bad Header", "canary")))

    async with HttpServer(echo) as server, Silent(b"canary-secret\r\n\r\n") as rude:
        vault = OneSecretVault("canary-secret", plain_http=server.url)
        parts = await listed(server, rude, vault=vault)
        for url in (server.url, rude.url):
            vault.plain_http = url
            error = await refusal(parts, get(url, Leave(AGENT, connection="conn")))
            assert (error.__cause__, error.__suppress_context__) == (None, True)
            assert "canary" not in repr(error) + str(error.parameters)
        await parts.egress.close()
    assert "canary" in str(server.received)
    assert "canary" not in caplog.text


@pytest.mark.req("PERM-034", "SET-017", "APP-010")
async def test_a_real_redirect_into_the_computer_is_not_followed() -> None:
    async with HttpServer(always(Reply(body=b"inside"))) as inside:

        async def handler(request: Received) -> Reply:
            return Reply(302, (("Location", f"http://[::ffff:127.0.0.1]:{inside.port}/"),))

        async with HttpServer(handler) as server:
            parts = await listed(server)
            assert (await refusal(parts, get(server.url))).code is Code.NETWORK_LOCAL_CLOSED
            assert inside.received == []
            await parts.egress.close()

            parts = await listed(server, inside)
            assert (await parts.egress.fetch(get(server.url))).body == b"inside"
            await parts.egress.close()


@pytest.mark.req("APP-009", "PERM-031")
async def test_a_gem_is_not_redirected_beyond_its_grant_over_real_sockets() -> None:
    async with HttpServer(always(Reply())) as other:

        async def handler(request: Received) -> Reply:
            return Reply(307, (("Location", other.url),))

        async with HttpServer(handler) as server:
            parts = await listed(server)
            gem = Leave(AGENT, grant=HostGrant((), local=True))
            error = await refusal(parts, Request("POST", server.url, gem, (), b"data"))
            assert error.code is Code.PERM_DENIED
            assert other.received == []
            await parts.egress.close()


async def endless(_: Received) -> Reply:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"first"
        await asyncio.Event().wait()

    return Reply(chunks=pieces())


async def test_an_open_stream_ends_when_its_host_is_no_longer_allowed() -> None:
    async with HttpServer(endless) as server:
        parts = await listed(server)
        stream = await parts.egress.open(get(server.url))
        assert await stream.read() == b"first"
        waiting = asyncio.create_task(stream.read())
        await asyncio.sleep(0.05)
        await parts.egress.change_rules(rules(local=[f"localhost:{server.port}", "nas.local"]))
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await parts.egress.change_rules(rules())
        with pytest.raises(NotochordError) as caught:
            await waiting
        assert caught.value.code is Code.NETWORK_LOCAL_CLOSED
        assert await stream.read() == b""
        await parts.egress.close()


async def test_closing_the_gateway_ends_what_is_still_open() -> None:
    async with HttpServer(endless) as server:
        parts = await listed(server)
        stream = await parts.egress.open(get(server.url))
        assert await stream.read() == b"first"
        waiting = asyncio.create_task(stream.read())
        await asyncio.sleep(0.05)
        await parts.egress.close()
        with pytest.raises(NotochordError) as caught:
            await waiting
        assert caught.value.code is Code.CANCELLED
        assert await stream.read() == b""


async def test_a_cancelled_request_leaves_nothing_behind() -> None:
    async with Silent() as server:
        parts = await listed(server)
        task = asyncio.create_task(parts.egress.fetch(get(server.url)))
        await server.heard.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await parts.egress.close()


async def test_bodies_methods_and_event_streams_arrive_whole() -> None:
    async def handler(request: Received) -> Reply:
        if request.method == "HEAD":
            return Reply(headers=(("X-Size", "many"),), body=b"12345")
        if request.method == "DELETE":
            return Reply(204)
        if request.target == "/events":
            return Reply(chunks=events(["a", "b"]))
        return Reply(body=request.method.encode() + request.body, length=request.target != "/close")

    async with HttpServer(handler) as server:
        parts = await listed(server)

        async def send(method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
            answer = await parts.egress.fetch(Request(method, server.url + path, Leave(AGENT), (), body))
            return answer.status, answer.body

        big = bytes(range(256)) * 4096
        assert await send("POST", "/", big) == (200, b"POST" + big)
        assert await send("POST", "/") == (200, b"POST")
        assert await send("PUT", "/close", b"x") == (200, b"PUTx")
        assert await send("DELETE", "/") == (204, b"")
        assert await send("HEAD", "/") == (200, b"")
        assert await send("GET", "/events") == (200, b"data: a\n\ndata: b\n\n")
        await parts.egress.close()


async def test_the_resolver_of_the_system_knows_this_computer_and_says_what_it_does_not_know() -> None:
    assert "127.0.0.1" in await SystemResolver().resolve("localhost")
    for name in ("no-such-name.invalid", "a" * 64 + ".invalid"):
        with pytest.raises(NotochordError) as caught:
            await SystemResolver().resolve(name)
        assert caught.value.code is Code.NETWORK_UNREACHABLE
