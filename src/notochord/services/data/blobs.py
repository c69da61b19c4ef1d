"""Blobs: files by the hash of their content, stored once, and swept once nothing refers to them."""

import asyncio
import hashlib

from notochord.core.caller import Caller
from notochord.core.clock import Clock
from notochord.persistence.bare import BareConnection
from notochord.persistence.changeover import Boundary
from notochord.persistence.failures import translated
from notochord.services.data import changes
from notochord.services.data.access import Access
from notochord.services.data.api import MAX_BLOB_BYTES, Blob
from notochord.services.data.blob_files import BlobFiles
from notochord.services.data.changes import ChangeRecorder
from notochord.services.data.nodes import blob_path
from notochord.services.data.validation import dumped, invalid, too_large
from notochord.services.data.values import BLOB_HASH

MAX_LABEL = 500
KEPT_DAYS = 7
SWEPT_AT_ONCE = 500

_DAY = 86_400_000
_COLUMNS = "hash, size, mime, name, created_at"


class StoredBlobs:
    """The Blobs of one store. Put and sweep take turns, so that neither deletes what the other keeps."""

    def __init__(
        self, access: Access, files: BlobFiles, *, recorder: ChangeRecorder, clock: Clock, boundary: Boundary
    ) -> None:
        self._access = access
        self._files = files
        self._recorder = recorder
        self._clock = clock
        self._boundary = boundary
        self._turn = asyncio.Lock()

    async def put(self, content: bytes, caller: Caller, *, mime: str | None = None, name: str | None = None) -> Blob:
        if len(content) > MAX_BLOB_BYTES:
            raise too_large(f"a Blob has at most {MAX_BLOB_BYTES} bytes", MAX_BLOB_BYTES)
        for label, text in (("mime", mime), ("name", name)):
            _check_label(label, text)
        digest = await asyncio.to_thread(lambda: hashlib.sha256(content).hexdigest())

        def work(connection: BareConnection) -> Blob:
            before = _row(connection, digest)
            shown = dumped({"size": len(content), "mime": mime, "name": name})
            told = dumped({"size": before.size, "mime": before.mime, "name": before.name}) if before else None
            _, now = self._recorder.record(connection, caller, changes.BLOB, digest, told, shown)
            connection.execute(
                f"INSERT INTO blobs ({_COLUMNS}) VALUES (?, ?, ?, ?, ?) ON CONFLICT (hash) DO UPDATE SET "
                "mime = excluded.mime, name = excluded.name, created_at = excluded.created_at",
                (digest, len(content), mime, name, now),
            )
            return Blob(digest, len(content), mime, name, now)

        async with self._turn, self._access.writing(caller):
            known = await self._access.read(lambda connection: _row(connection, digest)) is not None
            if not known or not await asyncio.to_thread(self._files.has, digest):
                await asyncio.to_thread(self._save, digest, content)
                self._recorder.written += len(content)
                self._boundary("blob saved")
            return await self._access.commit(work)

    async def get(self, digest: str) -> tuple[Blob, bytes] | None:
        async with self._turn:
            found = await self.stat(digest)
            return None if found is None else (found, await asyncio.to_thread(self._read, digest))

    async def stat(self, digest: str) -> Blob | None:
        if BLOB_HASH.fullmatch(digest) is None:
            raise invalid("a hash has 64 lowercase hexadecimal digits")
        return await self._access.read(lambda connection: _row(connection, digest))

    async def clean(self, caller: Caller) -> bool:
        """Sweep some Blobs that nothing refers to and that were last put KEPT_DAYS ago; tell whether that was all."""
        before = self._clock.milliseconds() - KEPT_DAYS * _DAY

        def work(connection: BareConnection) -> list[str]:
            gone = _unused(connection, before)
            for digest in gone:
                self._recorder.record(connection, caller, changes.BLOB, digest, "", None)
                connection.execute("DELETE FROM blobs WHERE hash = ?", (digest,))
            return gone

        async with self._turn:
            gone = await self._access.write(work, caller)
            self._boundary("blobs forgotten")
            await asyncio.to_thread(self._drop, gone)
        return len(gone) < SWEPT_AT_ONCE

    async def drop_strays(self) -> None:
        """Delete files that no record knows, which a kill has left."""
        async with self._turn:
            known = await self._access.read(
                lambda connection: [row[0] for row in connection.execute("SELECT hash FROM blobs")]
            )
            await asyncio.to_thread(self._sweep, known)

    def _save(self, digest: str, content: bytes) -> None:
        with translated(self._access.database.path.with_name("blobs")):
            self._files.save(digest, content)

    def _read(self, digest: str) -> bytes:
        with translated(self._access.database.path.with_name("blobs")):
            return self._files.read(digest)

    def _drop(self, digests: list[str]) -> None:
        with translated(self._access.database.path.with_name("blobs")):
            for digest in digests:
                self._files.drop(digest)

    def _sweep(self, known: list[str]) -> None:
        with translated(self._access.database.path.with_name("blobs")):
            self._files.sweep(known)


def _row(connection: BareConnection, digest: str) -> Blob | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM blobs WHERE hash = ?", (digest,)).fetchone()
    return None if row is None else Blob(*row)


def _unused(connection: BareConnection, before: int) -> list[str]:
    rows = connection.execute(
        "SELECT hash FROM blobs WHERE created_at <= ? AND NOT EXISTS "
        f"(SELECT 1 FROM links WHERE target = ? || hash) ORDER BY created_at LIMIT {SWEPT_AT_ONCE}",
        (before, blob_path("")),
    )
    return [row[0] for row in rows.fetchall()]


def _check_label(name: str, text: str | None) -> None:
    if text is None:
        return
    if len(text) > MAX_LABEL or not text.isprintable():
        raise invalid(f"{name} is a text of at most {MAX_LABEL} characters without control characters")
