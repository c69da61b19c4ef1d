"""Guests that a test plays itself, frame by frame."""

import asyncio
import json
import struct
from collections.abc import Callable, Sequence
from typing import cast

from notochord.core.strict_json import Json
from notochord.services.sandbox.frames import encode_frame
from notochord.services.sandbox.ports import GuestExit, GuestOrder, GuestProcess

Told = dict[str, Json]


class ScriptedProcess:
    """The test says what it sends (`send`, `send_bytes`, `exit`) and sees what it was told (`told`, `next`)."""

    def __init__(self) -> None:
        self.told: list[tuple[Told, bytes]] = []
        self.killed = False
        self.reads_input = asyncio.Event()
        self.reads_input.set()
        self._output = asyncio.StreamReader()
        self._exit: asyncio.Future[GuestExit] = asyncio.get_running_loop().create_future()
        self._arrived = asyncio.Event()
        self._taken = 0

    def send(self, message: Told, attachment: bytes = b"") -> None:
        self.send_bytes(b"".join(encode_frame(message, attachment)))

    def send_bytes(self, content: bytes) -> None:
        self._output.feed_data(content)

    def exit(self, status: int, stderr: str = "", *, flooded: bool = False) -> None:
        if not self._exit.done():
            self._exit.set_result(GuestExit(status, stderr, flooded))
            self._output.feed_eof()

    async def next(self) -> Told:
        """Return the next message that the guest was told."""
        while len(self.told) <= self._taken:
            self._arrived.clear()
            await self._arrived.wait()
        self._taken += 1
        return self.told[self._taken - 1][0]

    async def read(self, count: int) -> bytes:
        try:
            return await self._output.readexactly(count)
        except asyncio.IncompleteReadError as error:
            raise EOFError from error

    def write(self, parts: Sequence[bytes]) -> None:
        content = b"".join(parts)
        length, _ = struct.unpack("<II", content[:8])
        self.told.append((cast("Told", json.loads(content[8 : 8 + length])), content[8 + length :]))
        self._arrived.set()

    async def drain(self) -> None:
        await self.reads_input.wait()

    def kill(self) -> None:
        self.killed = True
        self.reads_input.set()
        self.exit(-9)

    async def wait(self) -> GuestExit:
        return await asyncio.shield(self._exit)


class ScriptedLauncher:
    """Starts scripted processes and keeps them; `on_start` may play a part at once (it says it is ready by default)."""

    def __init__(self, on_start: Callable[[ScriptedProcess], None] | None = None) -> None:
        self.processes: list[ScriptedProcess] = []
        self.orders: list[GuestOrder] = []
        self._on_start = on_start or (lambda process: process.send({"type": "ready"}))
        self._started = asyncio.Event()

    async def start(self, order: GuestOrder) -> GuestProcess:
        process = ScriptedProcess()
        self.processes.append(process)
        self.orders.append(order)
        self._started.set()
        self._on_start(process)
        return process

    async def process(self, number: int = 0) -> ScriptedProcess:
        """Return a started process, waiting until there is one."""
        while len(self.processes) <= number:
            self._started.clear()
            await self._started.wait()
        return self.processes[number]

    def wall(self) -> str:
        return "scripted"
