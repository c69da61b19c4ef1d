"""One running guest: its calls share a pair of pipes, and what it asks for is answered by each call's host."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.core.tasks import Lifetime
from notochord.services.sandbox import failures
from notochord.services.sandbox.api import GuestCall, Host, HostRequest
from notochord.services.sandbox.frames import ProtocolViolation, encode_frame, read_frame
from notochord.services.sandbox.incidents import Incidents
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.messages import Asked, Denied, Logged, Message, Ready, Returned, Thrown, parse, value_of
from notochord.services.sandbox.ports import GuestProcess

MOST_REFUSALS = 16
"""How many of a call's last refusals are remembered, for the one that it fails of."""

_log = logging.getLogger(__name__)


@dataclass(slots=True, eq=False)
class _Running:
    """A call in a guest. It is `over` once it returned or was given up: nothing it asks for then is done."""

    call: GuestCall
    host: Host
    requests: Lifetime
    outcome: asyncio.Future[Json]
    prefixes: tuple[str, ...]
    answering: set[asyncio.Task[None]] = field(default_factory=set)
    refusals: list[NotochordError] = field(default_factory=list)
    over: bool = False


class Guest:
    """A process and the calls that run in it. It fails as a whole; its calls then fail with it."""

    def __init__(self, process: GuestProcess, *, name: str, clock: Clock, limits: GuestLimits) -> None:
        self._process = process
        self._incidents = Incidents(name)
        self._clock = clock
        self._limits = limits
        self._calls: dict[int, _Running] = {}
        self._last_id = 0
        self._failure: NotochordError | None = None
        self._ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._outstanding = 0
        self._outstanding_bytes = 0
        self._slots = asyncio.Semaphore(limits.answering)
        self._noise = 0
        self._noise_since = clock.monotonic()
        self._tasks = Lifetime("guest")
        self._reader = self._tasks.start("read", self._read())
        self._retired = False
        self.last_used = clock.monotonic()

    @property
    def usable(self) -> bool:
        """Tell whether new calls may be given to it."""
        return self._failure is None and not self._retired

    @property
    def idle(self) -> bool:
        return not self._calls

    def retire(self) -> None:
        """Take no new calls."""
        self._retired = True

    async def ready(self) -> None:
        """Wait until the guest's program runs. Raises GUEST_START; the process is gone then."""
        limit = self._tasks.start("start limit", self._limit_start())
        try:
            await asyncio.shield(self._ready)
        finally:
            limit.cancel()

    async def call(self, call: GuestCall, url: str, host: Host) -> Json:
        """Run a call; see `Sandbox.call`."""
        self._last_id += 1
        number = self._last_id
        running = _Running(
            call,
            host,
            Lifetime(f"guest call {number}"),
            asyncio.get_running_loop().create_future(),
            tuple(f"{namespace}." for namespace in call.namespaces),
        )
        self._calls[number] = running
        if self._failure is not None:
            running.outcome.set_exception(self._failure)
        limit = self._tasks.start("time limit", self._limit_call(number, running)) if call.seconds else None
        try:
            self._write(_start_message(number, call, url))
            return await self._outcome(running)
        except NotochordError as error:
            self._incidents.failed(number, error, by_runtime=failures.is_refusal(error))
            raise
        finally:
            if limit is not None:
                limit.cancel()
            running.over = True
            if not running.outcome.done():
                running.outcome.cancel()
            elif not running.outcome.cancelled():
                running.outcome.exception()  # a call that was stopped in the same moment does not look at it
            await running.requests.close()
            self._leave(number)

    async def end(self, reason: NotochordError) -> None:
        """Kill the process; calls that still run fail with `reason`."""
        self._fail(reason)
        await asyncio.wait([self._reader])
        await self._tasks.close()

    async def _outcome(self, running: _Running) -> Json:
        """Wait for a call's end; what it asked for before that is carried out first, unless its process is gone."""
        try:
            return await running.outcome
        finally:
            running.over = True
            if running.answering and self._failure is None and not running.outcome.cancelled():
                await asyncio.wait(running.answering)

    def _leave(self, number: int) -> None:
        """Forget a call that ended; tell the guest to stop one that did not, and never use that process again."""
        self.last_used = self._clock.monotonic()
        if number not in self._calls or self._failure is not None:
            self._calls.pop(number, None)
            self._end_if_spent()
            return
        self._retired = True
        self._write({"type": "cancel", "call": number})
        _ = self._tasks.start("stop a call", self._stop(number))

    def _end_if_spent(self) -> None:
        """End a process that gets no more calls: what a stopped call left running in it ends too."""
        if self._retired and not self._calls:
            self._fail(failures.stopped_error())

    async def _stop(self, number: int) -> None:
        await self._clock.sleep(self._limits.grace)
        if number in self._calls:
            self._fail(failures.bystander_error())

    async def _limit_call(self, number: int, running: _Running) -> None:
        await self._clock.sleep(running.call.seconds)
        if not running.outcome.done():
            running.outcome.set_exception(failures.timeout_error(running.call.seconds))

    async def _limit_start(self) -> None:
        await self._clock.sleep(self._limits.start)
        self._fail(failures.refused_start(f"it was not ready after {self._limits.start:g} s"))

    async def _read(self) -> None:
        try:
            while True:
                await self._take(parse(await read_frame(self._process.read, self._limits)))
        except ProtocolViolation as violation:
            self._fail(failures.protocol_error(str(violation)))
        except EOFError:
            self._process.kill()
        finally:
            self._process.kill()
            ended = await self._process.wait()
            self._fail(failures.exit_error(ended) if self._ready.done() else failures.start_error(ended))

    async def _take(self, message: Message) -> None:
        if isinstance(message, Asked):
            self._ask(message)
        elif isinstance(message, Returned | Thrown):
            await self._finish(message)
        elif isinstance(message, Ready):
            if self._ready.done():
                raise ProtocolViolation("it started twice")
            self._ready.set_result(None)
        elif isinstance(message, Denied):
            self._count_noise()
            self._incidents.denied(message.call, message.what)
        else:
            self._write_log(message)

    async def _finish(self, message: Returned | Thrown) -> None:
        if message.call not in self._calls:
            self._count_noise()
            self._incidents.forged(message.call)
            return
        result = await _result(message, self._calls[message.call].refusals)
        running = self._calls.pop(message.call, None)
        if running is None or running.over:
            self._end_if_spent()
        elif running.outcome.done():
            return
        elif isinstance(result, NotochordError):
            running.outcome.set_exception(result)
        else:
            running.outcome.set_result(result)

    def _write_log(self, message: Logged) -> None:
        self._count_noise()
        running = self._calls.get(message.call)
        if running is not None and not running.over:
            running.host.log(message.text)

    def _count_noise(self) -> None:
        now = self._clock.monotonic()
        if now - self._noise_since >= 1.0:
            self._noise, self._noise_since = 0, now
        self._noise += 1
        if self._noise > self._limits.noise_per_second:
            raise ProtocolViolation("it sent too many frames")

    def _ask(self, asked: Asked) -> None:
        running = self._calls.get(asked.call)
        size = len(asked.attachment or b"")
        if self._outstanding >= self._limits.outstanding or (
            self._outstanding and self._outstanding_bytes + size > self._limits.outstanding_bytes
        ):
            raise ProtocolViolation("it has too many requests under way")
        open_call = running if running is not None and not running.over else None
        if open_call is None:
            self._count_noise()
        self._outstanding += 1
        self._outstanding_bytes += size
        owner = open_call.requests if open_call is not None else self._tasks
        task = owner.start("answer", self._answer(open_call, asked))
        if open_call is not None:
            open_call.answering.add(task)
        task.add_done_callback(partial(self._answered, open_call, size))

    def _answered(self, running: _Running | None, size: int, task: asyncio.Task[None]) -> None:
        if running is not None:
            running.answering.discard(task)
        self._outstanding -= 1
        self._outstanding_bytes -= size

    async def _answer(self, running: _Running | None, asked: Asked) -> None:
        async with self._slots:
            try:
                answer = await _host_of(running, asked).answer(
                    HostRequest(asked.target, asked.arguments, asked.attachment)
                )
                message: dict[str, Json] = {"type": "answer", "id": asked.id, "value": answer.value, "error": None}
                self._write(message, answer.attachment or b"")
            except NotochordError as error:
                self._incidents.refused(asked.call, asked.target, error)
                if running is not None and failures.explains_itself(error):
                    running.refusals = [*running.refusals[1 - MOST_REFUSALS :], error]
                self._write(_refusal(asked.id, error.code, error.detail))
            except Exception:
                _log.exception("a request of a guest failed inside the program")
                self._write(_refusal(asked.id, Code.INTERNAL, "the program failed to answer"))
            await self._process.drain()

    def _write(self, message: dict[str, Json], attachment: bytes = b"") -> None:
        self._process.write(encode_frame(message, attachment))

    def _fail(self, error: NotochordError) -> None:
        if self._failure is None:
            self._failure = error
        self._process.kill()
        if not self._ready.done():
            self._ready.set_exception(error)
            self._ready.exception()
        for running in self._calls.values():
            if not running.over and not running.outcome.done():
                running.outcome.set_exception(self._failure)
        self._calls.clear()


