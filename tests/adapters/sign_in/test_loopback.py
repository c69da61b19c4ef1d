"""The place that waits for a redirect takes one request of one form, and leaves nothing behind."""

import asyncio

from hypothesis import given
from hypothesis import strategies as st

from notochord.adapters.sign_in.loopback import LoopbackRedirects, LoopbackWaiting
from notochord.services.accounts.ports import Parameters, ReturnPages
from support.oauth_servers import get

PAGES = ReturnPages("yes & <done>", "no")


def knows(query: Parameters) -> bool | None:
    return {"yes": True, "no": False}.get(query.get("state", ("",))[0])


async def test_a_redirect_gets_its_page_and_its_query_is_handed_over() -> None:
    for said in ("yes", "no"):
        async with LoopbackRedirects().waiting("/callback", knows, PAGES) as waiting:
            status, headers, body = await get(f"{waiting.uri}?state={said}&code=a%20b")
            assert await asyncio.wait_for(waiting.redirect(), 60) == {"state": (said,), "code": ("a b",)}
            assert status == 200
            assert ("yes &amp; &lt;done&gt;" if said == "yes" else "no") in body.decode()
            assert (headers["cache-control"], headers["referrer-policy"]) == ("no-store", "no-referrer")


async def test_a_second_redirect_is_told_that_nobody_waits() -> None:
    async with LoopbackRedirects().waiting("/callback", knows, PAGES) as waiting:
        assert (await get(f"{waiting.uri}?state=yes&code=1"))[0] == 200
        assert (await get(f"{waiting.uri}?state=yes&code=2"))[0] == 404
        assert (await waiting.redirect())["code"] == ("1",)


async def test_it_listens_on_the_loopback_interface_alone_and_on_another_port_each_time() -> None:
    async with (
        LoopbackRedirects().waiting("/callback", knows, PAGES) as one,
        LoopbackRedirects().waiting("/callback", knows, PAGES) as two,
    ):
        assert one.uri != two.uri
        for waiting in (one, two):
            assert isinstance(waiting, LoopbackWaiting)
            assert waiting._server is not None
            assert [socket.getsockname()[0] for socket in waiting._server.sockets] == ["127.0.0.1"]


async def test_who_connects_and_says_nothing_keeps_nobody_waiting_at_the_end() -> None:
    async with LoopbackRedirects().waiting("/callback", knows, PAGES) as waiting:
        host, _, port = waiting.uri.removeprefix("http://").removesuffix("/callback").partition(":")
        silent = [await asyncio.open_connection(host, int(port)) for _ in range(20)]
    for _, writer in silent:
        writer.close()


LINES = st.text(alphabet=st.characters(min_codepoint=9, max_codepoint=255, blacklist_characters="\r\n"), max_size=60)


@given(
    st.lists(LINES | st.sampled_from(["GET /callback?state=yes HTTP/1.1", "Host: 127.0.0.1:1", "host:x"]), max_size=4)
)
def test_only_one_form_of_request_is_read(lines: list[str]) -> None:
    async def judged() -> Parameters | None:
        waiting = LoopbackWaiting("/callback", knows, PAGES)
        waiting._authority = "127.0.0.1:1"
        query, _, _ = waiting._judged("\r\n".join(lines) + "\r\n\r\n")
        return query

    query = asyncio.run(judged())
    hosts = [line for line in lines[1:] if line.partition(":")[0].lower() == "host"]
    if query is not None:
        assert lines[0].startswith("GET /callback?")
        assert len(hosts) == 1
        assert hosts[0].endswith("127.0.0.1:1")
