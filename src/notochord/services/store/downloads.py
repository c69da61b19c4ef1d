"""Fetches the list and packages through egress: https only, measured, and hashed on the way to the disk."""

import asyncio
import hashlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.api import Leave, Request
from notochord.services.store.api import Arrived
from notochord.services.store.index import MAX_INDEX_BYTES
from notochord.services.store.ports import Answer, Gateway

SECONDS = 30.0
"""The wait for the headers, and for each later piece."""

LIST_SECONDS = 120.0
"""For the whole list, however slowly its pieces come."""

_PIECE = 1024 * 1024
_GOOD = 200


class Downloads:
    """What the store asks of the network. The user's list for the outside does not rule it (OPEN-113)."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def fetch_list(self, address: str) -> bytes:
        """Return the list. Raises NotochordError: NETWORK_*, TIMEOUT, PAYLOAD_TOO_LARGE, LISTING_REFUSED."""
        pieces: list[bytes] = []
        try:
            async with asyncio.timeout(LIST_SECONDS), self._opened(address, address, MAX_INDEX_BYTES) as answer:
                while piece := await answer.read():
                    pieces.append(piece)
        except TimeoutError as error:
            detail = f"the list was not whole within {LIST_SECONDS:g} s"
            raise NotochordError(
                Code.TIMEOUT, Fault.NETWORK, detail, seconds=LIST_SECONDS, why="why.no_answer"
            ) from error
        return b"".join(pieces)

    async def fetch_package(
        self, address: str, source: str, file: Path, *, size: int, sha256: str, arrived: Arrived
    ) -> None:
        """Write a package to a new file. Raises as `fetch_list` does, LISTING_MISMATCH, and OSError."""
        digest, count = hashlib.sha256(), 0
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as target:
            async with self._opened(address, source, size) as answer:
                while piece := await _read(answer):
                    digest.update(piece)
                    count += len(piece)
                    await asyncio.to_thread(target.write, piece)
                    arrived(count, size)
        check(count, digest.hexdigest(), size, sha256)

    @asynccontextmanager
    async def _opened(self, address: str, source: str, most: int) -> AsyncIterator[Answer]:
        leave = Leave(Caller(Actor.SYSTEM, "store"), typed_origin=_typed(address, source), own=True)
        host = urlsplit(address).netloc[:200]
        request = Request("GET", address, leave, max_bytes=most, timeout=SECONDS, https_only=True)
        try:
            answer = await self._gateway.open(request)
        except NotochordError as error:
            if error.code is Code.NETWORK_ADDRESS_INVALID:
                raise _refused(host, f"{host} leads to an address that cannot be used") from error
            raise
        try:
            if answer.status != _GOOD:
                raise _refused(host, f"{host} answered with status {answer.status}")
            yield answer
        finally:
            await answer.close()


def check_file(file: Path, size: int, sha256: str) -> None:
    """Hold a package that came with the program against its entry. Blocks. Raises LISTING_MISMATCH, OSError."""
    digest, count = hashlib.sha256(), 0
    with file.open("rb") as source:
        while piece := source.read(_PIECE):
            digest.update(piece)
            count += len(piece)
    check(count, digest.hexdigest(), size, sha256)


def check(count: int, digest: str, size: int, sha256: str) -> None:
    """Raise LISTING_MISMATCH unless size and hash are the listed ones."""
    if count != size:
        raise mismatch(f"the package has {count} bytes, {size} are listed")
    if digest != sha256:
        raise mismatch("the package has another SHA-256 than is listed")


def mismatch(detail: str) -> NotochordError:
    """Return the error for a package that is not what was listed."""
    return NotochordError(Code.LISTING_MISMATCH, Fault.NETWORK, detail)


async def _read(answer: Answer) -> bytes:
    """Return the next piece; more than was listed is another package than the listed one."""
    try:
        return await answer.read()
    except NotochordError as error:
        if error.code is Code.PAYLOAD_TOO_LARGE:
            raise mismatch("the package is larger than is listed") from error
        raise


def _typed(address: str, source: str) -> str:
    """Return the origin that the user typed, for addresses below it only: a list may not lead anywhere inward."""
    origin = _origin(source)
    return origin if _origin(address) == origin else ""


def _origin(address: str) -> str:
    parts = urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}".lower()


def _refused(host: str, detail: str) -> NotochordError:
    return NotochordError(Code.LISTING_REFUSED, Fault.NETWORK, detail, host=host)
