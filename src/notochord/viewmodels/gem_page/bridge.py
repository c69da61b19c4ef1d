"""Carries out what one opened page asks for: calls of its own gem's tools, in bounds, until the page is closed."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, encode
from notochord.core.tasks import Lifetime
from notochord.services.gem_pages.api import GemPages
from notochord.viewmodels.gem_page.incidents import PageIncidents
from notochord.viewmodels.gem_page.messages import (
    MAX_CHARACTERS,
    AskMessage,
    CallMessage,
    CancelMessage,
    read_message,
)

AT_ONCE = 8
"""How many calls of a page run at the same time; the others wait."""

OUTSTANDING = 64
"""How many calls of a page may run and wait together."""

PER_SECOND = 200
"""How many messages a page may send in a second; one that sends more for long is stopped."""

BURST = 2_000

_SUSPICIOUS = frozenset({Code.TOOL_UNKNOWN, Code.PERM_DENIED, Code.PAYLOAD_TOO_LARGE})
"""With these a page is refused what it has no right to; anything else is a mistake like any other."""

_log = logging.getLogger(__name__)


class PageBridge:
    """Whose page it is was settled when it was opened: no message can name a gem (its tools are looked up in that one).

    `send` is given each answer; `ask` an agent's name and what the user asked about; `overrun` is called once when the
    page sends more than anything would that is used by a person.
    """

    def __init__(
        self, *, pages: GemPages, clock: Clock, gem: str, page: str, send: Callable[[str], None],
        ask: Callable[[str, str], None], overrun: Callable[[], None], incidents: PageIncidents,
    ) -> None:  # fmt: skip
        self._pages = pages
        self._clock = clock
        self._gem = gem
        self._page = page
        self._send = send
        self._ask = ask
        self._overrun = overrun
        self._incidents = incidents
        self._lifetime = Lifetime(f"page of {gem}")
        self._running: dict[int, asyncio.Task[None]] = {}
        self._turns = asyncio.Semaphore(AT_ONCE)
        self._allowance = float(BURST)
        self._counted = clock.monotonic()
        self._closed = False

    def receive(self, text: str) -> None:
        """Take a message of the page; whatever it is, nothing is raised."""
        if self._closed or not self._may_send():
            return
        if len(text) > MAX_CHARACTERS:
            self._incidents.refused(f"a message of {len(text)} characters")
            return
        try:
            message = read_message(text)
        except ValueError:
            self._incidents.refused("what is not a message")
            return
        match message:
            case CallMessage():
                self._begin(message)
            case CancelMessage():
                if (task := self._running.get(message.number)) is not None:
                    task.cancel()
            case AskMessage():
                self._ask(message.agent, message.about)

    async def close(self) -> None:
        """End what still runs; nothing is answered any more."""
        self._closed = True
        await self._lifetime.close()

    def _may_send(self) -> bool:
        now = self._clock.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * PER_SECOND)
        self._counted = now
        self._allowance -= 1
        if self._allowance >= 0:
            return True
        self._closed = True
        for task in self._running.values():
            task.cancel()
        self._incidents.refused("messages without end, and is stopped")
        self._overrun()
        return False

    def _begin(self, message: CallMessage) -> None:
        if message.number in self._running:
            self._incidents.refused("the number of a call that still runs")
            return
        if len(self._running) >= OUTSTANDING:
            self._incidents.refused("more calls at once")
            self._answer(message.number, _error(_too_many()))
            return
        task = self._lifetime.start("call", self._run(message))
        self._running[message.number] = task
        task.add_done_callback(lambda _: self._running.pop(message.number, None))

    async def _run(self, message: CallMessage) -> None:
        try:
            async with self._turns:
                if not message.tool:
                    raise _unknown(message.target)
                value = await self._pages.call(self._gem, self._page, message.tool, message.arguments)
            answer: dict[str, Json] = {"value": value}
        except NotochordError as error:
            if error.code in _SUSPICIOUS:
                self._incidents.refused(f"a call with {error.code}")
            answer = _error(error)
        except asyncio.CancelledError:
            self._answer(message.number, _error(NotochordError(Code.CANCELLED, Fault.USER, "the call was cancelled")))
            raise
        except Exception:
            _log.exception("a call from a page of %s failed in a way that nobody foresaw", self._gem)
            answer = _error(NotochordError(Code.INTERNAL, Fault.BUG, "the call failed"))
        self._answer(message.number, answer)

    def _answer(self, number: int, answer: dict[str, Json]) -> None:
        if not self._closed:
            self._send(encode({"number": number, **answer}))


def _error(error: NotochordError) -> dict[str, Any]:
    return {"error": {"code": error.code.value, "message": error.detail}}


def _unknown(target: str) -> NotochordError:
    return NotochordError(
        Code.TOOL_UNKNOWN, Fault.GUEST, f"{target[:100]!r} is not a tool.<name>; a page calls only those"
    )


def _too_many() -> NotochordError:
    return NotochordError(Code.LIMIT_REACHED, Fault.GUEST, f"a page may wait for at most {OUTSTANDING} calls at once")
