"""Starts guests when they are first called, reuses them within one grant context, and ends them."""

import asyncio
import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.core.tasks import Lifetime
from notochord.services.sandbox import failures
from notochord.services.sandbox.api import GrantContext, GuestCall, Host
from notochord.services.sandbox.guest import Guest
from notochord.services.sandbox.limits import GuestLimits
from notochord.services.sandbox.ports import GuestLauncher, GuestOrder
from notochord.services.sandbox.trees import find_foreign


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
        self._guests: list[tuple[GrantContext, Guest]] = []
        self._tasks = Lifetime("sandbox")
        self._closed = False

    async def call(self, call: GuestCall, host: Host) -> Json:
        code = await asyncio.to_thread(_resolved, call.context.instance.code)
        url = _module_url(code, call.module)
        guest = await self._guest(call.context)
        try:
            return await guest.call(call, url, host)
        except NotochordError as error:
            raise _without_folder(error, code) from error.__cause__
        finally:
            if guest.idle and not guest.usable and not self._closed:
                _ = self._tasks.start("drop", self._drop(guest, failures.stopped_error()))

    async def stop(self, instance: str) -> None:
        await self._end(lambda context: context.instance.id == instance)
        await asyncio.to_thread(shutil.rmtree, self._state_of(instance), ignore_errors=True)

    async def close(self) -> None:
        self._closed = True
        await self._end(lambda context: True)
        await self._tasks.close()

    def wall(self) -> str:
        return self._launcher.wall()

    async def _guest(self, context: GrantContext) -> Guest:
        """Return the context's guest, started if there is none; a start outlives the caller that asked for it."""
        while True:
            if self._closed:
                raise failures.stopped_error()
            for known, guest in self._guests:
                if known == context and guest.usable:
                    return guest
            if context not in self._starting:
                self._starting[context] = self._tasks.start("start", self._start(context))
            await _outcome_of(self._starting[context])

    async def _start(self, context: GrantContext) -> Guest:
        try:
            order = await asyncio.to_thread(self._order, context)
            guest = Guest(await self._launcher.start(order), clock=self._clock, limits=self._limits)
            self._guests.append((context, guest))
            try:
                await guest.ready()
            except BaseException:
                await self._drop(guest, failures.stopped_error())
                raise
        finally:
            del self._starting[context]
        _ = self._tasks.start("idle", self._watch(guest))
        self._trim()
        return guest

    def _trim(self) -> None:
        """End the guests that were idle longest when there are more idle ones than are kept."""
        idle = sorted((guest for _, guest in self._guests if guest.idle), key=lambda guest: guest.last_used)
        for guest in idle[: -self._limits.idle_guests]:
            _ = self._tasks.start("drop", self._drop(guest, failures.stopped_error()))

    def _order(self, context: GrantContext) -> GuestOrder:
        instance = context.instance
        try:
            instance.resources.mkdir(parents=True, exist_ok=True)
            for folder in (instance.code, instance.resources):
                if (found := find_foreign(folder)) is not None:
                    raise failures.refused_start(f"{found} is a link or a special file")
            return GuestOrder(_resolved(instance.code), _resolved(instance.resources), self._state_of(instance.id))
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
        self._guests = [(context, other) for context, other in self._guests if other is not guest]

    async def _end(self, meant: Callable[[GrantContext], bool]) -> None:
        starting = [task for context, task in self._starting.items() if meant(context)]
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        ended = [guest for context, guest in self._guests if meant(context)]
        await asyncio.gather(*(self._drop(guest, failures.stopped_error()) for guest in ended))


async def _outcome_of(start: asyncio.Task[Guest]) -> None:
    """Wait for a start that others wait for too. Raises CANCELLED when it was stopped."""
    await asyncio.wait([start])
    if start.cancelled():
        raise failures.stopped_error()
    start.result()


def _resolved(folder: Path) -> Path:
    return folder.resolve()


def _module_url(code: Path, module: str) -> str:
    path = PurePosixPath(module)
    if path.is_absolute() or ".." in path.parts or "\\" in module or not path.parts:
        raise NotochordError(Code.PATH_OUTSIDE, Fault.GUEST, f"{module!r} is no path in the gem's folder", path=module)
    return code.joinpath(*path.parts).as_uri()


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
