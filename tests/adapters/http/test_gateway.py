"""The gateway over real sockets."""

from pathlib import Path

import pytest

from notochord.adapters.http.sender import HttpSender
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import Request
from support.certificates import Authority
from support.egress import Bench, HandResolver, OneSecretVault, bench, get, rules
from support.http_servers import HttpServer, Reply, always


async def listed(
    *servers: HttpServer, vault: OneSecretVault | None = None, authority: Authority | None = None
) -> Bench:
    """Return a gateway whose user listed these servers."""
    entries = [f"localhost:{server.port}" for server in servers]
    tls = None if authority is None else authority.client()
    return await bench(HttpSender(resolver=HandResolver(), tls=tls), lists=rules(local=entries), vault=vault)


async def refusal(parts: Bench, request: Request) -> Code:
    with pytest.raises(NotochordError) as caught:
        await parts.egress.fetch(request)
    return caught.value.code


async def test_a_listed_server_of_this_computer_is_reached_by_all_its_names() -> None:
    async with HttpServer(always(Reply(body=b"hello"))) as server:
        parts = await listed(server)
        for host in ("localhost", "127.0.0.1", "LOCALHOST.", "2130706433"):
            answer = await parts.egress.fetch(get(f"http://{host}:{server.port}/a?b=1"))
            assert (answer.status, answer.body) == (200, b"hello")
        assert {request.target for request in server.received} == {"/a?b=1"}
        assert await refusal(parts, get(f"http://127.0.0.2:{server.port}/")) is Code.NETWORK_LOCAL_CLOSED
        await parts.egress.close()


async def test_the_server_hears_the_name_and_its_certificate_is_checked_against_the_name(tmp_path: Path) -> None:
    authority = Authority(tmp_path)
    async with HttpServer(always(Reply()), tls=authority.server("nas.local")) as server:
        entries = [f"nas.local:{server.port}", f"other.local:{server.port}"]
        parts = await bench(
            HttpSender(resolver=HandResolver(), tls=authority.client()),
            lists=rules(local=entries),
            names={"nas.local": ["127.0.0.1"], "other.local": ["127.0.0.1"]},
        )
        answer = await parts.egress.fetch(get(f"https://nas.local:{server.port}/"))
        assert answer.status == 200
        assert server.received[0].header("Host") == f"nas.local:{server.port}"
        assert await refusal(parts, get(f"https://other.local:{server.port}/")) is Code.NETWORK_TLS
        await parts.egress.close()
