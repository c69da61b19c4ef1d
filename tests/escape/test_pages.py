"""A page reaches nothing outside its gem; with the barriers taken away the same page reaches it all."""

import asyncio
from pathlib import Path

import pytest

from escape.page_attacks import NAVIGATIONS, PROBES, REQUESTS, navigation_pages, probes_page, requests_page
from support.page_program import Order
from support.pages import outside, shown

WAIT = 2500
"""Milliseconds that the requests of a page have to reach something."""
OF_THE_NET = ("policy", "interceptor", "proxy", "navigation")


REFUSED = "page tester/page was refused "
IN_THE_LOG = {
    "script-src", "worker-src", "connect-src", "img-src", "camera", "display-capture", "fullscreen", "a dialog",
    "the permission Notifications", "a file with E_NOT_FOUND",
}  # fmt: skip
UNSEEN = {"datagram"}
"""What the engine itself has no way for: nobody refuses it, so nobody is told of it."""

Attempts = tuple[set[str], list[str]]
"""Which attacks reached the server, and what the program's log says of the page."""


async def attempts(folder: Path, without: tuple[str, ...], *, control: bool = False) -> Attempts:
    """Let the page try everything; a control waits for all of it."""
    async with outside() as server:
        order = Order(
            files={**requests_page(0 if control else WAIT), **navigation_pages()},
            without=without,
            then=tuple(f"pages/{name}.html" for name in NAVIGATIONS),
            port=server.port,
            reaches=tuple(REQUESTS) if control else (),
        )
        seen = await shown(order, folder)
        assert seen.reported == {}, seen
        assert seen.walled
        return server.reached, [line.removeprefix(REFUSED) for line in seen.log if line.startswith(REFUSED)]


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> tuple[Attempts, Attempts]:
    """What the page does behind the barriers, and without them: both at once, since they mostly wait."""

    async def both() -> tuple[Attempts, Attempts]:
        behind, control = (tmp_path_factory.mktemp(name) for name in ("behind", "control"))
        return await asyncio.gather(attempts(behind, ()), attempts(control, OF_THE_NET, control=True))

    return asyncio.run(both())


def test_no_page_reaches_a_server_on_this_computer_by_any_way_and_each_attempt_is_in_the_log_once(
    tried: tuple[Attempts, Attempts],
) -> None:
    reached, log = tried[0]
    assert reached == set()
    assert len(log) == len({**REQUESTS, **NAVIGATIONS}.keys() - UNSEEN), log
    assert log.count("going to 127.0.0.1") == len({"location", "location_replace", "meta_refresh"})
    assert {line for line in log if not line.startswith("something by its policy: ")} == {"going to 127.0.0.1"}


def test_without_barriers_the_same_page_reaches_it_by_every_way_and_the_log_tells_of_nothing(
    tried: tuple[Attempts, Attempts],
) -> None:
    assert tried[1] == (REQUESTS.keys() | NAVIGATIONS.keys(), [])


@pytest.mark.long
@pytest.mark.parametrize(
    ("barrier", "passes"),
    [
        ("proxy", set()),
        ("interceptor", {"datagram"}),
        ("policy", {"datagram", *NAVIGATIONS} - {"form"}),
    ],
)
async def test_each_barrier_holds_its_part_alone(tmp_path: Path, barrier: str, passes: set[str]) -> None:
    reached, log = await attempts(tmp_path, tuple(one for one in OF_THE_NET if one != barrier))
    assert reached == passes
    of_interceptor = {"a request to 127.0.0.1", "a request to localhost"}
    assert set(log) & of_interceptor == (of_interceptor if barrier == "interceptor" else set())


async def test_what_a_page_may_not_do_it_cannot_do(tmp_path: Path) -> None:
    seen = await shown(Order(files=probes_page()), tmp_path)
    assert seen.reported is not None
    assert {name for name, what in seen.reported.items() if what == "reached"} == set()
    assert seen.reported.keys() == PROBES.keys()
    assert all(path.startswith("pages/") or path == "tools/tool.js" for path in seen.asked_files)
    log = {line.removeprefix(REFUSED).removeprefix("something by its policy: ") for line in seen.log}
    assert log >= IN_THE_LOG
