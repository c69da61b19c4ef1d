"""One local model's process, seen from the app: started when needed, anew after a crash, one answer at a time."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncGenerator
from typing import NoReturn

from notochord.adapters.children import frames
from notochord.adapters.children.ending import end
from notochord.adapters.local_models.gguf import ModelFile
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import Lifetime

SETTLE_SECONDS = 20.0
"""How long a cancelled answer may take to end before its process is ended instead."""
END_SECONDS = 0.5
"""How long one that crashed may take to end: its own status tells why."""

_CAUSES = {
    "SIGILL": ("this computer's processor lacks instructions that the model's engine was built for", "why.engine_cpu"),
    "SIGKILL": ("the system ended it, most likely because memory ran out", "why.engine_memory"),
    "SIGSEGV": ("its engine failed", "why.engine_failed"),
    "SIGABRT": ("its engine gave up", "why.engine_failed"),
}
_ERRORS = {
    "missing": (Code.MODEL_LOCAL_MISSING, Fault.USER),
    "damaged": (Code.MODEL_FILE_DAMAGED, Fault.USER),
    "memory": (Code.MODEL_CRASHED, Fault.SYSTEM),
    "context": (Code.MODEL_CONTEXT_LENGTH, Fault.USER),
    "refused": (Code.MODEL_REFUSED, Fault.PROVIDER),
}


class Worker:
    """Owns the process of one model file. `command` starts the child."""

    def __init__(self, file: ModelFile, command: tuple[str, ...]) -> None:
        self.file = file
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._settling: asyncio.Task[None] | None = None
        self._lifetime = Lifetime(f"local model {file.path.name}")

    @property
    def busy(self) -> bool:
        return self._turn.locked()

    @property
    def process_id(self) -> int | None:
        """The child's number, while it runs."""
        return None if self._process is None else self._process.pid

    async def write(self, order: frames.Frame) -> AsyncGenerator[frames.Frame]:
        """Yield the child's frames for one order, its loading among them; wait for the answers before it.

        Closing the iterator cancels the answer. Raises NotochordError: MODEL_CONTEXT_LENGTH for an order that no model
        could read, MODEL_CRASHED and as the child reports.
        """
        packed = await self._packed(order)
        await self._turn.acquire()
        ended = False
        try:
            if self._process is None:
                async for frame in self._start():
                    yield frame
            await self._send(packed)
            while not ended:
                frame = await self._receive()
                ended = frame["is"] in ("done", "failed")
                if frame["is"] == "failed":
                    self._fail(frame)
                yield frame
        finally:
            if ended or self._process is None:
                self._turn.release()
            else:
                self._settling = self._lifetime.start("settle", self._settle())

    async def close(self) -> None:
        """End the process and wait for it."""
        await self._end()
        await self._lifetime.close()

    async def _start(self) -> AsyncGenerator[frames.Frame]:
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env=_environment(),
            cwd=self.file.path.parent,
        )
        ready = False
        try:
            await self._send(frames.pack({"path": str(self.file.path), "context": self.file.context}))
            while not ready:
                frame = await self._receive()
                ready = frame["is"] == "ready"
                if frame["is"] == "failed":
                    self._fail(frame)
                if not ready:
                    yield frame
        finally:
            if not ready:
                await self._end()

    async def _settle(self) -> None:
        """Wait until a cancelled answer has ended, so that the next order meets an idle child."""
        try:
            async with asyncio.timeout(SETTLE_SECONDS):
                await self._send(frames.pack({"do": "cancel"}))
                while (await self._receive())["is"] not in ("done", "failed", "cancelled"):
                    pass
        except (TimeoutError, NotochordError):
            await self._end()
        finally:
            self._turn.release()

    async def _packed(self, order: frames.Frame) -> bytes:
        """Return the order's bytes, made in a thread: a long conversation's are many."""
        try:
            return await asyncio.to_thread(frames.pack, order)
        except frames.FrameError as error:
            detail = f"the order has more than {frames.LARGEST} bytes"
            raise NotochordError(
                Code.MODEL_CONTEXT_LENGTH, Fault.USER, detail, model=self.file.path.name, reason=detail
            ) from error

    async def _send(self, packed: bytes) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(packed)
            await self._process.stdin.drain()
        except ConnectionError:
            await self._crashed()

    async def _receive(self) -> frames.Frame:
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            head = await self._process.stdout.readexactly(frames.LENGTH.size)
            return frames.unpack(await self._process.stdout.readexactly(frames.length(head)))
        except (asyncio.IncompleteReadError, ConnectionError, frames.FrameError):
            await self._crashed()

    async def _crashed(self) -> NoReturn:
        status = await self._end()
        name = signal.Signals(-status).name if status < 0 else f"status {status}"
        cause, why = _CAUSES.get(name, ("it ended by itself", "why.engine_ended"))
        detail = f"the model's process ended with {name}: {cause}"
        raise NotochordError(Code.MODEL_CRASHED, Fault.SYSTEM, detail, model=self.file.path.name, reason=cause, why=why)

    def _fail(self, frame: frames.Frame) -> NoReturn:
        code, fault = _ERRORS.get(str(frame.get("why")), (Code.MODEL_CRASHED, Fault.SYSTEM))
        detail = str(frame.get("detail", ""))
        raise NotochordError(code, fault, detail, model=self.file.path.name, reason=detail, provider="local")

    async def _end(self) -> int:
        process, self._process = self._process, None
        if process is None:
            return 0
        return await end(process, END_SECONDS)


def _environment() -> dict[str, str]:
    """Return an empty environment; Windows starts no process without its own folder."""
    return {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")} if sys.platform == "win32" else {}
