"""The `fs.*` tools: an agent's way to the files of its conversation (PERM-059, OPEN-040)."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import TypeVar

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.core.text_files import Decoded, decode
from notochord.services.files import definitions as tools
from notochord.services.files.api import Entry
from notochord.services.files.mounts import WORKSPACE, is_top, readable, shown, writable
from notochord.services.files.service import FileService
from notochord.services.tools.api import Consent, Session, ToolDefinition, ToolOutput, ToolProvider

MAX_FILE_BYTES = 20_000_000
MAX_CHARACTERS = 32_000
MOST_LISTED = 500

Argument = TypeVar("Argument", str, int)
Arguments = dict[str, Json]
_CHANGING = frozenset({tools.WRITE, tools.EDIT, tools.MAKE_FOLDER, tools.MOVE, tools.DELETE})


class FileTools(ToolProvider):
    """A provider of tools. In the conversation's own folder nothing is asked; in one of the user's, see `care`."""

    def __init__(self, *, files: FileService) -> None:
        self._files = files
        self._definitions = tools.definitions()
        self._runs: dict[str, Callable[[Arguments, Session], Awaitable[Json]]] = {
            tools.LIST: self._list,
            tools.CAT: self._cat,
            tools.SEARCH: self._search,
            tools.WRITE: self._write,
            tools.EDIT: self._edit,
            tools.MAKE_FOLDER: self._make_folder,
            tools.MOVE: self._move,
            tools.DELETE: self._delete,
        }

    async def definitions(self, session: Session) -> Sequence[ToolDefinition]:
        return self._definitions

    async def searchable(self, session: Session) -> Sequence[ToolDefinition]:
        return self._definitions

    async def consent(self, name: str, arguments: Arguments, session: Session) -> Consent:
        """Ask each time about dot entries and, before a change, about what can be run, in a folder of the user's."""
        if session.own_folder:
            return Consent()
        for key in ("path", "to"):
            path = arguments.get(key)
            if isinstance(path, str) and await self._needs_care(path, session, changes=name in _CHANGING):
                return Consent("file", path, every_time=True)
        return Consent()

    async def prompt(self, session: Session) -> str:
        return "Files: paths are relative to your working folder, with forward slashes, such as notes/todo.md."

    async def run(self, name: str, arguments: Arguments, session: Session) -> ToolOutput:
        """Run one of the eight tools. Raises NotochordError as `Files` does."""
        return ToolOutput(await self._runs[name](arguments, session))

    async def _list(self, arguments: Arguments, session: Session) -> Json:
        path = _text(arguments, "path")
        entries = await self._files.list(*readable(session, path))
        listed: list[Json] = [_shown(entry) for entry in entries[:MOST_LISTED]]
        if is_top(session, path):
            listed.append({"name": WORKSPACE, "type": "folder"})
        if len(entries) > MOST_LISTED:
            return {"entries": listed, "note": f"{len(entries) - MOST_LISTED} more; use fs.search to find one"}
        return {"entries": listed}

    async def _cat(self, arguments: Arguments, session: Session) -> Json:
        decoded = await self._decoded(arguments, session)
        first, limit = _number(arguments, "offset", 1), _number(arguments, "limit", 0)
        return _part(decoded.text.splitlines(keepends=True), first, limit)

    async def _search(self, arguments: Arguments, session: Session) -> Json:
        wanted = _text(arguments, "text").strip()
        if not wanted:
            raise NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, "give a word to look for")
        path = _text(arguments, "path")
        found = await self._files.search(*readable(session, path), wanted)
        hits: list[Json] = []
        for hit in found.hits:
            place: dict[str, Json] = {"path": shown(session, path, hit.path)}
            hits.append({**place, "line": hit.line, "text": hit.text} if hit.line else place)
        return {"found": hits} if found.complete else {"found": hits, "note": "there may be more; narrow the search"}

    async def _write(self, arguments: Arguments, session: Session) -> Json:
        path, content = _text(arguments, "path"), _text(arguments, "content").encode("utf-8")
        await self._files.write(*writable(session, path), content, session.caller.cause)
        return {"written": path, "bytes": len(content)}

    async def _edit(self, arguments: Arguments, session: Session) -> Json:
        path = _text(arguments, "path")
        place = writable(session, path)
        decoded = await self._decoded(arguments, session)
        changed = _replaced(decoded.text, _text(arguments, "old"), _text(arguments, "new"))
        await self._files.write(*place, decoded.encode(changed), session.caller.cause)
        return {"edited": path}

    async def _make_folder(self, arguments: Arguments, session: Session) -> Json:
        path = _text(arguments, "path")
        await self._files.make_folder(*writable(session, path), session.caller.cause)
        return {"made": path}

    async def _move(self, arguments: Arguments, session: Session) -> Json:
        path, to = _text(arguments, "path"), _text(arguments, "to")
        await self._files.move(*writable(session, path), *writable(session, to), session.caller.cause)
        return {"moved": path, "to": to}

    async def _delete(self, arguments: Arguments, session: Session) -> Json:
        path = _text(arguments, "path")
        await self._files.delete(*writable(session, path), session.caller.cause)
        return {"deleted": path}

    async def _decoded(self, arguments: Arguments, session: Session) -> Decoded:
        content = await self._files.read(*readable(session, _text(arguments, "path")), max_bytes=MAX_FILE_BYTES)
        return decode(content)

    async def _needs_care(self, path: str, session: Session, *, changes: bool) -> bool:
        return await self._files.needs_care(*readable(session, path), changes=changes)


