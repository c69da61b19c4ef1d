"""The Unix socket of the control endpoint: who gets in, where it lies, what is refused."""

import asyncio
import os
import shutil
import socket
import stat
import struct
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notochord.adapters.control.place import LONGEST_ADDRESS, places
from notochord.adapters.control.unix import MAX_CONNECTIONS, MAX_FRAME, UnixChannel, UnixEndpoint, UnixListener
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import OrganizationFolder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such endpoint yet")


@pytest.fixture
def folder(tmp_path: Path) -> OrganizationFolder:
    made = tmp_path / "acme"
    made.mkdir(mode=0o700)
    return OrganizationFolder(made)


@pytest.fixture
def environment(tmp_path: Path) -> Iterator[dict[str, str]]:
    runtime = Path(tempfile.mkdtemp(prefix="nc-", dir="/tmp"))
    yield {"XDG_RUNTIME_DIR": str(runtime)}
    shutil.rmtree(runtime)


async def echo(channel: UnixChannel) -> None:
    while (frame := await channel.receive()) is not None:
        await channel.send(frame)


@asynccontextmanager
async def listening(
    endpoint: UnixEndpoint,
    folder: OrganizationFolder,
    serve: Callable[[UnixChannel], Awaitable[None]] = echo,
) -> AsyncIterator[UnixListener]:
    listener = await endpoint.listen(folder, serve)
    try:
        yield listener
    finally:
        await listener.close()


async def refusal(endpoint: UnixEndpoint, folder: OrganizationFolder) -> Code:
    with pytest.raises(NotochordError) as failure:
        await endpoint.connect(folder)
    return failure.value.code


async def answers(endpoint: UnixEndpoint, folder: OrganizationFolder) -> bool:
    channel = await endpoint.connect(folder)
    try:
        await channel.send(b"hello")
        return await channel.receive() == b"hello"
    except NotochordError:
        return False
    finally:
        await channel.close()


async def test_frames_of_every_size_go_both_ways(folder: OrganizationFolder) -> None:
    endpoint = UnixEndpoint({}, SystemClock())
    async with listening(endpoint, folder):
        channel = await endpoint.connect(folder)
        for frame in (b"", b"x", b"y" * 300_000):
            await channel.send(frame)
            assert await channel.receive() == frame
        await channel.close()


async def test_only_the_owner_has_rights_on_the_socket(folder: OrganizationFolder) -> None:
    async with listening(UnixEndpoint({}, SystemClock()), folder) as listener:
        found = Path(listener.address).lstat()
        assert stat.S_ISSOCK(found.st_mode)
        assert stat.S_IMODE(found.st_mode) == 0o600
        assert found.st_uid == os.getuid()


@pytest.mark.parametrize("barrier", [True, False])
async def test_a_process_of_another_user_is_not_answered(folder: OrganizationFolder, barrier: bool) -> None:
    """The server's own user is another one; without the check (the control) the same connection is answered."""
    here = os.getuid()
    async with listening(UnixEndpoint({}, SystemClock(), user=here + 1 if barrier else here), folder):
        assert await answers(UnixEndpoint({}, SystemClock()), folder) is not barrier


@pytest.mark.parametrize("barrier", [True, False])
async def test_a_server_of_another_user_is_not_trusted(folder: OrganizationFolder, barrier: bool) -> None:
    here = os.getuid()
    async with listening(UnixEndpoint({}, SystemClock()), folder):
        client = UnixEndpoint({}, SystemClock(), user=here + 1 if barrier else here)
        if barrier:
            assert await refusal(client, folder) is Code.CONTROL_REFUSED
        else:
            assert await answers(client, folder)


ATTACK = """
import os, socket, sys
os.setgid(65534); os.setuid(65534)
connection = socket.socket(socket.AF_UNIX)
connection.settimeout(60)
connection.connect(sys.argv[1])
connection.sendall(b"\\0\\0\\0\\5hello")
print(connection.recv(9)[4:].decode())
"""


@pytest.mark.skipif(os.getuid() != 0, reason="needs to become another user")
@pytest.mark.parametrize("barrier", ["rights", "peer", None])
async def test_another_user_of_this_computer_stays_outside(barrier: str | None) -> None:
    """First with the socket's rights, then with the peer check alone, then (the control) with neither."""
    place = Path(tempfile.mkdtemp(prefix="nc-", dir="/tmp"))
    place.chmod(0o755)
    folder = OrganizationFolder(place)
    served: asyncio.Event = asyncio.Event()

    async def serve(channel: UnixChannel) -> None:
        served.set()
        await echo(channel)

    user = 65534 if barrier is None else os.getuid()
    try:
        async with listening(UnixEndpoint({}, SystemClock(), user=user), folder, serve) as listener:
            if barrier != "rights":
                Path(listener.address).chmod(0o666)
            words = (sys.executable, "-I", "-c", ATTACK, listener.address)
            attack = await asyncio.to_thread(subprocess.run, words, capture_output=True, text=True, check=False)
        assert (attack.stdout.strip() == "hello") is (barrier is None)
        assert served.is_set() is (barrier is None)
    finally:
        place.rmdir()


async def test_nobody_answering_is_told_apart_from_a_refusal(folder: OrganizationFolder) -> None:
    assert await refusal(UnixEndpoint({}, SystemClock()), folder) is Code.CONTROL_UNREACHABLE


