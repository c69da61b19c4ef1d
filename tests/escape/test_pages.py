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


async def attempts(folder: Path, without: tuple[str, ...], *, control: bool = False) -> set[str]:
    """Return which attacks reached the server; a control waits for all of them."""
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
        return server.reached


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> tuple[set[str], set[str]]:
    """What the page reaches behind the barriers, and without them: both at once, since they mostly wait."""

    async def both() -> tuple[set[str], set[str]]:
        behind, control = (tmp_path_factory.mktemp(name) for name in ("behind", "control"))
        return await asyncio.gather(attempts(behind, ()), attempts(control, OF_THE_NET, control=True))

    return asyncio.run(both())


def test_no_page_reaches_a_server_on_this_computer_by_any_way(reached: tuple[set[str], set[str]]) -> None:
    assert reached[0] == set()


def test_without_barriers_the_same_page_reaches_it_by_every_way(reached: tuple[set[str], set[str]]) -> None:
    assert reached[1] == REQUESTS.keys() | NAVIGATIONS.keys()


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
    assert await attempts(tmp_path, tuple(one for one in OF_THE_NET if one != barrier)) == passes


async def test_what_a_page_may_not_do_it_cannot_do(tmp_path: Path) -> None:
    seen = await shown(Order(files=probes_page()), tmp_path)
    assert seen.reported is not None
    assert {name for name, what in seen.reported.items() if what == "reached"} == set()
    assert seen.reported.keys() == PROBES.keys()
    assert all(path.startswith("pages/") or path == "tools/tool.js" for path in seen.asked_files)