def _text(arguments: Arguments, name: str) -> str:
    value = arguments.get(name, "")
    return value if isinstance(value, str) else ""


def _number(arguments: Arguments, name: str, otherwise: int) -> int:
    value = arguments.get(name, otherwise)
    return int(value) if isinstance(value, int | float) else otherwise


def _shown(entry: Entry) -> Json:
    shown: dict[str, Json] = {"name": entry.name, "type": entry.type.value}
    with suppress(ValueError, OverflowError, OSError):  # some disks hold times beyond the calendar
        shown["modified"] = datetime.fromtimestamp(entry.modified / 1000, UTC).strftime("%Y-%m-%d %H:%M")
    return {**shown, "size": entry.size} if entry.type.value == "file" else shown


def _part(lines: list[str], first: int, limit: int) -> str:
    """Return some lines, at most MAX_CHARACTERS, and where to read on."""
    if first > max(1, len(lines)):
        raise NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, f"the file has {len(lines)} lines; offset is too large")
    wanted = lines[first - 1 : first - 1 + limit] if limit else lines[first - 1 :]
    taken: list[str] = []
    room = MAX_CHARACTERS
    for line in wanted:
        if len(line) > room:
            break
        taken.append(line)
        room -= len(line)
    if wanted and not taken:
        return f"{wanted[0][:MAX_CHARACTERS]}\n[line {first} is cut after {MAX_CHARACTERS} characters]"
    text, last = "".join(taken), first + len(taken) - 1
    if last < len(lines):
        return f"{text}\n[lines {first} to {last} of {len(lines)}; read on with offset {last + 1}]"
    return text or "[the file is empty]"


def _replaced(text: str, old: str, new: str) -> str:
    """Replace the one place where `old` stands; line ends are those of the file. Raises TOOL_ARGUMENTS."""
    if old not in text and "\r\n" in text:
        old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
    count = text.count(old) if old else 0
    if count == 1:
        return text.replace(old, new)
    problem = "old is not in the file; read the file and copy the text exactly"
    if count > 1:
        problem = f"old is in the file {count} times; give more of the text around it"
    raise NotochordError(Code.TOOL_ARGUMENTS, Fault.MODEL, problem)
