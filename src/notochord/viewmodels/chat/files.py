"""The panel of a conversation's files: what is there, what it held before, and how to get at it."""

import asyncio
import csv
import io
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from notochord.core.caller import Cause
from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus, Unsubscribe
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime
from notochord.core.text_files import decode
from notochord.services.chat.api import Chat, ChatChanged, FilesReverted
from notochord.services.files.api import (
    Entry,
    EntryType,
    Files,
    FileVersions,
    Opening,
    Root,
    Version,
    may_be_opened,
)

MOST_TEXT = 512_000
MOST_IMAGE = 30_000_000
MOST_ROWS = 500
MOST_COLUMNS = 50

_NO_TEXT = re.compile(r"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f-\x9f\ufffd]")
"""What a text does not hold, whose encoding was guessed."""


class Shown(StrEnum):
    """How a file is previewed."""

    TEXT = "text"
    MARKDOWN = "markdown"
    TABLE = "table"
    IMAGE = "image"
    NOTHING = "nothing"


_KINDS = {
    **dict.fromkeys((".md", ".markdown"), Shown.MARKDOWN),
    **dict.fromkeys((".csv", ".tsv"), Shown.TABLE),
    **dict.fromkeys((".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp"), Shown.IMAGE),
}


@dataclass(frozen=True, slots=True)
class Preview:
    """What is seen of a file; `cut`: it goes on. `version` is empty for what the file holds now."""

    path: str
    shown: Shown
    size: int
    text: str = ""
    rows: tuple[tuple[str, ...], ...] = ()
    image: bytes = b""
    cut: bool = False
    version: str = ""


class FilesModel:
    """The folder of one conversation, looked at from the place `path` in it."""

    def __init__(
        self, chat: Chat, *, files: Files, versions: FileVersions, opening: Opening, events: EventBus, clock: Clock
    ) -> None:
        self.folder = chat.folder
        self.clock = clock
        self.path: Observable[str] = Observable("")
        self.entries: ObservableList[Entry] = ObservableList()
        self.preview: Observable[Preview | None] = Observable(None)
        self.versions: ObservableList[Version] = ObservableList()
        self.problem: Observable[NotochordError | None] = Observable(None)
        self.loaded: Observable[bool] = Observable(False)
        self._chat = chat.id
        self._root = Root(chat.folder, hide_dots=False, history=True)
        self._files = files
        self._history = versions
        self._opening = opening
        self._lifetime = Lifetime(f"files of {chat.id}")
        self._stale = self._reading = False
        self._in_turn = asyncio.Lock()
        self._subscriptions: list[Unsubscribe] = [
            events.subscribe(ChatChanged, lambda event: self._hear(event.chat)),
            events.subscribe(FilesReverted, lambda event: self._hear(event.chat)),
        ]

    async def start(self) -> None:
        """List the folder."""
        await self._list()
        self.loaded.set(True)

    async def close(self) -> None:
        """Hear no more."""
        for unsubscribe in self._subscriptions:
            unsubscribe()
        await self._lifetime.close()

    async def go(self, path: str) -> None:
        """List a folder below; "" is the conversation's own."""
        self.path.set(path)
        await self._list()

    async def up(self) -> None:
        """List the folder around this one."""
        await self.go(self.path.value.rpartition("/")[0])

    async def choose(self, name: str) -> None:
        """Enter a folder of the list, or show a file of it."""
        path = f"{self.path.value}/{name}" if self.path.value else name
        entry = next((entry for entry in self.entries if entry.name == name), None)
        if entry is not None and entry.type is EntryType.FOLDER:
            await self.go(path)
        else:
            await self.show(path)

    async def show(self, path: str) -> None:
        """Preview a file, or list the folder at this path. Raises FILE_MISSING, PATH_OUTSIDE."""
        entry = await self._files.stat(self._root, path)
        if entry is not None and entry.type is EntryType.FOLDER:
            self.close_preview()
            await self.go(path)
            return
        self.preview.set(await self._now(path, entry))
        self.versions.reset(await self._history.versions(self._root, path, self._chat))

    async def show_version(self, version: str) -> None:
        """Preview what the file held before. Raises NOT_FOUND, STORE_DAMAGED."""
        before = self.preview.value
        if before is None:
            return
        kind = _kind(before.path)
        limit = MOST_IMAGE if kind is Shown.IMAGE else MOST_TEXT
        try:
            content: bytes | None = await self._history.read_version(version, max_bytes=limit)
        except NotochordError as error:
            if error.code is not Code.PAYLOAD_TOO_LARGE:
                raise
            content = None
        size = len(content) if content is not None else -1
        self.preview.set(_preview(before.path, kind, size, content, version=version))

    async def restore(self, version: str) -> None:
        """Make the file that is shown what it was; what it holds now becomes a version (PERM-107)."""
        shown = self.preview.value
        if shown is not None:
            await self._history.restore(self._root, shown.path, version, Cause(conversation=self._chat))
            await self.show(shown.path)

    def close_preview(self) -> None:
        """Show the list again."""
        self.preview.set(None)
        self.versions.reset(())

    def open_folder(self) -> bool:
        """Show the folder in the system's file manager; tell whether there is one."""
        return self._opening.show_folder(self.folder / self.path.value)

    def may_open(self, path: str) -> bool:
        """Tell whether a file is of a kind that other programs may be given."""
        return may_be_opened(path)

    def open_file(self, path: str) -> bool:
        """Hand a file to the program for its kind; one of a kind that could run is shown in its folder instead."""
        file = self.folder / path
        if may_be_opened(path) and not _leads_out(self.folder, file):
            return self._opening.open_file(file)
        return self._opening.show_folder(file.parent)

    def _hear(self, chat: str) -> None:
        if chat == self._chat:
            self._stale = True
            if not self._reading:
                self._reading = True
                _ = self._lifetime.start("list", self._keep_listing())

    async def _keep_listing(self) -> None:
        try:
            while self._stale:
                self._stale = False
                await self._list()
                await self._look_again()
        finally:
            self._reading = False

    async def _look_again(self) -> None:
        """Show what the previewed file holds now, if that changed; of one that is gone, the list."""
        before = self.preview.value
        if before is None:
            return
        try:
            now = before if before.version else await self._now(before.path, None)
            versions = await self._history.versions(self._root, before.path, self._chat)
        except NotochordError:
            if self.preview.value is before:
                self.close_preview()
            return
        if self.preview.value is not before:
            return
        if now != before:
            self.preview.set(now)
        if list(self.versions) != list(versions):
            self.versions.reset(versions)

    async def _now(self, path: str, entry: Entry | None) -> Preview:
        entry = entry or await self._files.stat(self._root, path)
        size, kind = entry.size if entry else 0, _kind(path)
        return _preview(path, kind, size, await self._content(path, size, kind))

    async def _list(self) -> None:
        async with self._in_turn:  # one after the other: what is read last is shown last
            await self._list_now()

    async def _list_now(self) -> None:
        try:
            found = await self._files.list(self._root, self.path.value)
        except NotochordError as error:
            self.problem.set(error)
            self.entries.reset(())
            return
        self.problem.set(None)
        visible = [entry for entry in found if not entry.name.startswith(".")]
        ordered = sorted(visible, key=lambda entry: (entry.type is EntryType.FILE, entry.name.casefold()))
        if ordered != list(self.entries):
            self.entries.reset(ordered)

    async def _content(self, path: str, size: int, kind: Shown) -> bytes | None:
        """Return the content, as much as is shown of it; None for what is not shown."""
        limit = MOST_IMAGE if kind is Shown.IMAGE else MOST_TEXT
        if size > limit:
            return None
        return await self._files.read(self._root, path, max_bytes=limit)


