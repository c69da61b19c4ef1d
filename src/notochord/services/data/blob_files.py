"""The files of Blobs: encrypted, and named so that neither content nor hash can be told from outside."""

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path

from nacl.exceptions import CryptoError
from nacl.secret import SecretBox

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.keys import derived_key
from notochord.persistence.atomic_files import flush_folder, write_atomically

_FORM = b"NOTOCHORD-BLOB-1"


class BlobFiles:
    """The folder of encrypted files, one per content. Methods block.

    A file is a header, a nonce and one SecretBox; its name is a keyed hash of the content's hash.
    """

    def __init__(self, folder: Path, key: bytes, chance: Callable[[int], bytes]) -> None:
        self._folder = folder
        self._box = SecretBox(derived_key(key, "blobs"))
        self._names = derived_key(key, "blob names")
        self._chance = chance

    def save(self, digest: str, content: bytes) -> None:
        """Keep a content, durable on return; one that is there is written again. Raises OSError."""
        if not self._folder.is_dir():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            flush_folder(self._folder.parent)
        sealed = self._box.encrypt(content, self._chance(SecretBox.NONCE_SIZE))
        write_atomically(self._folder / self._name(digest), _FORM + bytes(sealed))

    def has(self, digest: str) -> bool:
        return (self._folder / self._name(digest)).is_file()

    def read(self, digest: str) -> bytes:
        """Raises NotochordError: STORE_DAMAGED if it is not there, or not as it was kept."""
        try:
            sealed = (self._folder / self._name(digest)).read_bytes()
        except FileNotFoundError:
            raise _damaged(digest) from None
        try:
            content = self._box.decrypt(sealed.removeprefix(_FORM))
        except (CryptoError, ValueError) as error:
            raise _damaged(digest) from error
        if hashlib.sha256(content).hexdigest() != digest:
            raise _damaged(digest)
        return content

    def drop(self, digest: str) -> None:
        """Delete a file; one that is gone already is none to delete."""
        (self._folder / self._name(digest)).unlink(missing_ok=True)

    def sweep(self, known: Iterable[str]) -> None:
        """Delete every file that is not of a known content: a kill between file and record left it."""
        if not self._folder.is_dir():
            return
        names = {self._name(digest) for digest in known}
        with os.scandir(self._folder) as found:
            strays = [entry.path for entry in found if entry.name not in names and entry.is_file(follow_symlinks=False)]
        for stray in strays:
            Path(stray).unlink(missing_ok=True)

    def _name(self, digest: str) -> str:
        return hashlib.blake2b(digest.encode(), key=self._names, digest_size=32).hexdigest()


def _damaged(digest: str) -> NotochordError:
    return NotochordError(Code.STORE_DAMAGED, Fault.SYSTEM, "a stored file is damaged or gone", path=digest[:16])
