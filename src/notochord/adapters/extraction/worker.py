"""The app's side of extraction: a child for each document, fed through a pipe, ended when it takes too long."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path
from typing import Any

from notochord.adapters.children import frames
from notochord.adapters.children.ending import end
from notochord.adapters.extraction.answers import read_answer
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.extract.ports import Document, Extracted

SECONDS = 120.0
"""Of waiting for one document; its processor time is limited besides."""
END_SECONDS = 0.5
"""How long one that crashed may take to end: its own status tells why."""

_CODES = {
    "unsupported": Code.EXTRACT_UNSUPPORTED,
    "encrypted": Code.EXTRACT_ENCRYPTED,
    "no_text": Code.EXTRACT_NO_TEXT,
    "damaged": Code.EXTRACT_DAMAGED,
    "limit": Code.EXTRACT_LIMIT,
}
_OF_LIMITS = frozenset({"SIGXCPU", "SIGKILL"})


class ExtractionChildren:
    """A `Reader`. `command` starts a child; `folder` is any folder, for a process has to be somewhere."""

    def __init__(self, *, command: tuple[str, ...], folder: Path, seconds: float = SECONDS) -> None:
        self._command = command
        self._folder = folder
        self._seconds = seconds
        self._running: set[Process] = set()
        self._closed = False

    async def read(self, document: Document) -> Extracted:
        order = await asyncio.to_thread(_order, document)
        self._check_open()
        process = await self._start()
        self._running.add(process)
        try:
            self._check_open()  # it may have been closed meanwhile
            async with asyncio.timeout(self._seconds):
                answer = await self._talk(process, order, document.content)
        except TimeoutError:
            raise _limit(f"it took more than {self._seconds:g} seconds") from None
        finally:
            self._running.discard(process)
            status = await end(process, END_SECONDS)
        if answer is None:
            self._check_open()
            raise _crashed(status)
        return await asyncio.to_thread(_result, answer)

    async def close(self) -> None:
        self._closed = True
        for process in tuple(self._running):
            with contextlib.suppress(ProcessLookupError):
                process.kill()

    def _check_open(self) -> None:
        if self._closed:
            raise NotochordError(Code.CANCELLED, Fault.SYSTEM, "the program ends")

    async def _start(self) -> Process:
        try:
            return await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env=_environment(), cwd=self._folder
            )
        except OSError as error:
            detail = error.strerror or "the system refused"
            raise NotochordError(Code.EXTRACT_FAILED, Fault.SYSTEM, detail, reason=detail) from error

    async def _talk(self, process: Process, order: bytes, content: bytes) -> bytes | None:
        """Give the document and return the answer's bytes; None from a child that ended without one.

        The end of its input tells the child that nobody has more to say.
        """
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.writelines((order, content))
            await process.stdin.drain()
            process.stdin.write_eof()
        except ConnectionError:
            return None  # it ended while it was fed
        try:
            head = await process.stdout.readexactly(frames.LENGTH.size)
            return await process.stdout.readexactly(frames.length(head))
        except (asyncio.IncompleteReadError, ConnectionError, frames.FrameError):
            return None


def _order(document: Document) -> bytes:
    return frames.pack(
        {
            "size": len(document.content),
            "name": document.name[-200:],
            "mediaType": document.media_type[:200],
            "format": document.format or "",
            "encoding": document.encoding[:40],
        }
    )


def _result(answer: bytes) -> Extracted:
    """Return what the child found; it may be the document's by now, so its words are checked."""
    try:
        frame: dict[str, Any] = frames.unpack(answer)
        if frame.get("is") == "done":
            return read_answer(frame)
        why, detail = str(frame.get("why")), str(frame.get("detail", ""))[:500]
    except (frames.FrameError, ValueError, TypeError, KeyError) as error:
        detail = "the reading process gave no sense"
        raise NotochordError(Code.EXTRACT_FAILED, Fault.SYSTEM, detail, reason=detail) from error
    code = _CODES.get(why, Code.EXTRACT_DAMAGED)
    raise NotochordError(code, Fault.USER, detail, reason=detail)


def _crashed(status: int) -> NotochordError:
    name = signal.Signals(-status).name if status < 0 else f"status {status}"
    if name in _OF_LIMITS:
        return _limit("it takes more time or memory than a document may")
    detail = f"the reading process ended with {name}"
    return NotochordError(Code.EXTRACT_FAILED, Fault.SYSTEM, detail, reason=detail)


def _limit(detail: str) -> NotochordError:
    return NotochordError(Code.EXTRACT_LIMIT, Fault.USER, detail, reason=detail)


def _environment() -> dict[str, str]:
    """Return an empty environment; Windows starts no process without its own folder."""
    return {"SYSTEMROOT": os.environ.get("SYSTEMROOT", "")} if sys.platform == "win32" else {}
