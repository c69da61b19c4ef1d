"""Keeps copies of contents as encrypted files: nobody reads the user's old files without the key."""

import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker, is_id
from notochord.persistence.atomic_files import PRIVATE, flush_folder

KEY_BYTES = SecretBox.KEY_SIZE
CHUNK = 1_048_576

_FORM = b"NOTOCHORD-KEPT-1"
_PREFIX_BYTES = 16
_COUNTER_BYTES = 7
_OVERHEAD = SecretBox.MACBYTES


class KeptCopies:
    """A folder of encrypted copies, each under an id.

    A copy is a header, a random prefix, and boxes of at most CHUNK bytes; each box's nonce is the prefix, its number
    and whether it is the last, so that boxes cannot be reordered, exchanged or cut off unnoticed. Methods block.
    """

    def __init__(self, folder: Path, key: bytes, *, ids: IdMaker, chance: Callable[[int], bytes]) -> None:
        self._folder = folder
        self._box = SecretBox(key)
        self._ids = ids
        self._chance = chance

    def save(self, content: Iterable[bytes]) -> str:
        """Keep a copy, durable on return, and return its id. Raises OSError, and nothing of it is left."""
        name = self._ids.new()
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        path = self._folder / name
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, PRIVATE), "wb") as file:
                for piece in self._sealed(content):
                    file.write(piece)
                file.flush()
                os.fsync(file.fileno())
            flush_folder(self._folder)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return name

    def read(self, name: str) -> Iterator[bytes]:
        """Yield the content of a copy. Raises NotochordError: STORE_DAMAGED if a bit of it is not as it was kept."""
        with self._path(name).open("rb") as file:
            if file.read(len(_FORM)) != _FORM:
                raise _damaged(name)
            prefix = file.read(_PREFIX_BYTES)
            sealed, number = file.read(CHUNK + _OVERHEAD), 0
            while True:
                following = file.read(CHUNK + _OVERHEAD)
                try:
                    yield self._box.decrypt(sealed, _nonce(prefix, number, last=not following))
                except (CryptoError, ValueError) as error:
                    raise _damaged(name) from error
                if not following:
                    return
                sealed, number = following, number + 1

    def drop(self, names: Iterable[str]) -> None:
        """Delete copies; one that is gone already is none to delete."""
        for name in names:
            self._path(name).unlink(missing_ok=True)

    def sweep(self, known: set[str]) -> None:
        """Delete every copy that is not `known`: a kill between copy and record left it."""
        if self._folder.is_dir():
            self.drop(path.name for path in self._folder.iterdir() if is_id(path.name) and path.name not in known)

    def _path(self, name: str) -> Path:
        if not is_id(name):
            raise ValueError("not the name of a kept copy")
        return self._folder / name

    def _sealed(self, content: Iterable[bytes]) -> Iterator[bytes]:
        prefix = self._chance(_PREFIX_BYTES)
        yield _FORM + prefix
        number, pieces = 0, _regular(content)
        piece = next(pieces, b"")
        for following in pieces:
            yield self._box.encrypt(piece, _nonce(prefix, number, last=False)).ciphertext
            piece, number = following, number + 1
        yield self._box.encrypt(piece, _nonce(prefix, number, last=True)).ciphertext


_BINARY = getattr(os, "O_BINARY", 0)


def _regular(content: Iterable[bytes]) -> Iterator[bytes]:
    """Cut the content into pieces of exactly CHUNK bytes, the last one shorter."""
    waiting = bytearray()
    for piece in content:
        waiting += piece
        while len(waiting) >= CHUNK:
            yield bytes(waiting[:CHUNK])
            del waiting[:CHUNK]
    if waiting:
        yield bytes(waiting)


def _nonce(prefix: bytes, number: int, *, last: bool) -> bytes:
    return prefix + number.to_bytes(_COUNTER_BYTES) + bytes([last])


def _damaged(name: str) -> NotochordError:
    return NotochordError(Code.STORE_DAMAGED, Fault.SYSTEM, "a kept copy of a file is damaged", path=name)
