"""Fetches a file from one address into place: https only, counted and hashed as it comes, thrown away if other."""

import asyncio
import hashlib
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import finish
from notochord.services.egress.api import Gateway, Leave, Request, Stream
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.resource_declarations import ResourceRecord
from notochord.services.gems.resource_files import Fingerprint, ResourceFiles

MOST_REDIRECTS = 5
SECONDS = 60.0
"""How long an address may keep silent."""

_STEPS = 100
"""How often at most it is told how much has come."""

_OK = 200

Heard = Callable[[int], None]


class Fetching:
    """Fetches files of gems through the gateway."""

    def __init__(self, gateway: Gateway) -> None:
        self._gateway = gateway

    async def fetch(
        self, files: ResourceFiles, gem: str, resource: ResourceRecord, address: str, heard: Heard
    ) -> Fingerprint | None:
        """Download into place and return the file's mark; `heard` is told how many bytes have come.

        What is not as declared is discarded (RES-030 to RES-032). Raises NotochordError as the gateway does,
        HASH_MISMATCH, DISK_FULL, DISK_IO.
        """
        stream = await self._gateway.open(_request(gem, resource, address))
        try:
            if stream.status != _OK:
                raise _unfit(f"it answered {stream.status}")
            with disk_failures():
                return await _into_place(files, resource, stream, heard)
        finally:
            await stream.close()


async def _into_place(
    files: ResourceFiles, resource: ResourceRecord, stream: Stream, heard: Heard
) -> Fingerprint | None:
    """Work on the disk is always finished: nothing may be half done when the next attempt begins."""
    file = await finish(asyncio.to_thread(files.begin, resource))
    try:
        await _fill(resource, stream, file, heard)
        return await finish(asyncio.to_thread(files.keep, resource, file))
    except BaseException:
        await finish(asyncio.to_thread(_give_up, files, resource, file))
        raise


async def _fill(resource: ResourceRecord, stream: Stream, file: BinaryIO, heard: Heard) -> None:
    digest, received, told = hashlib.sha256(), 0, 0
    while piece := await _next(stream):
        await finish(asyncio.to_thread(_take, file, digest.update, piece))
        received += len(piece)
        if received > resource.size:
            raise _unfit(f"it is longer than {resource.size} bytes")
        if received - told >= max(1, resource.size // _STEPS):
            told = received
            heard(received)
    heard(received)
    if received < resource.size:
        raise _unfit(f"it has {received} bytes instead of {resource.size}")
    if digest.hexdigest() != resource.sha256:
        raise _unfit(f"its SHA-256 is {digest.hexdigest()}")


def _request(gem: str, resource: ResourceRecord, address: str) -> Request:
    return Request(
        method="GET",
        url=address,
        leave=Leave(Caller(Actor.GEM, gem), outside_only=True),
        max_bytes=resource.size,
        timeout=SECONDS,
        https_only=True,
        most_redirects=MOST_REDIRECTS,
    )


async def _next(stream: Stream) -> bytes:
    try:
        return await stream.read()
    except NotochordError as error:
        if error.code is Code.PAYLOAD_TOO_LARGE:
            raise _unfit("it is longer than declared") from error
        raise


def _take(file: BinaryIO, count: Callable[[bytes], None], piece: bytes) -> None:
    file.write(piece)
    count(piece)


def _give_up(files: ResourceFiles, resource: ResourceRecord, file: BinaryIO) -> None:
    with suppress(OSError):
        file.close()
    with suppress(OSError):
        files.discard(resource)


def _unfit(detail: str) -> NotochordError:
    return NotochordError(Code.HASH_MISMATCH, Fault.NETWORK, detail)
