"""A key store whose keys lie in the organizations' own folders, for those who chose not to encrypt."""

import asyncio
import base64
import binascii
import os
from collections.abc import Callable
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import KEY_BYTES
from notochord.persistence.atomic_files import flush_folder, write_atomically
from notochord.persistence.failures import translated

MOST_BYTES = 1024


class KeyFiles:
    """Implements `KeyStore`: one line of base64 per organization, readable by its owner only.

    Raises NotochordError STORE_READ_ONLY, DISK_FULL or DISK_IO when the file cannot be read or written.
    """

    def __init__(self, place: Callable[[str], Path]) -> None:
        """`place` returns the file for an organization's id."""
        self._place = place

    async def load(self, organization: str) -> bytes | None:
        return await asyncio.to_thread(_load, self._place(organization))

    async def save(self, organization: str, key: bytes) -> None:
        await asyncio.to_thread(_save, self._place(organization), key)

    async def delete(self, organization: str) -> None:
        await asyncio.to_thread(_delete, self._place(organization))


def _load(path: Path) -> bytes | None:
    with translated(path):
        try:
            with path.open("rb") as file:
                text = file.read(MOST_BYTES)
        except FileNotFoundError:
            return None
    if not text.strip(b"\0"):  # destroyed, and then it could not be removed
        return None
    try:
        key = base64.b64decode(text.strip(), validate=True)
    except binascii.Error:
        key = b""
    if len(key) != KEY_BYTES:
        raise NotochordError(Code.KEY_WRONG, Fault.USER, "the key file holds no key")
    return key


def _save(path: Path, key: bytes) -> None:
    with translated(path):
        write_atomically(path, base64.b64encode(key) + b"\n")
    if _load(path) != key:
        raise NotochordError(Code.DISK_IO, Fault.SYSTEM, "the key was not kept", path=path.name)


def _delete(path: Path) -> None:
    with translated(path):
        if path.exists():
            with path.open("r+b") as file:  # where the disk writes in place, nothing is left to be found
                file.write(bytes(MOST_BYTES))
                file.flush()
                os.fsync(file.fileno())
            path.unlink()
            flush_folder(path.parent)
