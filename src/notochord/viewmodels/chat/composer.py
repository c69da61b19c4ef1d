"""Where the user writes: text and files kept for each conversation, and sent in their order."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.observable import Observable, ObservableList
from notochord.core.tasks import Lifetime, finish
from notochord.services.chat.api import Draft, Drafts, Queued
from notochord.services.settings.api import Setting
from notochord.viewmodels.chat.outbox import Waiting

SEND_WITH_CONTROL = Setting("chat.send_with_control", False)
"""Whether Ctrl+Enter (on a Mac Cmd+Enter) sends and Enter begins a line; else Enter sends and Shift+Enter does."""

LONG_PASTE = 8_000
"""Characters from which on a pasted text becomes an attachment."""
SAVE_AFTER = 0.4
"""Seconds without a key press after which the text is stored."""

_IMAGES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp")


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file to be sent along; `size` in bytes."""

    path: Path
    size: int

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def is_image(self) -> bool:
        return self.path.suffix.lower() in _IMAGES


class Composer:
    """Keeps text and attachments of one conversation ("" for the one to be begun) and hands them to `post`.

    `queued` returns what the draft is stored with beside them; `take_folder` gets a folder that is attached.
    """

    def __init__(
        self,
        chat: str,
        *,
        drafts: Drafts,
        clock: Clock,
        post: Callable[[str, tuple[Path, ...]], None],
        queued: Callable[[], tuple[Queued, ...]] = lambda: (),
        restore: Callable[[Sequence[Queued]], None] = lambda _: None,
        edit: Callable[[str, str], None] = lambda entry, text: None,
        take_folder: Callable[[Path], Awaitable[None]] | None = None,
    ) -> None:
        self.text: Observable[str] = Observable("")
        self.attachments: ObservableList[Attachment] = ObservableList()
        self.taking_in: Observable[int] = Observable(0)
        """How many pastes and files are being looked at; sending waits for them."""
        self.editing: Observable[str] = Observable("")
        """The earlier message that is being changed, "" for none; what was unsent waits until that is over."""
        self.problem: Observable[NotochordError | None] = Observable(None)
        """Why the last message came back."""
        self._chat = chat
        self._drafts = drafts
        self._clock = clock
        self._post = post
        self._queued = queued
        self._restore = restore
        self._edit = edit
        self._take_folder = take_folder
        self._set_aside = ""
        self._lifetime = Lifetime(f"composer {chat}")
        self._started = False
        self._saving = self._unsaved = False
        self._pasted = 0

    async def start(self) -> None:
        """Show what was left unsent, before what was typed meanwhile; once."""
        if self._started:
            return
        self._started = True
        draft = await self._drafts.draft(self._chat)
        self.text.set("\n".join(text for text in (draft.text, self.text.value) if text))
        self.attachments.insert_all(0, await self._looked_at(draft.attachments, missing_ok=True))
        self._restore(draft.queue)

    async def close(self) -> None:
        """Store what is unsent, and end."""
        if self._unsaved:
            await finish(self._save())
        await self._lifetime.close()

    # -- writing

    def set_text(self, text: str) -> None:
        """Take the text as it is now."""
        if text != self.text.value:
            self.text.set(text)
            self.keep()

    def takes_as_file(self, text: str) -> bool:
        """Tell whether a paste is so long that it becomes an attachment (faults E1 and E2)."""
        return len(text) >= LONG_PASTE

    async def paste_text(self, text: str) -> None:
        """Attach a long text as a file. Raises DISK_FULL, DISK_IO."""

        def encoded() -> bytes:
            return text.encode("utf-8", "replace")

        await self._paste("txt", encoded)

    async def paste_image(self, png: Callable[[], bytes]) -> None:
        """Attach a picture; `png` is called in a thread and returns its file. Raises DISK_FULL, DISK_IO."""
        await self._paste("png", png)

    async def paste_picture(self, content: bytes, ending: str) -> None:
        """Attach a picture that is too large to be shown as the file that it came as; without one, say why not."""
        if content:
            await self._paste(ending, lambda: content)
        else:
            self.problem.set(
                NotochordError(Code.INPUT_INVALID, Fault.USER, "the picture is too large", why="why.picture_too_large")
            )

    async def attach(self, files: Iterable[Path]) -> None:
        """Attach files. Raises FILE_MISSING for one that is none, FILES_MISSING for more; the others are attached.

        A folder becomes what the conversation is about, if it has not begun yet. Raises INPUT_INVALID elsewhere.
        """
        self.taking_in.set(self.taking_in.value + 1)
        try:
            paths, folders = await asyncio.to_thread(_apart, tuple(files))
            missing = await self._attach(paths)
        finally:
            self.taking_in.set(self.taking_in.value - 1)
        if len(folders) == 1 and self._take_folder is not None:
            await self._take_folder(folders[0])
            folders = ()
        unusable = (*missing, *folders)
        if len(unusable) > 1 and missing:
            names = ", ".join(path.name for path in unusable)
            raise NotochordError(Code.FILES_MISSING, Fault.USER, "no files", names=names)
        if missing:
            raise NotochordError(Code.FILE_MISSING, Fault.USER, "no file", path=missing[0].name)
        if folders:
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, "folders are not attached", why="why.attach_folder")

    async def _attach(self, paths: tuple[Path, ...]) -> tuple[Path, ...]:
        """Attach what are files; return what is none."""
        known = {attachment.path for attachment in self.attachments}
        found = await self._looked_at([path for path in paths if path not in known], missing_ok=True)
        self.attachments.extend(found)
        self.keep()
        usable = known | {attachment.path for attachment in found}
        return tuple(dict.fromkeys(path for path in paths if path not in usable))

    def detach(self, attachment: Attachment) -> None:
        """Leave a file out after all."""
        if attachment in self.attachments:
            self.attachments.remove(self.attachments.index(attachment))
            self.keep()
            _ = self._lifetime.start("unstage", self._drafts.unstage((attachment.path,)))

    def begin_edit(self, entry: str, text: str) -> None:
        """Change an earlier message; what was written is set aside meanwhile."""
        if not self.editing.value:
            self._set_aside = self.text.value
        self.editing.set(entry)
        self.text.set(text)

    def cancel_edit(self) -> None:
        """Leave the earlier message as it is."""
        self.editing.set("")
        self.text.set(self._set_aside)
        self._set_aside = ""

    @property
    def can_send(self) -> bool:
        """Whether there is something to send."""
        return bool(self.text.value.strip() or self.attachments) and not self.taking_in.value

    def send(self) -> bool:
        """Hand over what is written; tell whether there was anything."""
        if not self.can_send:
            return False
        if entry := self.editing.value:
            text = self.text.value
            self.cancel_edit()
            self._edit(entry, text)
            return True
        text, files = self.text.value, tuple(attachment.path for attachment in self.attachments)
        self.problem.set(None)
        self.text.set("")
        self.attachments.reset(())
        self._post(text, files)
        self.keep()
        return True

    def give_back(self, message: Waiting, error: NotochordError | None = None) -> None:
        """Put a message back before what is written now, as when it could not be sent or is to be changed."""
        self.text.set("\n\n".join(text for text in (message.text, self.text.value) if text))
        _ = self._lifetime.start("give back", self._give_back(message.attachments))
        self.problem.set(error)

    def sent(self, files: tuple[Path, ...]) -> None:
        """Delete pasted files whose message is recorded."""
        if files:
            _ = self._lifetime.start("unstage", self._drafts.unstage(files))

    def keep(self) -> None:
        """Store what is unsent soon."""
        self._unsaved = True
        if not self._saving:
            self._saving = True
            _ = self._lifetime.start("keep", self._keep())

    async def keep_now(self) -> None:
        """Store what is unsent; it is on the disk on return."""
        await self._save()

    # -- how

    async def _keep(self) -> None:
        try:
            while self._unsaved:
                await self._clock.sleep(SAVE_AFTER)
                await self._save()
        except NotochordError as error:
            self.problem.set(error)
        finally:
            self._saving = False

    async def _save(self) -> None:
        self._unsaved = False
        files = tuple(attachment.path for attachment in self.attachments)
        text = "\n\n".join(part for part in (self._set_aside, self.text.value) if part)
        await self._drafts.keep(self._chat, Draft(text, files, self._queued()))

    async def _paste(self, ending: str, content: Callable[[], bytes]) -> None:
        self._pasted += 1
        name = f"pasted-{self._pasted}.{ending}"
        self.taking_in.set(self.taking_in.value + 1)
        try:
            file = await self._drafts.stage(name, await asyncio.to_thread(content))
            self.attachments.extend(await self._looked_at((file,), missing_ok=False))
            self.keep()
        finally:
            self.taking_in.set(self.taking_in.value - 1)

    async def _give_back(self, files: tuple[Path, ...]) -> None:
        self.attachments.insert_all(0, await self._looked_at(files, missing_ok=True))
        self.keep()

    async def _looked_at(self, files: Sequence[Path], *, missing_ok: bool) -> list[Attachment]:
        def look() -> list[Attachment]:
            return [Attachment(file, file.stat().st_size) for file in files if not missing_ok or file.is_file()]

        return await asyncio.to_thread(look)


def _apart(paths: Iterable[Path]) -> tuple[tuple[Path, ...], tuple[Path, ...]]:
    """Return what may be attached, and what is a folder."""
    folders = tuple(path for path in paths if path.is_dir())
    return tuple(path for path in paths if path not in folders), folders
