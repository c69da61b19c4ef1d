"""Tools that write notes, a store of the journal that takes notes back, and files as conversations need them."""

import asyncio
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.files.api import Entry, Files, Root
from notochord.services.journal.api import Change, Journal, Reverted
from notochord.services.tools.api import Consent, Session, SideEffect, ToolDefinition, ToolOutput

TEXT: dict[str, Json] = {"type": "string"}


def definition(name: str, side_effect: SideEffect, /, **properties: Json) -> ToolDefinition:
    required: list[Json] = list(properties)
    return ToolDefinition(
        name,
        f"The tool {name}.",
        {"type": "object", "properties": properties, "required": required, "additionalProperties": False},
        side_effect,
    )


WRITE = definition("note.write", SideEffect.WRITE, name=TEXT, text=TEXT)
READ = definition("note.read", SideEffect.READ, name=TEXT)
WAIT = definition("note.wait", SideEffect.READ, name=TEXT)
FAIL = definition("note.fail", SideEffect.READ)
OPEN = definition("note.open", SideEffect.READ, name=TEXT)


@dataclass
class Written:
    cause: Cause
    name: str
    before: str | None
    after: str


@dataclass
class Notes:
    """Implements ToolProvider and JournalStore."""

    journal: Journal
    texts: dict[str, str] = field(default_factory=dict)
    written: list[Written] = field(default_factory=list)
    sessions: list[Session] = field(default_factory=list)
    waiting: dict[str, asyncio.Event] = field(default_factory=dict)
    running: set[str] = field(default_factory=set)
    most_running: int = 0
    asks: bool = False
    on_run: Callable[[str, Session], None] = lambda name, session: None

    @property
    def name(self) -> str:
        return "notes"

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        return (WRITE, READ, WAIT, FAIL, OPEN)

    async def searchable(self, session: Session) -> Sequence[ToolDefinition]:
        return ()

    async def opening(self, name: str) -> str:
        return name

    async def consent(self, name: str, arguments: dict[str, Json], session: Session) -> Consent:
        return Consent("tool", name) if self.asks and name == WRITE.name else Consent()

    async def prompt(self, session: Session) -> str:
        return "Notes are short."

    async def run(self, name: str, arguments: dict[str, Json], session: Session) -> ToolOutput:
        self.sessions.append(session)
        self.on_run(name, session)
        note = str(arguments.get("name", ""))
        if name == FAIL.name:
            raise NotochordError(Code.TOOL_FAILED, Fault.GUEST, "it broke")
        if name == OPEN.name:
            return ToolOutput("opened", (note,))
        if name == WRITE.name:
            await self.journal.touch(self.name, session.caller.cause)
            text = str(arguments["text"])
            self.written.append(Written(session.caller.cause, note, self.texts.get(note), text))
            self.texts[note] = text
            return ToolOutput("written")
        if name == WAIT.name:
            self.running.add(note)
            self.most_running = max(self.most_running, len(self.running))
            try:
                await self.waiting.setdefault(note, asyncio.Event()).wait()
            finally:
                self.running.discard(note)
        return ToolOutput(self.texts.get(note))

    def _of(self, cause: Cause) -> list[Written]:
        def matches(found: Cause) -> bool:
            pairs = (
                (cause.conversation, found.conversation),
                (cause.branch, found.branch),
                (cause.turn, found.turn),
                (cause.run, found.run),
                (cause.step, found.step),
            )
            return all(not wanted or wanted == has for wanted, has in pairs)

        return [written for written in self.written if matches(written.cause)]

    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        return tuple(_change(written) for written in self._of(cause))

    async def revert(self, cause: Cause) -> Reverted:
        undone, skipped = [], []
        for written in reversed(self._of(cause)):
            if self.texts.get(written.name) != written.after:
                skipped.append(_change(written))
                continue
            if written.before is None:
                del self.texts[written.name]
            else:
                self.texts[written.name] = written.before
            self.written.remove(written)
            undone.append(_change(written))
        return Reverted(tuple(undone), tuple(skipped))


def _change(written: Written) -> Change:
    return Change("notes", written.name, "written", 0, True)


class PlainFiles(Files):
    """Takes files in, refuses folders named "refused", and remembers whose history was deleted."""

    def __init__(self) -> None:
        self.forgotten: list[str] = []
        self.causes: list[Cause] = []
        self.made: list[str] = []

    async def take_in(self, root: Root, source: Path, cause: Cause) -> str:
        self.causes.append(cause)
        shutil.copyfile(source, root.folder / source.name)
        return source.name

    async def check_choice(self, folder: Path) -> Path:
        if folder.name == "refused":
            raise NotochordError(Code.FOLDER_REFUSED, Fault.USER, folder=str(folder))
        return folder

    async def forget(self, conversation: str) -> None:
        self.forgotten.append(conversation)

    async def list(self, root: Root, path: str = "") -> Sequence[Entry]:
        raise NotImplementedError

    async def stat(self, root: Root, path: str) -> Entry | None:
        raise NotImplementedError

    async def read(self, root: Root, path: str, *, max_bytes: int) -> bytes:
        raise NotImplementedError

    async def write(self, root: Root, path: str, content: bytes, cause: Cause) -> None:
        raise NotImplementedError

    async def make_folder(self, root: Root, path: str, cause: Cause | None = None) -> None:
        self.made.append(path)
        (root.folder / path).mkdir(parents=True, exist_ok=True)

    async def move(self, source: Root, path: str, target: Root, to: str, cause: Cause) -> None:
        raise NotImplementedError

    async def delete(self, root: Root, path: str, cause: Cause) -> None:
        raise NotImplementedError

    async def new_run_folder(self, root: Root, name: str) -> str:
        raise NotImplementedError

    async def end_run_folder(self, root: Root, path: str, *, succeeded: bool) -> bool:
        if not any((root.folder / path).iterdir()):
            (root.folder / path).rmdir()
        return (root.folder / path).exists()