async def test_the_socket_of_a_killed_process_is_replaced(folder: OrganizationFolder) -> None:
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(folder.folder / "control.sock"))
    left.close()
    endpoint = UnixEndpoint({}, SystemClock())
    assert await refusal(endpoint, folder) is Code.CONTROL_UNREACHABLE
    async with listening(endpoint, folder):
        assert await answers(endpoint, folder)


async def test_a_file_in_the_place_of_the_socket_is_left_alone(
    folder: OrganizationFolder, environment: dict[str, str]
) -> None:
    file = folder.folder / "control.sock"
    file.write_text("mine")
    endpoint = UnixEndpoint(environment, SystemClock())
    async with listening(endpoint, folder) as listener:
        assert listener.address.startswith(environment["XDG_RUNTIME_DIR"])
        assert await answers(endpoint, folder)
    assert file.read_text() == "mine"


async def test_closing_takes_the_socket_away_and_ends_connections(folder: OrganizationFolder) -> None:
    endpoint = UnixEndpoint({}, SystemClock())
    async with listening(endpoint, folder) as listener:
        channel = await endpoint.connect(folder)
    assert await channel.receive() is None
    assert not Path(listener.address).exists()
    await channel.close()


async def test_a_folder_too_long_for_an_address_uses_the_runtime_folder(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    deep = OrganizationFolder(tmp_path / ("x" * 100))
    deep.folder.mkdir()
    endpoint = UnixEndpoint(environment, SystemClock())
    async with listening(endpoint, deep) as listener:
        assert listener.address.startswith(environment["XDG_RUNTIME_DIR"])
        assert len(listener.address) <= LONGEST_ADDRESS
        assert stat.S_IMODE(Path(listener.address).parent.stat().st_mode) == 0o700
        assert await answers(endpoint, deep)


async def test_a_runtime_folder_that_others_may_write_to_is_not_used(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    deep = OrganizationFolder(tmp_path / ("x" * 100))
    deep.folder.mkdir()
    open_to_all = Path(environment["XDG_RUNTIME_DIR"]) / "notochord"
    open_to_all.mkdir(exist_ok=True)
    open_to_all.chmod(0o777)
    try:
        with pytest.raises(NotochordError) as failure:
            await UnixEndpoint(environment, SystemClock()).listen(deep, echo)
        assert failure.value.code is Code.CONTROL_UNREACHABLE
        assert await refusal(UnixEndpoint(environment, SystemClock()), deep) is Code.CONTROL_UNREACHABLE
    finally:
        open_to_all.chmod(0o700)


async def test_another_users_folder_in_the_place_of_ours_keeps_no_command_from_running(
    folder: OrganizationFolder, environment: dict[str, str]
) -> None:
    """`/tmp/notochord-1000` can be made by anybody; the organization's own folder is the first place all the same."""
    theirs = Path(environment["XDG_RUNTIME_DIR"]) / "notochord"
    theirs.mkdir(exist_ok=True)
    theirs.chmod(0o777)
    try:
        endpoint = UnixEndpoint(environment, SystemClock())
        assert await refusal(endpoint, folder) is Code.CONTROL_UNREACHABLE
        async with listening(endpoint, folder):
            assert await answers(endpoint, folder)
    finally:
        theirs.chmod(0o700)


def test_two_organizations_never_share_an_address(tmp_path: Path) -> None:
    one, other = (OrganizationFolder(tmp_path / name) for name in ("x" * 100, "x" * 101))
    assert places(one, {}, 1000) != places(other, {}, 1000)


async def raw(folder: OrganizationFolder, sent: bytes) -> bytes:
    """Send bytes as they are, end the sending side, and return all that comes back."""
    reader, writer = await asyncio.open_unix_connection(str(folder.folder / "control.sock"))
    try:
        writer.write(sent)
        writer.write_eof()
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.close()


async def receive_one(channel: UnixChannel) -> None:
    try:
        await channel.receive()
    except NotochordError as error:
        await channel.send(error.code.encode())


async def test_a_frame_over_the_limit_is_refused_before_it_is_read(folder: OrganizationFolder) -> None:
    endpoint = UnixEndpoint({}, SystemClock())
    async with listening(endpoint, folder, receive_one):
        answer = await raw(folder, struct.pack(">I", MAX_FRAME + 1))
        assert answer[4:] == b"E_CONTROL_PROTOCOL"
        channel = await endpoint.connect(folder)
        with pytest.raises(NotochordError):
            await channel.send(b"x" * (MAX_FRAME + 1))
        await channel.close()


@settings(max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(junk=st.lists(st.binary(max_size=60), max_size=4))
def test_no_bytes_keep_the_next_client_from_being_answered(folder: OrganizationFolder, junk: list[bytes]) -> None:
    async def attempt() -> None:
        endpoint = UnixEndpoint({}, SystemClock())
        async with listening(endpoint, folder):
            for sent in junk:
                await raw(folder, sent)
            assert await answers(endpoint, folder)

    asyncio.run(attempt())


async def test_one_connection_too_many_is_turned_away_and_later_ones_are_let_in(folder: OrganizationFolder) -> None:
    endpoint = UnixEndpoint({}, SystemClock())
    async with listening(endpoint, folder):
        channels = [await endpoint.connect(folder) for _ in range(MAX_CONNECTIONS)]
        for channel in channels:
            await channel.send(b"x")
            assert await channel.receive() == b"x"
        assert not await answers(endpoint, folder)
        await channels.pop().close()
        while not await answers(endpoint, folder):  # noqa: ASYNC110 - the other end notices in its own time
            await asyncio.sleep(0.01)
        for channel in channels:
            await channel.close()
