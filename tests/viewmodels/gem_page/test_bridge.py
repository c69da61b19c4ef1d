"""What a page says is taken for nothing but calls of its own gem's tools, in bounds."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.strict_json import Json
from notochord.viewmodels.gem_page.bridge import AT_ONCE, BURST, OUTSTANDING, PER_SECOND, PageBridge
from notochord.viewmodels.gem_page.incidents import MOST, PageIncidents
from notochord.viewmodels.gem_page.messages import MAX_ABOUT, MAX_CHARACTERS, AskMessage, read_message
from support.clocks import HandClock
from support.gem_pages import PlayedPages


class Seat:
    """A bridge, and what it sent, asked and complained of."""

    def __init__(self, pages: PlayedPages) -> None:
        self.pages = pages
        self.clock = HandClock()
        self.sent: list[dict[str, Any]] = []
        self.asked: list[tuple[str, str]] = []
        self.overruns = 0
        self.bridge = PageBridge(
            pages=pages,
            clock=self.clock,
            gem="greeter",
            page="board",
            send=lambda text: self.sent.append(json.loads(text)),
            ask=lambda agent, about: self.asked.append((agent, about)),
            overrun=self._overrun,
            incidents=PageIncidents("greeter", "board"),
        )

    def _overrun(self) -> None:
        self.overruns += 1

    def call(self, number: int, target: str = "tool.greet", arguments: Json = None) -> None:
        self.bridge.receive(
            json.dumps({"kind": "call", "number": number, "target": target, "arguments": arguments or {}})
        )

    async def settle(self) -> None:
        for _ in range(5):
            await asyncio.sleep(0)


@pytest.fixture
async def seat(pages: PlayedPages) -> AsyncIterator[Seat]:
    made = Seat(pages)
    yield made
    await made.bridge.close()


@pytest.mark.req("GEM-067")
async def test_a_call_is_answered_under_its_number(seat: Seat) -> None:
    seat.call(7, arguments={"who": "Ann"})
    await seat.settle()
    assert seat.sent == [{"number": 7, "value": {"given": {"who": "Ann"}}}]
    assert seat.pages.calls == [("greeter", "board", "greet", {"who": "Ann"})]


async def test_a_failure_is_answered_with_its_code_and_an_unforeseen_one_without_its_inside(
    seat: Seat, caplog: pytest.LogCaptureFixture
) -> None:
    seat.call(1, "tool.fail")
    seat.call(2, "tool.break")
    await seat.settle()
    assert [(one["number"], one["error"]["code"]) for one in seat.sent] == [(1, "E_TOOL_FAILED"), (2, "E_INTERNAL")]
    assert "ZeroDivision" not in json.dumps(seat.sent)


@pytest.mark.parametrize(
    "target", ["greet", "gem.other.greet", "agent.helper", "sop.x", "tool.", "", "__proto__", "storage.kv.get"]
)
async def test_a_target_that_is_no_tool_of_its_own_calls_nothing(seat: Seat, target: str) -> None:
    seat.call(1, target)
    await seat.settle()
    assert seat.sent[0]["error"]["code"] == "E_TOOL_UNKNOWN"
    assert seat.pages.calls == []


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "1", "null", '{"kind":"call"}', '{"kind":"close","number":1}',
        '{"kind":"call","number":1,"target":"tool.greet","arguments":{},"gem":"other"}',
        '{"kind":"call","number":1,"target":"tool.greet","arguments":{},"__proto__":{"gem":"other"}}',
        '{"kind":"call","number":0,"target":"tool.greet","arguments":{}}',
        '{"kind":"call","number":true,"target":"tool.greet","arguments":{}}',
        '{"kind":"call","number":1.5,"target":"tool.greet","arguments":{}}',
        '{"kind":"call","number":1e999,"target":"tool.greet","arguments":{}}',
        '{"kind":"call","number":1,"number":2,"target":"tool.greet","arguments":{}}',
        '{"kind":"call","number":1,"target":["tool.greet"],"arguments":{}}',
        "[" * 100_000,
        '{"kind":"call","number":1,"target":"tool.greet","arguments":' + '{"a":' * 300 + "1" + "}" * 300 + "}",
        '{"kind":"call","number":1,"target":"tool.greet","arguments":"' + "x" * MAX_CHARACTERS + '"}',
    ],
    ids=range(17),
)  # fmt: skip
async def test_what_is_no_message_does_nothing(seat: Seat, text: str) -> None:
    seat.bridge.receive(text)
    await seat.settle()
    assert (seat.sent, seat.pages.calls) == ([], [])


VALUES = st.recursive(
    st.none() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@given(st.text() | VALUES.map(json.dumps))
def test_reading_any_text_gives_a_message_or_a_value_error(text: str) -> None:
    with suppress(ValueError):
        read_message(text)


async def test_the_number_of_a_call_that_runs_cannot_be_used_again(seat: Seat) -> None:
    seat.call(1, "tool.slow")
    seat.call(1, "tool.greet")
    await seat.settle()
    assert [call[2] for call in seat.pages.calls] == ["slow"]


async def test_a_few_calls_run_at_once_and_too_many_are_refused(seat: Seat) -> None:
    for number in range(1, OUTSTANDING + 2):
        seat.call(number, "tool.slow")
    await seat.settle()
    assert (seat.pages.most, [one["error"]["code"] for one in seat.sent]) == (AT_ONCE, ["E_LIMIT_REACHED"])


async def test_cancelling_ends_the_call_and_says_so(seat: Seat) -> None:
    seat.call(1, "tool.slow")
    await seat.settle()
    seat.bridge.receive('{"kind":"cancel","number":1}')
    await seat.settle()
    assert (seat.pages.cancelled, seat.sent[0]["error"]["code"]) == (1, "E_CANCELLED")


async def test_closing_ends_every_call_and_answers_none(seat: Seat) -> None:
    seat.call(1, "tool.slow")
    await seat.settle()
    await seat.bridge.close()
    seat.call(2)
    await seat.settle()
    assert (seat.pages.cancelled, seat.sent) == (1, [])


async def test_a_page_that_sends_without_end_is_stopped_once(seat: Seat) -> None:
    for _ in range(BURST + 10):
        seat.bridge.receive("[]")
    assert seat.overruns == 1
    seat.call(1)
    await seat.settle()
    assert seat.pages.calls == []


async def test_a_page_that_sends_much_but_not_without_end_goes_on(seat: Seat) -> None:
    for _ in range(20):
        for _ in range(PER_SECOND):
            seat.bridge.receive("[]")
        seat.clock.advance(1)
    assert seat.overruns == 0


async def test_what_an_agent_is_asked_about_is_short(seat: Seat) -> None:
    message = read_message(json.dumps({"kind": "ask", "agent": "helper", "about": "x" * 9_999}))
    assert isinstance(message, AskMessage)
    assert len(message.about) == MAX_ABOUT
    seat.bridge.receive('{"kind":"ask","agent":"helper","about":"a row"}')
    assert seat.asked == [("helper", "a row")]


ATTEMPTS = {
    '{"kind":"call","number":1,"target":"gem.other.greet","arguments":{}}': "a call with E_TOOL_UNKNOWN",
    '{"kind":"call","number":1,"target":"tool.greet","arguments":{},"gem":"other"}': "what is not a message",
    '{"kind":"canary"': "what is not a message",
    f'"{"x" * MAX_CHARACTERS}"': f"a message of {MAX_CHARACTERS + 2} characters",
}


@pytest.mark.parametrize(("text", "said"), ATTEMPTS.items(), ids=["other gem", "gem named", "no JSON", "too long"])
async def test_what_the_bridge_refuses_is_in_the_log_once_without_the_words_of_the_page(
    seat: Seat, caplog: pytest.LogCaptureFixture, text: str, said: str
) -> None:
    seat.bridge.receive(text)
    await seat.settle()
    assert [record.getMessage() for record in caplog.records] == [f"page greeter/board was refused {said}"]
    assert "canary" not in caplog.text


async def test_a_call_that_the_gem_may_make_and_one_that_fails_are_no_matter_for_the_log(
    seat: Seat, caplog: pytest.LogCaptureFixture
) -> None:
    seat.call(1)
    seat.call(2, "tool.fail")
    await seat.settle()
    assert (len(seat.sent), caplog.records) == (2, [])


def test_no_page_fills_the_log(caplog: pytest.LogCaptureFixture) -> None:
    incidents = PageIncidents("greeter\nfaked line", "board")
    for _ in range(MOST + 50):
        incidents.refused("a\nfaked line" + "x" * 999)
    assert len(caplog.records) == MOST + 1
    assert max(len(record.getMessage().splitlines()) for record in caplog.records) == 1
    assert caplog.records[-1].getMessage() == "page greeter faked line/board: what else it is refused is not told"
