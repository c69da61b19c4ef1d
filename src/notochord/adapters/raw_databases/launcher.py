"""Starts raw-database children and carries statements to them; one that does not stop in time is killed."""

import asyncio
import contextlib
import dataclasses
import os
import sys
from collections.abc import Coroutine
from typing import Any, NoReturn

from notochord.adapters.children.ending import end
from notochord.adapters.raw_databases import frames
from notochord.adapters.raw_databases.frames import Frame, Head
from notochord.core import strict_json
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.raw_databases.ports import RawLimits, RawOrder, RawTable, Rows

CLOSE_SECONDS = 5.0

_BUFFER = 1024 * 1024

_LIMITS = {
    "time": "why.sql_time",
    "rows": "why.sql_rows",
    "bytes": "why.sql_bytes",
    "size": "why.sql_size",
    "memory": "why.sql_memory",
}
_TROUBLE = {"damaged": Code.STORE_DAMAGED, "disk": Code.DISK_IO, "full": Code.DISK_FULL}


class RawChildren:
    """A `RawLauncher`. `command` starts a child."""

    def __init__(self, *, command: tuple[str, ...], limits: RawLimits | None = None) -> None:
        self._command = command
        self._limits = limits or RawLimits()

    async def open(self, order: RawOrder) -> "RawChild":
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")} if sys.platform == "win32" else {},
            cwd=order.database.parent,
            limit=_BUFFER,
        )
        child = RawChild(process, order.database.name, self._limits)
        try:
            await child.start(_opening(order, self._limits))
        except BaseException:
            await child.kill()
            raise
        return child


class RawChild:
    """A `RawProcess`."""

    def __init__(self, process: asyncio.subprocess.Process, name: str, limits: RawLimits) -> None:
        self._process = process
        self._name = name
        self._limits = limits
        self._migrated: tuple[int, ...] = ()
        self._usable = True

    @property
    def migrated(self) -> tuple[int, ...]:
        return self._migrated

    @property
    def usable(self) -> bool:
        return self._usable and self._process.returncode is None

    @property
    def process_id(self) -> int:
        return self._process.pid

    async def start(self, opening: Frame) -> None:
        """Open the database; each part of the script has its own time."""
        seconds = self._limits.script_seconds
        answer = await self._asked(opening, seconds)
        while answer.head["is"] == "step":
            answer = await self._asked(None, seconds)
        self._migrated = tuple(answer.head["migrated"])

    async def query(self, statement: bytes) -> Rows:
        answer = await self._asked(Frame({"do": "query"}, statement), self._limits.seconds)
        return Rows(answer.body, answer.head["odd"])

    async def insert(self, statement: bytes) -> int | None:
        found: int | None = (await self._asked(Frame({"do": "insert"}, statement), self._limits.seconds)).head["id"]
        return found

    async def tables(self) -> tuple[RawTable, ...]:
        found = (await self._asked(Frame({"do": "tables"}), self._limits.seconds)).head["tables"]
        return tuple(RawTable(name, rows) for name, rows in found)

    async def close(self) -> None:
        self._usable = False
        await end(self._process, CLOSE_SECONDS)

    async def kill(self) -> None:
        """End the process at once; what it acknowledged is on the disk."""
        self._usable = False
        await end(self._process, 0)

    async def _asked(self, order: Frame | None, seconds: float) -> Frame:
        """Return the answer to an order, or the next one to an order before. Raises as the port says.

        The process is gone if it did not answer in time.
        """
        answered = False
        try:
            answer = await self._within(seconds, self._exchange(order))
            answered = True
        finally:
            if not answered:
                await self.kill()
        if answer.head["is"] == "failed":
            self._fail(str(answer.head["why"]), str(answer.head["detail"]))
        return answer

    async def _exchange(self, order: Frame | None) -> Frame:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        if order is not None:
            self._process.stdin.writelines(frames.pack(order))
            with contextlib.suppress(ConnectionError):
                await self._process.stdin.drain()
        read = self._process.stdout.readexactly
        head, body = frames.lengths(await read(frames.LENGTHS.size))
        return _sound(frames.unpack(await read(head), await read(body) if body else b""))

    async def _within(self, seconds: float, answer: Coroutine[Any, Any, Frame]) -> Frame:
        try:
            async with asyncio.timeout(seconds + self._limits.grace):
                return await answer
        except TimeoutError:
            self._fail("time", f"the statement took longer than {seconds:g} s")
        except (asyncio.IncompleteReadError, ConnectionError, frames.FrameError) as error:
            detail = "the database's process ended by itself, most likely because it needed too much memory"
            raise _limit("memory", detail) from error

    def _fail(self, why: str, detail: str) -> NoReturn:
        if why in _LIMITS:
            raise _limit(why, detail)
        if why in _TROUBLE:
            raise NotochordError(_TROUBLE[why], Fault.SYSTEM, detail, path=self._name)
        code = Code.SQL_REFUSED if why == "refused" else Code.SQL_FAILED
        raise NotochordError(code, Fault.GUEST, detail, reason=detail)


def _sound(frame: Frame) -> Frame:
    """Return an answer that has the form of one: the process may have been taken over. Raises FrameError."""
    match frame.head:
        case {"is": "step"} | {"is": "rows", "odd": list()} | {"is": "failed", "why": str(), "detail": str()}:
            return frame
        case {"is": "added", "id": int() | None}:
            return frame
        case {"is": "ready", "migrated": list(numbers)} if all(isinstance(one, int) for one in numbers):
            return frame
        case {"is": "tables", "tables": list(tables)} if all(_is_table(one) for one in tables):
            return frame
        case _:
            raise frames.FrameError("an answer of no known kind")


def _is_table(found: object) -> bool:
    match found:
        case [str(), int()]:
            return True
        case _:
            return False


def _limit(why: str, detail: str) -> NotochordError:
    return NotochordError(Code.SQL_LIMIT, Fault.GUEST, detail, reason=detail, why=_LIMITS[why])


def _opening(order: RawOrder, limits: RawLimits) -> Frame:
    script: Head = {
        "schema": order.schema,
        "migrations": [dataclasses.asdict(migration) for migration in order.migrations],
    }
    told = dataclasses.asdict(limits)
    del told["grace"]
    head: Head = {"database": str(order.database), "key": order.key.hex(), "limits": told}
    return Frame(head, strict_json.encode(script).encode())
