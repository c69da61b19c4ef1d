"""A page while it is open: its states, its links, its agents, and its end."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.gems.api import GemInstalled, GemRemoved
from notochord.viewmodels.gem_page.bridge import BURST
from notochord.viewmodels.gem_page.model import MAX_PROBLEMS, GemPageModel, Link, PageState
from notochord.viewmodels.gem_page.place import GemPagePlace, subject_of
from notochord.viewmodels.shell.navigation import Navigation, Page, Place
from support.clocks import HandClock
from support.eventually import until
from support.gem_pages import PlayedPages


class Surroundings:
    """What the model stands on."""

    def __init__(self, pages: PlayedPages) -> None:
        self.pages, self.events = pages, EventBus()
        self.opened: list[str] = []
        self.asked: list[tuple[str, str, str]] = []
        self.refusal: NotochordError | None = None
        self.before_user = True
        self.walls = True

    def model(self, gem: str = "greeter", page: str = "board") -> GemPageModel:
        return GemPageModel(
            pages=self.pages, events=self.events, clock=HandClock(), gem=gem, page=page, open_link=self.opened.append,
            can_wall=self._can_wall, ask_agent=self._ask, is_before_user=lambda: self.before_user,
        )  # fmt: skip

    async def _can_wall(self) -> bool:
        return self.walls

    async def _ask(self, gem: str, agent: str, about: str) -> None:
        self.asked.append((gem, agent, about))
        if self.refusal is not None:
            raise self.refusal


@pytest.fixture
def around(pages: PlayedPages) -> Surroundings:
    return Surroundings(pages)


@pytest.fixture
async def model(around: Surroundings) -> AsyncIterator[GemPageModel]:
    made = around.model()
    await made.start()
    yield made
    await made.close()


async def test_a_page_is_loading_then_shown(model: GemPageModel) -> None:
    assert (model.state.value, model.opened.value) == (PageState.LOADING, 1)
    model.loaded(True)
    assert model.state.value is PageState.SHOWN


async def test_a_page_is_not_loaded_where_nothing_keeps_it_in(around: Surroundings) -> None:
    around.walls = False
    model = around.model()
    await model.start()
    assert (model.state.value, model.opened.value) == (PageState.UNSAFE, 0)
    await model.close()


async def test_changed_files_end_the_page_and_say_why(model: GemPageModel, pages: PlayedPages) -> None:
    model.loaded(True)
    pages.failure = NotochordError(Code.FILES_CHANGED, Fault.USER, "board.js", path="board.js")
    with pytest.raises(NotochordError):
        await model.file("pages/board.js")
    assert (model.state.value, model.failure.value) == (PageState.FAILED, pages.failure)


async def test_a_file_that_is_missing_is_a_problem_and_the_page_stays(model: GemPageModel, pages: PlayedPages) -> None:
    model.loaded(True)
    pages.failure = NotochordError(Code.NOT_FOUND, Fault.GUEST, "no file")
    with pytest.raises(NotochordError):
        await model.file("pages/none.js")
    assert (model.state.value, model.problems.value) == (PageState.SHOWN, ("no file",))


async def test_problems_are_counted_up_to_a_number_and_forgotten_when_the_page_is_loaded_anew(
    model: GemPageModel,
) -> None:
    for number in range(MAX_PROBLEMS + 5):
        model.problem(f"failed {number}")
    assert len(model.problems.value) == MAX_PROBLEMS
    await model.reload()
    assert model.problems.value == ()


async def test_a_crash_ends_what_the_page_had_asked_for_and_loading_anew_brings_it_back(
    model: GemPageModel, pages: PlayedPages
) -> None:
    model.receive('{"kind":"call","number":1,"target":"tool.slow","arguments":{}}')
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    model.crashed()
    await until(lambda: pages.cancelled == 1)
    assert model.state.value is PageState.CRASHED
    await model.reload()
    assert (model.state.value, model.opened.value) == (PageState.LOADING, 2)


async def test_a_page_that_sends_without_end_stands_stopped(model: GemPageModel) -> None:
    for _ in range(BURST + 1):
        model.receive("[]")
    assert model.state.value is PageState.STOPPED


async def test_another_version_of_the_gem_is_loaded_and_a_removed_gem_takes_its_page_along(
    model: GemPageModel, around: Surroundings
) -> None:
    around.events.publish(GemInstalled("other", "2.0.0"))
    around.events.publish(GemInstalled("greeter", "2.0.0"))
    await until(lambda: model.opened.value == 2)
    around.events.publish(GemRemoved("greeter"))
    assert model.state.value is PageState.GONE


async def test_a_link_is_opened_when_the_user_agrees_and_only_one_is_asked_about(
    model: GemPageModel, around: Surroundings
) -> None:
    model.wants_link("https://xn--bcher-kva.example/a?b")
    model.wants_link("https://other.example/")
    assert model.link.value == Link("https://xn--bcher-kva.example/a?b", "xn--bcher-kva.example")
    model.answer_link(follow=False)
    assert around.opened == []
    assert model.link.value is None
    model.wants_link("mailto:a@b.example")
    model.answer_link(follow=True)
    assert around.opened == ["mailto:a@b.example"]


@pytest.mark.parametrize("address", ["file:///etc/passwd", "javascript:1", "https://", "ftp://a.example", "x" * 9_000])
async def test_an_address_that_is_no_link_is_not_asked_about(model: GemPageModel, address: str) -> None:
    model.wants_link(address)
    assert model.link.value is None


@pytest.mark.req("AGENT-011")
async def test_a_bubble_asks_an_agent_of_the_own_gem_and_no_other(model: GemPageModel, around: Surroundings) -> None:
    for agent in ("helper", "stranger"):
        model.receive(json.dumps({"kind": "ask", "agent": agent, "about": "row"}))
    await until(lambda: bool(around.asked and model.problems.value))
    assert around.asked == [("greeter", "helper", "row")]
    assert len(model.problems.value) == 1


async def test_zoom_goes_in_steps_and_stays_in_bounds(model: GemPageModel) -> None:
    for _ in range(30):
        model.change_zoom(1)
    assert model.zoom.value == 3.0
    model.change_zoom(0)
    assert model.zoom.value == 1.0


async def test_one_page_is_open_at_a_time_and_stays_open_while_the_user_is_elsewhere(around: Surroundings) -> None:
    navigation = Navigation()
    place = GemPagePlace(navigation=navigation, make=around.model)
    assert place.current.value is None
    navigation.go(Page.GEM_PAGE, subject_of("greeter", "board"))
    first = place.current.value
    navigation.go(Page.HOME)
    navigation.go(Page.GEM_PAGE, subject_of("greeter", "board"))
    assert place.current.value is first
    navigation.go(Page.GEM_PAGE, subject_of("other", "board"))
    assert place.current.value is not first
    place.back()
    assert navigation.place.value == Place(Page.GEM, "other")
    await place.close()


async def test_what_the_engine_refuses_and_an_agent_that_there_is_not_are_in_the_log(
    model: GemPageModel, caplog: pytest.LogCaptureFixture
) -> None:
    await model.start()
    model.refused("a request to example.com")
    model.receive(json.dumps({"kind": "ask", "agent": "canary", "about": "row"}))
    model.problem("board.js:1: canary")
    said = ["a request to example.com", "an agent that its gem does not have"]
    assert [record.getMessage() for record in caplog.records] == [
        f"page greeter/board was refused {one}" for one in said
    ]
    assert "canary" not in caplog.text


async def test_why_a_bubble_led_nowhere_is_told_until_the_next_one(model: GemPageModel, around: Surroundings) -> None:
    await model.start()
    around.refusal = NotochordError(Code.MODEL_NOT_CHOSEN, Fault.USER, "no model")
    model.receive(json.dumps({"kind": "ask", "agent": "helper", "about": "row"}))
    await until(lambda: model.talk_failure.value is around.refusal)
    around.refusal = None
    model.receive(json.dumps({"kind": "ask", "agent": "helper", "about": "row"}))
    await until(lambda: len(around.asked) == 2)
    assert model.talk_failure.value is None


async def test_a_page_that_is_not_before_the_user_asks_no_agent(
    model: GemPageModel, around: Surroundings, caplog: pytest.LogCaptureFixture
) -> None:
    await model.start()
    around.before_user = False
    model.receive(json.dumps({"kind": "ask", "agent": "helper", "about": "row"}))
    around.before_user = True
    model.receive(json.dumps({"kind": "ask", "agent": "helper", "about": "other"}))
    await until(lambda: around.asked == [("greeter", "helper", "other")])
    assert caplog.messages == ["page greeter/board was refused an agent while it is not before the user"]
