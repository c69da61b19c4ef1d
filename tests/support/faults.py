"""Runs a piece of work in a child process and makes its n-th system call fail, or kills it there.

The faults are made at the system, by `strace -e inject=`. Children are forked from a process that has imported what
they need, so that hundreds of runs take seconds.
"""

import asyncio
import importlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

WRITING_CALLS = ("pwrite64", "write", "fsync", "fdatasync", "ftruncate", "rename", "unlink", "mkdir")
MOST_CALLS = 400
KILL = "signal=SIGKILL"
HONEST = ("E_DISK_IO", "E_DISK_FULL", "E_STORE_UNREADABLE", "E_STORE_READ_ONLY", "E_STORE_LOCKED", "E_STORE_DAMAGED")
"""The codes by which a database that cannot go on says so."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a child ended: `hit` tells whether the fault was reached, `said` what it reported with `say`."""

    hit: bool
    killed: bool
    said: tuple[str, ...]


class Nursery:
    """Forks children that call the coroutine function `module:function` with a folder."""

    def __init__(self, work: str) -> None:
        command = [sys.executable, "-m", "support.faults", work]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        pipe = subprocess.PIPE
        self._parent = subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, text=True)
        self._read()

    def run(self, folder: Path, call: str, fault: str, number: int, *, for_good: bool = False) -> Run:
        """Run the work on `folder`; its thread's `number`-th `call` gets `fault`, and each later one too `for_good`.

        Skips the test without the right.
        """
        self._write({"folder": str(folder)})
        pid = self._read()["pid"]
        with tempfile.TemporaryDirectory() as scratch:
            log = Path(scratch) / "trace"
            inject = f"inject={call}:{fault}:when={number}{'+' if for_good else ''}"
            options = ["-f", "-p", str(pid), "-e", f"trace={call}", "-e", inject, "-o", str(log)]
            tracer = subprocess.Popen(["strace", *options], stderr=subprocess.PIPE, text=True)
            assert tracer.stderr is not None
            attached = tracer.stderr.readline()
            self._write({"go": "attached" in attached})
            answer = self._read()
            tracer.wait()
            tracer.stderr.close()
            if "attached" not in attached:
                pytest.skip(f"no right to trace: {attached.strip()}")
            trace = log.read_text()
        killed = answer["status"] == -9
        return Run(killed or "INJECTED" in trace, killed, tuple(answer["said"]))

    def close(self) -> None:
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.stdout.close()
        self._parent.wait()

    def _write(self, message: object) -> None:
        assert self._parent.stdin is not None
        self._parent.stdin.write(json.dumps(message) + "\n")
        self._parent.stdin.flush()

    def _read(self) -> dict[str, Any]:
        assert self._parent.stdout is not None
        return json.loads(self._parent.stdout.readline())  # type: ignore[no-any-return]


@contextmanager
def nursery(work: str) -> Iterator[Nursery]:
    """Yield a nursery for `work`; skips the test where there is no strace."""
    if shutil.which("strace") is None:
        pytest.skip("strace is not installed")
    opened = Nursery(work)
    try:
        yield opened
    finally:
        opened.close()


def say(text: str) -> None:
    """Report from a child; with a system call that no fault is put on."""
    os.writev(int(os.environ["NOTOCHORD_TEST_SAY"]), [f"{text}\n".encode()])


async def _in_one_thread(work: Awaitable[None]) -> None:
    """Let what blocks run in one thread: faults count the calls of a thread, and chance would choose among several."""
    asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(1))
    await work


def _serve(work: str) -> None:
    module, _, name = work.partition(":")
    function = getattr(importlib.import_module(module), name)
    print(json.dumps({"ready": True}), flush=True)
    while line := sys.stdin.readline():
        folder = Path(json.loads(line)["folder"])
        heard, told = os.pipe()
        waiting, go = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.environ["NOTOCHORD_TEST_SAY"] = str(told)
            os.read(waiting, 1)
            try:
                asyncio.run(_in_one_thread(function(folder)))
            except BaseException as error:
                say(f"raised {type(error).__name__}: {error}")
                os._exit(1)
            os._exit(0)
        os.close(told)
        print(json.dumps({"pid": pid}), flush=True)
        if not json.loads(sys.stdin.readline())["go"]:
            os.kill(pid, 9)
        os.write(go, b"g")
        with os.fdopen(heard, "rb") as said:
            lines = said.read().decode().splitlines()
        status = os.waitpid(pid, 0)[1]
        os.close(waiting)
        os.close(go)
        print(json.dumps({"status": os.waitstatus_to_exitcode(status), "said": lines}), flush=True)


if __name__ == "__main__":
    _serve(sys.argv[1])
