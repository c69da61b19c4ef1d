"""A guest's process and its pipes, on asyncio."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence

from notochord.adapters.deno.pipes import widen_output
from notochord.services.sandbox.ports import GuestExit

_TAIL_BYTES = 4_096
_FLOOD_BYTES = 4 * 1024 * 1024
_CHUNK = 65_536


class DenoProcess:
    """Talks to a started process; what it writes to stderr is drained, its end kept, and too much of it kills it."""

    def __init__(self, process: Process, stdin: asyncio.StreamWriter | None) -> None:
        assert stdin is not None
        self._process = process
        self._stdin = stdin
        self._tail = b""
        self._flooded = False
        # asyncio's own kill first asks for the exit status and so takes it from the watcher, who then reports 255.
        self._handle = os.pidfd_open(process.pid) if sys.platform == "linux" else None
        widen_output(process)
        self._drained = asyncio.get_running_loop().create_task(self._drain_stderr(), name="guest/stderr")

    async def read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readexactly(count)
        except asyncio.IncompleteReadError as error:
            raise EOFError from error

    def write(self, parts: Sequence[bytes]) -> None:
        if not self._stdin.is_closing():
            self._stdin.writelines(part for part in parts if part)

    async def drain(self) -> None:
        try:
            await self._stdin.drain()
        except ConnectionError:
            return

    def kill(self) -> None:
        if self._process.returncode is not None:
            return
        if sys.platform == "linux" and self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        else:
            self._process.kill()

    async def wait(self) -> GuestExit:
        status = await self._process.wait()
        await asyncio.wait([self._drained])
        self._stdin.close()
        with contextlib.suppress(OSError):  # some versions of asyncio report a broken pipe that nobody asked about
            await self._stdin.wait_closed()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
        return GuestExit(status, self._tail.decode("utf-8", "replace"), self._flooded)

    async def _drain_stderr(self) -> None:
        assert self._process.stderr is not None
        total = 0
        while chunk := await self._process.stderr.read(_CHUNK):
            total += len(chunk)
            self._tail = (self._tail + chunk)[-_TAIL_BYTES:]
            if total > _FLOOD_BYTES:
                self._flooded = True
                self.kill()
