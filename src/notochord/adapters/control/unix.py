"""The control endpoint on a Unix socket that only its owner can reach, the peer checked by the kernel's word."""

import asyncio
import contextlib
import errno
import os
import socket
import stat
import struct
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from notochord.adapters.control.peer import peer_user
from notochord.adapters.control.place import check, places, prepare
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import OrganizationFolder
from notochord.core.tasks import Lifetime

MAX_FRAME = 8 * 1024 * 1024
MAX_CONNECTIONS = 32
BREATH = 1.0
"""Seconds without accepting while the system has no descriptor left."""

_LENGTH = struct.Struct(">I")


class UnixChannel:
    """Frames over a stream: four bytes of length, big-endian, then the content."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._sending = asyncio.Lock()

    async def receive(self) -> bytes | None:
        try:
            length = _LENGTH.unpack(await self._reader.readexactly(_LENGTH.size))[0]
            if length > MAX_FRAME:
                raise NotochordError(Code.CONTROL_PROTOCOL, Fault.SYSTEM, f"a frame of {length} bytes")
            return await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError):
            return None

    async def send(self, frame: bytes) -> None:
        if len(frame) > MAX_FRAME:
            raise NotochordError(Code.CONTROL_PROTOCOL, Fault.SYSTEM, f"a frame of {len(frame)} bytes")
        async with self._sending:
            try:
                self._writer.write(_LENGTH.pack(len(frame)) + frame)
                await self._writer.drain()
            except OSError as error:
                raise NotochordError(Code.CONTROL_LOST, Fault.SYSTEM, "the other side is gone") from error

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


class UnixListener:
    """An open socket and its connections: lets this user's processes in, so many at a time."""

    def __init__(
        self,
        place: Path,
        bound: socket.socket,
        user: int,
        clock: Clock,
        serve: Callable[[UnixChannel], Awaitable[None]],
    ) -> None:
        self._place = place
        self._inode = place.lstat().st_ino
        self._bound = bound
        self._user = user
        self._clock = clock
        self._serve = serve
        self._inside: set[socket.socket] = set()
        self._lifetime = Lifetime("control endpoint")
        bound.setblocking(False)
        bound.listen(MAX_CONNECTIONS)
        self._accepting = self._lifetime.start("accept", self._accept())

    @property
    def address(self) -> str:
        return str(self._place)

    async def close(self) -> None:
        with contextlib.suppress(OSError):
            if self._place.lstat().st_ino == self._inode:
                self._place.unlink()
        await self._lifetime.close()
        self._bound.close()
        for connection in self._inside:  # those whose task was cancelled before it began
            connection.close()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, _ = await loop.sock_accept(self._bound)
            except OSError:  # no descriptor is free: the system would report the same connection again and again
                await self._clock.sleep(BREATH)
                continue
            if len(self._inside) >= MAX_CONNECTIONS or _user_of(connection) != self._user:
                connection.close()
                continue
            self._inside.add(connection)
            _ = self._lifetime.start("connection", self._attend(connection))

    async def _attend(self, connection: socket.socket) -> None:
        try:
            channel = UnixChannel(*await asyncio.open_unix_connection(sock=connection))
            try:
                await self._serve(channel)
            finally:
                await channel.close()
        finally:
            connection.close()
            self._inside.discard(connection)


class UnixEndpoint:
    """Implements the headless front end's Endpoint. `user` is the only one who is let in, and the only one trusted."""

    def __init__(self, environment: Mapping[str, str], clock: Clock, *, user: int | None = None) -> None:
        self._environment = environment
        self._clock = clock
        self._user = os.getuid() if user is None else user

    async def listen(self, folder: OrganizationFolder, serve: Callable[[UnixChannel], Awaitable[None]]) -> UnixListener:
        place, bound = self._bind(folder)
        return UnixListener(place, bound, self._user, self._clock, serve)

    async def connect(self, folder: OrganizationFolder) -> UnixChannel:
        usable: list[Path] = []  # nobody who holds the organization listens where another user could
        for place in places(folder, self._environment, self._user):
            with contextlib.suppress(OSError):
                check(place, self._user)
                usable.append(place)
        for place in usable:
            try:
                reader, writer = await asyncio.open_unix_connection(str(place))
            except (FileNotFoundError, ConnectionError, NotADirectoryError):
                continue
            except OSError as error:
                raise NotochordError(
                    Code.CONTROL_REFUSED, Fault.POLICY, f"{place} cannot be used: {error}", path=str(place)
                ) from error
            channel = UnixChannel(reader, writer)
            if _user_of(writer.get_extra_info("socket")) != self._user:
                await channel.close()
                raise NotochordError(
                    Code.CONTROL_REFUSED, Fault.POLICY, "the socket belongs to another user", path=str(place)
                )
            return channel
        raise NotochordError(Code.CONTROL_UNREACHABLE, Fault.SYSTEM, "nobody answers for the organization")

    def _bind(self, folder: OrganizationFolder) -> tuple[Path, socket.socket]:
        failure: OSError = OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
        for place in places(folder, self._environment, self._user):
            try:
                prepare(place, self._user)
                return place, _bound(place)
            except OSError as error:
                failure = error
        raise NotochordError(Code.CONTROL_UNREACHABLE, Fault.SYSTEM, f"no socket can be made: {failure}") from failure


def _user_of(connection: socket.socket) -> int | None:
    try:
        return peer_user(connection)
    except OSError:
        return None


def _bound(place: Path) -> socket.socket:
    """Bind in place of a dead socket. Nobody can connect before `listen`, when the rights are set already."""
    with contextlib.suppress(FileNotFoundError):
        if not stat.S_ISSOCK(place.lstat().st_mode):
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(place))
        place.unlink()
    made = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        made.bind(str(place))
        place.chmod(0o600)
    except BaseException:
        made.close()
        raise
    return made