def _kind(path: str) -> Shown:
    return _KINDS.get(Path(path).suffix.lower(), Shown.TEXT)


def _preview(path: str, kind: Shown, size: int, content: bytes | None, *, version: str = "") -> Preview:
    if content is None:
        return Preview(path, Shown.NOTHING, size, version=version)
    if kind is Shown.IMAGE:
        return Preview(path, kind, size, image=content, version=version)
    text = _text(content)
    if text is None:
        return Preview(path, Shown.NOTHING, size, version=version)
    if kind is Shown.TABLE:
        rows, cut = _rows(text, "\t" if path.lower().endswith(".tsv") else "")
        return Preview(path, kind, size, rows=rows, cut=cut, version=version)
    return Preview(path, kind, size, text=text, version=version)


def _text(content: bytes) -> str | None:
    """Return the text of a file in whatever encoding it is; None for one that is no text."""
    try:
        read = decode(content)
    except NotochordError:
        return None
    guessed = not read.encoding.startswith("utf-8")
    return None if guessed and _NO_TEXT.search(read.text) else read.text.removeprefix("\ufeff")


def _rows(text: str, delimiter: str) -> tuple[tuple[tuple[str, ...], ...], bool]:
    """Return the first rows of a table; the delimiter is the one that the first line has most of."""
    first = text.partition("\n")[0]
    delimiter = delimiter or max(",;\t|", key=first.count)
    rows: list[tuple[str, ...]] = []
    cut = False
    try:
        for row in csv.reader(io.StringIO(text), delimiter=delimiter):
            if len(rows) == MOST_ROWS:
                cut = True
                break
            cut = cut or len(row) > MOST_COLUMNS
            rows.append(tuple(row[:MOST_COLUMNS]))
    except csv.Error:
        cut = True
    return tuple(rows), cut


def _leads_out(folder: Path, file: Path) -> bool:
    """Tell whether a name on the way is a link, which could lead anywhere."""
    inside = file.relative_to(folder).parts if file.is_relative_to(folder) else ("..",)
    if ".." in inside:
        return True
    at = folder
    for part in inside:
        at = at / part
        if at.is_symlink():
            return True
    return False
