"""Files of conversations and runs: every path resolved in one way, every change kept before it is made."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.files import care, choice, reading, records, runs
from notochord.services.files.api import Entry, EntryType, Root, Version
from notochord.services.files.changing import (
    KEPT_BYTES,
    Before,
    ChangedMeanwhileError,
    Changing,
    missing_parents,
    parsed,
)
from notochord.services.files.failures import exists, failures
from notochord.services.files.history import STORE, FileHistory
from notochord.services.files.kept import KeptCopies
from notochord.services.files.places import make_folders
from notochord.services.files.ports import OriginMark, Trash
from notochord.services.files.records import Kind, Record
from notochord.services.files.searching import Hits, search
from notochord.services.files.threads import FileThreads
from notochord.services.journal.api import Change, Journal, Reverted

Result = TypeVar("Result")

ATTEMPTS = 5


class FileService:
    """Implements `Files`; registers itself as the store "files" of the journal. One change happens at a time.

    `key` (32 bytes) encrypts what is kept in the folder `history`; `data` is the program's own folder, which nobody may
    choose; `trash` is None where there is none.
    """

    def __init__(
        self,
        *,
        database: Database,
        journal: Journal,
        clock: Clock,
        ids: IdMaker,
        history: Path,
        key: bytes,
        rules: choice.ChoiceRules,
        trash: Trash | None = None,
        mark: OriginMark | None = None,
    ) -> None:
        self._database = database
        self._clock = clock
        self._ids = ids
        self._rules = rules
        self._kept = KeptCopies(history, key, ids=ids, chance=clock.random_bytes)
        self._history = FileHistory(database=database, journal=journal, kept=self._kept)
        self._changing = Changing(kept=self._kept, trash=trash, mark=mark)
        self._threads = FileThreads()
        self._lock = asyncio.Lock()
        journal.register(self)

    @property
    def name(self) -> str:
        return STORE

    async def start(self) -> None:
        """Delete copies that no record knows, and settle a change that was cut off; before any change."""
        known = await self._database.read(records.kept_names)
        await self._threads.run(lambda: self._kept.sweep(known))
        await self._history.settle(self._threads)

    async def close(self) -> None:
        """Wait for the change under way and end the threads."""
        async with self._lock:
            await self._threads.close()

    async def list(self, root: Root, path: str = "") -> Sequence[Entry]:
        return await self._run(path, lambda: reading.entries(root, path))

    async def stat(self, root: Root, path: str) -> Entry | None:
        return await self._run(path, lambda: reading.entry(root, path))

    async def read(self, root: Root, path: str, *, max_bytes: int) -> bytes:
        return await self._run(path, lambda: reading.read(root, path, max_bytes))

    async def write(self, root: Root, path: str, content: bytes, cause: Cause) -> None:
        """Put content in place atomically; the old content is in the history first."""
        parts = parsed(root, path)
        async with self._lock:
            for _ in range(ATTEMPTS):
                if await self._write_once(root, parts, content, cause):
                    return
        raise NotochordError(Code.FILE_BUSY, Fault.USER, "another program keeps changing this file", path=path)

    async def make_folder(self, root: Root, path: str, cause: Cause | None = None) -> None:
        """Make a folder with its parents; one that exists already is fine."""
        parts = parsed(root, path)
        async with self._lock:
            found = await self._run(path, lambda: reading.entry(root, path))
            if found is not None:
                if found.type is EntryType.FILE:
                    raise exists(path)
                return
            made = await self._run(path, lambda: missing_parents(root.folder, parts))
            if root.history:
                await self._history.add(
                    [self._record(Kind.FOLDER_MADE, root, parts, cause or Cause(), Before(made=made))]
                )
            await self._run(path, lambda: make_folders(root.folder, parts))

    async def move(self, source: Root, path: str, target: Root, to: str, cause: Cause) -> None:
        """Move or rename; paths are recorded, contents are not copied."""
        parts, goal = parsed(source, path), parsed(target, to)
        async with self._lock:
            mark, made = await self._run(path, lambda: self._changing.before_move(source, parts, target, goal))
            record = self._record(Kind.MOVED, source, parts, cause, Before(made=made))
            if source.history or target.history:
                moved = replace(record, after=mark, to_root=str(target.folder), to_path="/".join(goal))
                await self._history.add([moved])
            await self._run(path, lambda: self._changing.move(source, parts, target, goal, record.id))

    async def delete(self, root: Root, path: str, cause: Cause) -> None:
        """Move to the trash, or delete, after keeping what the history holds; a folder is recorded file by file."""
        parts = parsed(root, path)
        async with self._lock:
            doomed = await self._run(path, lambda: self._changing.keep_all(root, parts))
            if root.history:
                await self._history.add(
                    [self._record(each.kind, root, each.parts, cause, each.before) for each in reversed(doomed)]
                )
            await self._run(path, lambda: self._changing.delete(root, parts))

    async def take_in(self, root: Root, source: Path, cause: Cause) -> str:
        """Copy a file that the user chose into the root and return its path there."""
        name = await self._run(source.name, lambda: self._changing.take_in(root, source))
        if root.history:
            await self._history.add([self._record(Kind.TAKEN_IN, root, (name,), cause, Before())])
        return name

    async def search(self, root: Root, path: str, wanted: str) -> Hits:
        """Look for a text in names and contents below a folder. Raises FILE_MISSING, PATH_OUTSIDE, PATH_INVALID."""
        return await self._run(path, lambda: search(root, path, wanted))

    async def needs_care(self, root: Root, path: str, *, changes: bool) -> bool:
        """Tell whether the user is asked about this path each time; see `care`."""
        return await self._run(path, lambda: care.needs_care(root, path, changes=changes))

    async def new_run_folder(self, root: Root, name: str) -> str:
        now = self._clock.now().astimezone(self._clock.zone())
        return await self._run(name, lambda: runs.make(root, name, now))

    async def end_run_folder(self, root: Root, path: str, *, succeeded: bool) -> bool:
        async with self._lock:
            return await self._run(path, lambda: runs.end(root, path, succeeded=succeeded))

    async def check_choice(self, folder: Path) -> Path:
        return await self._threads.run(lambda: choice.check(folder, self._rules))

    async def versions(self, root: Root, path: str, conversation: str) -> tuple[Version, ...]:
        """See `FileVersions.versions`; contents that are the same one after the other are one version."""
        plain = "/".join(parsed(root, path))
        found = await self._database.read(
            lambda connection: records.versions(connection, str(root.folder), plain, conversation)
        )
        return tuple(
            Version(record.id, record.at, by_agent=bool(record.cause.turn))
            for record, later in zip(found, [None, *found], strict=False)
            if later is None or later.before != record.before
        )

    async def read_version(self, version: str, *, max_bytes: int) -> bytes:
        """See `FileVersions.read_version`."""
        record = await self._version(version)

        def read() -> bytes:
            content = bytearray()
            for piece in self._kept.read(record.kept):
                content += piece
                if len(content) > max_bytes:
                    detail = f"the version is larger than {max_bytes} bytes"
                    raise NotochordError(
                        Code.PAYLOAD_TOO_LARGE,
                        Fault.USER,
                        detail,
                        path=record.path,
                        limit=max_bytes,
                        why="why.file_too_large",
                    )
            return bytes(content)

        return await self._run(record.path, read)

    async def restore(self, root: Root, path: str, version: str, cause: Cause) -> None:
        """See `FileVersions.restore`."""
        await self.write(root, path, await self.read_version(version, max_bytes=KEPT_BYTES), cause)

    async def _version(self, version: str) -> Record:
        record = await self._database.read(lambda connection: records.find(connection, version))
        if record is None or not record.kept:
            raise NotochordError(
                Code.NOT_FOUND, Fault.USER, f"no version {version}", subject=version, why="why.version_gone"
            )
        return record

    async def forget(self, conversation: str) -> None:
        """Delete the history of a conversation with its kept copies."""
        async with self._lock:
            dropped = await self._database.write(lambda connection: records.forget(connection, conversation))
            await self._threads.run(lambda: self._kept.drop(dropped))

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        return await self._history.changes(cause)

    async def revert(self, cause: Cause) -> Reverted:
        async with self._lock:
            return await self._history.revert(cause, self._threads)

    async def _write_once(self, root: Root, parts: tuple[str, ...], content: bytes, cause: Cause) -> bool:
        path = "/".join(parts)
        before = await self._run(path, lambda: self._changing.keep(root, parts))
        record = self._record(Kind.WRITTEN, root, parts, cause, before)
        if root.history:
            await self._history.add([replace(record, after=sha256(content).hexdigest())])
        try:
            await self._run(path, lambda: self._changing.write(root, parts, (content,), before, record.id))
        except ChangedMeanwhileError:
            return False
        return True

    async def _run(self, path: str, work: Callable[[], Result]) -> Result:
        def guarded() -> Result:
            with failures(path):
                return work()

        return await self._threads.run(guarded)

    def _record(self, kind: Kind, root: Root, parts: tuple[str, ...], cause: Cause, before: Before) -> Record:
        return Record(
            id=self._ids.new(),
            kind=kind,
            root=str(root.folder),
            path="/".join(parts),
            cause=cause,
            at=self._clock.milliseconds(),
            before=before.digest,
            kept=before.kept,
            mode=before.mode,
            modified=before.modified,
            made=before.made,
        )
