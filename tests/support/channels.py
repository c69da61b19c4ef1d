"""Two ends of a channel in memory."""

import asyncio

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError


class MemoryChannel:
    """Implements Channel; `pair` makes two that are joined."""

    def __init__(self) -> None:
        self._incoming: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._other: MemoryChannel = self
        self._closed = False

    @classmethod
    def pair(cls) -> "tuple[MemoryChannel, MemoryChannel]":
        one, other = cls(), cls()
        one._other, other._other = other, one
        return one, other

    async def receive(self) -> bytes | None:
        if self._closed:
            return None
        return await self._incoming.get()

    async def send(self, frame: bytes) -> None:
        if self._closed or self._other._closed:
            raise NotochordError(Code.CONTROL_LOST, Fault.SYSTEM, "closed")
        self._other._incoming.put_nowait(frame)

    async def close(self) -> None:
        self._closed = True
        self._incoming.put_nowait(None)
        self._other._incoming.put_nowait(None)
