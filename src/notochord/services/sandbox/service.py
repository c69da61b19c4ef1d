"""Starts guests when they are first called, reuses them within one grant context, and ends them."""

import asyncio
import hashlib
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path, PurePosixPath

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.core.tasks import Lifetime, finish
from notochord.services.sandbox import failures
from notochord.services.sandbox.api import GemInstance, GrantContext, GuestCall, Host, ProcedureCall
from notochord.services.sandbox.guest import Guest
from notochord.services.sandbox.incidents import not_started
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.ports import GuestLauncher, GuestOrder, GuestProcess
from notochord.services.sandbox.trees import find_foreign

PROCEDURE = "notochord:"
"""Begins the address of what the guest's own program runs; no module of a gem has such an address."""


@dataclass(frozen=True, slots=True)
class _Started:
    context: GrantContext
    code: Path
    guest: Guest


class GuestSandbox:
    """The sandbox; one process per grant context. `state` is the folder for the runtimes' caches, one per instance."""

    def __init__(
        self, *, launcher: GuestLauncher, clock: Clock, state: Path, limits: GuestLimits | None = None
    ) -> None:
        self._launcher = launcher
        self._clock = clock
        self._state = state
        self._limits = limits or GuestLimits()
        self._starting: dict[GrantContext, asyncio.Task[Guest]] = {}
        self._guests: list[_Started] = []
        self._tasks = Lifetime("sandbox")
        self._procedures: set[Guest] = set()
        self._closed = False

    async def call(self, call: GuestCall, host: Host) -> Json:
        try:
            _check_module(call.module)
        except NotochordError as error:
            not_started(call.context.instance.id, error)
            raise
        code, guest = await self._guest(call.context)
        try:
            return await guest.call(call, _address(code, call.module), host)
        except NotochordError as error:
            raise _without_folder(error, code) from error.__cause__
        finally:
            if not self._closed:
                self._tidy()

    async def run_procedure(self, call: ProcedureCall, host: Host) -> Json:
        state = self._state_of(f"procedure {call.id}")
        context = GrantContext(GemInstance(call.id, state / "code", state / "resources"), "", call.id)
        try:
            order = await asyncio.to_thread(_procedure_order, context.instance, state, jitless=not call.compiled)
            guest = self._guest_of(await self._launcher.start(order), call.id)
            self._procedures.add(guest)
            try:
                await guest.ready()
                asked = GuestCall(context, "", call.input, (call.name,), call.id, call.caller, call.seconds)
                return await guest.call(asked, f"{PROCEDURE}{call.name}", host)
            finally:
                self._procedures.discard(guest)
                await finish(guest.end(failures.stopped_error()))
        finally:
            await asyncio.to_thread(shutil.rmtree, state, ignore_errors=True)

    async def stop(self, instance: str) -> None:
        await self._end(lambda context: context.instance.id == instance)
        await asyncio.to_thread(shutil.rmtree, self._state_of(instance), ignore_errors=True)

    async def close(self) -> None:
        self._closed = True
        await self._end(lambda context: True)
        await asyncio.gather(*(guest.end(failures.stopped_error()) for guest in tuple(self._procedures)))
        await self._tasks.close()

    def wall(self) -> str:
        return self._launcher.wall()

    async def _guest(self, context: GrantContext) -> tuple[Path, Guest]:
        """Return the context's guest and where its code lies, starting it if there is none.

        A start outlives the caller that asked for it.
        """
        while True:
            if self._closed:
                raise failures.stopped_error()
            for started in self._guests:
                if started.context == context and started.guest.usable:
                    return started.code, started.guest
            if context not in self._starting:
                self._starting[context] = self._tasks.start("start", self._start(context))
            await _outcome_of(self._starting[context])

    async def _start(self, context: GrantContext) -> Guest:
        try:
            order = await asyncio.to_thread(self._order, context)
            guest = self._guest_of(await self._launcher.start(order), context.instance.id)
            self._guests.append(_Started(context, order.code, guest))
            try:
                await guest.ready()
            except BaseException:
                await self._drop(guest, failures.stopped_error())
                raise
        except NotochordError as error:
            not_started(context.instance.id, error)
            raise
        finally:
            del self._starting[context]
        _ = self._tasks.start("idle", self._watch(guest))
        return guest

    def _tidy(self) -> None:
        """End the guests that are of no use any more, and the longest idle ones when more are idle than are kept."""
        idle = sorted(
            (started.guest for started in self._guests if started.guest.idle), key=lambda guest: guest.last_used
        )
        kept = [guest for guest in idle if guest.usable][-self._limits.idle_guests :]
        for guest in idle:
            if guest not in kept:
                guest.retire()  # now: until the task runs, another call could take it
                _ = self._tasks.start("drop", self._drop(guest, failures.stopped_error()))

    def _guest_of(self, process: GuestProcess, name: str) -> Guest:
        return Guest(process, name=name, clock=self._clock, limits=self._limits)

    def _order(self, context: GrantContext) -> GuestOrder:
        instance = context.instance
        try:
            instance.resources.mkdir(parents=True, exist_ok=True)
            for folder in (instance.code, instance.resources):
                if (found := find_foreign(folder)) is not None:
                    raise failures.refused_start(f"{found} is a link or a special file")
            return GuestOrder(instance.code.resolve(), instance.resources.resolve(), self._state_of(instance.id))
        except OSError as error:
            raise failures.refused_start(f"its folder cannot be read ({error.strerror})") from error

    def _state_of(self, instance: str) -> Path:
        return self._state / hashlib.sha256(instance.encode()).hexdigest()[:32]

    async def _watch(self, guest: Guest) -> None:
        """End a guest once nobody has used it for a while, or when it is of no use any more."""
        while True:
            await self._clock.sleep(self._limits.idle)
            unused = self._clock.monotonic() - guest.last_used >= self._limits.idle
            if guest.idle and (unused or not guest.usable):
                await self._drop(guest, failures.stopped_error())
                return

    async def _drop(self, guest: Guest, reason: NotochordError) -> None:
        await guest.end(reason)
        self._guests = [started for started in self._guests if started.guest is not guest]

    async def _end(self, meant: Callable[[GrantContext], bool]) -> None:
        starting = [task for context, task in self._starting.items() if meant(context)]
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        ended = [started.guest for started in self._guests if meant(started.context)]
        await asyncio.gather(*(self._drop(guest, failures.stopped_error()) for guest in ended))


