"""`ctx.files` on this side: the folder of the run, made when first written to, and the conversation's folder."""

import asyncio
from pathlib import Path

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.files.api import Entry, Files, Root
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.sandbox.api import HostAnswer, HostRequest

MAX_BYTES = 20 * 1024 * 1024
WORKSPACE = "workspace:"
MAX_PATH = 4_096

_PATH = frozenset({"path"})
_DONE = HostAnswer(None)


class RunFiles:
    """The files that one call may touch; `folder` is the conversation's, `name` begins the name of the run's folder.

    `shared` is the path of a run's folder that belongs to whoever calls, who also cleans it up. Without a workspace
    `workspace:` is refused, and `folder` only holds the run's folder (PERM-108).
    """

    def __init__(
        self, files: Files, *, folder: Path, name: str, cause: Cause, shared: str = "", has_workspace: bool = True
    ) -> None:
        self._files = files
        self._has_workspace = has_workspace
        self._workspace = Root(folder, hide_dots=True, history=True)
        self._name = name
        self._cause = cause
        self._run: str | None = shared or None
        self._is_shared = bool(shared)
        self._making = asyncio.Lock()

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that is not about files."""
        match request.target:
            case "files.list":
                return HostAnswer(await self._list(_path(request)))
            case "files.stat":
                return HostAnswer(await self._stat(_path(request)))
            case "files.read":
                return HostAnswer(None, await self.content(_path(request), max_bytes=MAX_BYTES))
            case "files.write":
                return await self._write(_path(request), request.attachment)
            case "files.mkdir":
                root, path = await self._writable(_path(request))
                await self._files.make_folder(root, path, self._cause)
                return _DONE
            case "files.move":
                return await self._move(request)
            case "files.delete":
                return await self._delete(_path(request))
            case _:
                return None

    async def content(self, path: str, *, max_bytes: int) -> bytes:
        """Return the content of a file that the tool may read. Raises as `Files.read` does."""
        found = self._readable(path)
        if found is None:
            raise _missing(path)
        return await self._files.read(*found, max_bytes=max_bytes)

    async def end(self, *, succeeded: bool) -> str:
        """Clean up after the run; return its folder if files are left in it, else an empty text (PERM-075 ff.)."""
        async with self._making:
            if self._run is None or self._is_shared:
                return ""
            left = await self._files.end_run_folder(self._workspace, self._run, succeeded=succeeded)
            return self._run if left else ""

    async def _list(self, path: str) -> Json:
        found = self._readable(path)
        if found is None:
            if path:
                raise _missing(path)
            return []
        return [_shown(entry) for entry in await self._files.list(*found)]

    async def _stat(self, path: str) -> Json:
        found = self._readable(path)
        entry = await self._files.stat(*found) if found is not None else None
        return None if entry is None else _shown(entry)

    async def _write(self, path: str, content: bytes | None) -> HostAnswer:
        if content is None:
            raise refused("files.write: the content is missing")
        if len(content) > MAX_BYTES:
            raise NotochordError(
                Code.PAYLOAD_TOO_LARGE, Fault.GUEST, f"one write is at most {MAX_BYTES} bytes", limit=MAX_BYTES
            )
        root, inner = await self._writable(path)
        await self._files.write(root, inner, content, self._cause)
        return _DONE

    async def _move(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"from", "to"}))
        source, target = arguments.text("from", limit=MAX_PATH), arguments.text("to", limit=MAX_PATH)
        found = self._readable(source)
        if found is None:
            raise _missing(source)
        root, inner = await self._writable(target)
        try:
            await self._files.move(*found, root, inner, self._cause)
        except NotochordError as error:
            if error.code is not Code.FILE_EXISTS:
                raise
            raise refused(f"files.move: {target!r} exists") from error
        return _DONE

    async def _delete(self, path: str) -> HostAnswer:
        found = self._readable(path)
        if found is None:
            raise _missing(path)
        if not found[1].strip("/"):
            raise refused("files.delete: the folder itself cannot be deleted")
        await self._files.delete(*found, self._cause)
        return _DONE

    def _readable(self, path: str) -> tuple[Root, str] | None:
        """Return where a path leads; None for one in a run folder that was not made yet."""
        if path.startswith(WORKSPACE):
            if not self._has_workspace:
                raise NotochordError(Code.PERM_DENIED, Fault.GUEST, f"{WORKSPACE} there is none without a conversation")
            return self._workspace, _trimmed(path.removeprefix(WORKSPACE))
        return None if self._run is None else (_run_root(self._workspace, self._run), _trimmed(path))

    async def _writable(self, path: str) -> tuple[Root, str]:
        async with self._making:
            if self._run is None and not path.startswith(WORKSPACE):
                self._run = await self._files.new_run_folder(self._workspace, self._name)
        found = self._readable(path)
        assert found is not None
        return found


def _run_root(workspace: Root, run: str) -> Root:
    return Root(workspace.folder / run, hide_dots=False, history=workspace.history)


def _path(request: HostRequest) -> str:
    return GuestArguments(request.target, request.arguments, _PATH).text("path", limit=MAX_PATH)


def _trimmed(path: str) -> str:
    """Return a path without a final slash, which says that a folder is meant."""
    return path.removesuffix("/")


def _shown(entry: Entry) -> Json:
    return {"name": entry.name, "type": entry.type.value, "size": entry.size, "modified": entry.modified}


def _missing(path: str) -> NotochordError:
    return NotochordError(Code.FILE_MISSING, Fault.GUEST, f"{path!r} does not exist", path=path)
