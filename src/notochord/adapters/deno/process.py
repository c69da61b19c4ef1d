"""A guest's process and its pipes, on asyncio."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Sequence

from notochord.services.sandbox.ports import GuestExit

_TAIL_BYTES = 4_096
_FLOOD_BYTES = 4 * 1024 * 1024
_CHUNK = 65_536
_PIPE_BYTES = 1024 * 1024


class DenoProcess:
    """Talks to a started process; what it writes to stderr is drained, its end kept, and too much of it kills it."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._tail = b""
        self._flooded = False
        # asyncio's own kill first asks for the exit status and so takes it from the watcher, who then reports 255.
        self._handle = os.pidfd_open(process.pid) if sys.platform == "linux" else None
        _widen(process)
        self._drained = asyncio.get_running_loop().create_task(self._drain_stderr(), name="guest/stderr")

    async def read(self, count: int) -> bytes:
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readexactly(count)
        except asyncio.IncompleteReadError as error:
            raise EOFError from error

    def write(self, parts: Sequence[bytes]) -> None:
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.writelines(part for part in parts if part)

    async def drain(self) -> None:
        assert self._process.stdin is not None
        try:
            await self._process.stdin.drain()
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
        assert self._process.stdin is not None
        status = await self._process.wait()
        await asyncio.wait([self._drained])
        self._process.stdin.close()
        with contextlib.suppress(OSError):  # some versions of asyncio report a broken pipe that nobody asked about
            await self._process.stdin.wait_closed()
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


def _widen(process: Process) -> None:
    """Let more fit into the pipe that the process writes to, where the system allows it: fewer turns for much."""
    if sys.platform != "linux" or process.stdout is None:
        return
    import fcntl

    pipe = process._transport.get_pipe_transport(1)  # type: ignore[attr-defined]
    with contextlib.suppress(OSError, AttributeError):
        fcntl.fcntl(pipe.get_extra_info("pipe").fileno(), fcntl.F_SETPIPE_SZ, _PIPE_BYTES)