def _procedure_order(instance: GemInstance, state: Path, *, jitless: bool) -> GuestOrder:
    """Return the order for a process with two empty folders."""
    try:
        for folder in (instance.code, instance.resources):
            folder.mkdir(parents=True, exist_ok=True)
        return GuestOrder(instance.code.resolve(), instance.resources.resolve(), state, jitless=jitless)
    except OSError as error:
        raise failures.refused_start(f"its folder cannot be made ({error.strerror})") from error


async def _outcome_of(start: asyncio.Task[Guest]) -> None:
    """Wait for a start that others wait for too. Raises CANCELLED when it was stopped."""
    await asyncio.wait([start])
    if start.cancelled():
        raise failures.stopped_error()
    start.result()


@lru_cache(maxsize=1_024)
def _address(code: Path, module: str) -> str:
    return code.joinpath(PurePosixPath(module)).as_uri()


@lru_cache(maxsize=1_024)
def _check_module(module: str) -> None:
    """Raises PATH_OUTSIDE for what is no path in a gem."""
    path = PurePosixPath(module)
    if path.is_absolute() or ".." in path.parts or "\\" in module or not path.parts:
        raise NotochordError(
            Code.PATH_OUTSIDE, Fault.GUEST, f"{module!r} is not a path in the gem's folder", path=module
        )


def _without_folder(error: NotochordError, code: Path) -> NotochordError:
    """Return the error without the place of the gem's folder on this computer."""
    hidden = (f"{code.as_uri()}/", f"{code}/")
    if not any(text in error.detail for text in hidden):
        return error
    return NotochordError(error.code, error.fault, _replaced(error.detail, hidden), **{
        name: _replaced(value, hidden) if isinstance(value, str) else value for name, value in error.parameters.items()
    })  # fmt: skip


def _replaced(text: str, hidden: tuple[str, ...]) -> str:
    for part in hidden:
        text = text.replace(part, "")
    return text