async def _result(message: Returned | Thrown, refusals: Sequence[NotochordError]) -> "Json | NotochordError":
    """Return a call's value, or the error that it ended with. Raises ProtocolViolation."""
    if isinstance(message, Thrown):
        return failures.thrown_error(message, refusals)
    try:
        return await value_of(message)
    except OverflowError:
        return failures.too_large_error()


def _start_message(number: int, call: GuestCall, url: str) -> dict[str, Json]:
    return {
        "type": "call",
        "call": number,
        "module": url,
        "input": call.input,
        "namespaces": list(call.namespaces),
        "idempotencyKey": call.idempotency_key,
    }


def _refusal(identifier: int, code: Code, detail: str) -> dict[str, Json]:
    message = failures.told(code, detail)
    return {"type": "answer", "id": identifier, "value": None, "error": {"code": str(code), "message": message}}


def _host_of(running: _Running | None, asked: Asked) -> Host:
    """Return who answers. Raises CANCELLED for a call that is over or never was, PERM_DENIED for a closed namespace."""
    if running is None:
        raise NotochordError(Code.CANCELLED, Fault.GUEST, "the call is over")
    if not asked.target.startswith(running.prefixes):
        raise NotochordError(Code.PERM_DENIED, Fault.GUEST, f"this tool may not use {asked.target[:80]!r}")
    return running.host
