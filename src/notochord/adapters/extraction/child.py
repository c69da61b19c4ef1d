"""The extraction child: gives up its rights, takes one document from standard input, and writes what it found."""

import mimetypes
import os
import sys
from collections.abc import Mapping
from typing import Any, BinaryIO

from notochord.adapters.children import frames
from notochord.adapters.children.confinement import limit, wall_in
from notochord.adapters.extraction.failures import Unreadable, Why

MEMORY = 1_536 * 1024 * 1024
"""Bytes of address space, libraries among them."""

SECONDS = 60
"""Of processor time."""

MOST_FILES = 32
MOST_BYTES = 64 * 1024 * 1024
_MOST_DETAIL = 500


def main() -> int:
    """Read one document. Nothing but one frame reaches standard output."""
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    confine()
    order = frames.read(sys.stdin.buffer)
    if order is None:
        return 0
    _write(answers, _answer(order, sys.stdin.buffer))
    return 0


def confine() -> None:
    """Keep nothing but the program's own files to read, and little memory and time. Call it before any document."""
    sys.dont_write_bytecode = True
    mimetypes.init(())  # a library would read the system's list, which is closed from here on
    if sys.platform == "win32":
        return
    import resource

    limit(
        {
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_FSIZE: 0,
            resource.RLIMIT_NOFILE: MOST_FILES,
            resource.RLIMIT_AS: MEMORY,
            resource.RLIMIT_CPU: SECONDS,
        }
    )
    if sys.platform == "linux":
        wall_in(())


def _content(stream: BinaryIO, order: Mapping[str, Any]) -> bytes:
    size = int(order["size"])
    content = stream.read(size) if 0 <= size <= MOST_BYTES else b""
    if len(content) != size:
        raise frames.FrameError("the document is not whole")
    return content


def _answer(order: Mapping[str, Any], stream: BinaryIO) -> frames.Frame:
    try:
        from notochord.adapters.extraction import formats

        return {"is": "done", **formats.read(order, _content(stream, order)).as_json()}
    except Unreadable as error:
        return _failed(error.why, error.detail)
    except MemoryError:
        return _failed(Why.LIMIT, "it takes more memory than a document may")
    except RecursionError:
        return _failed(Why.LIMIT, "it is nested too deeply")
    except Exception as error:  # whatever a library makes of a damaged document
        return _failed(Why.DAMAGED, f"{type(error).__name__}: {error}")


def _failed(why: Why, detail: str) -> frames.Frame:
    shown = detail[:_MOST_DETAIL].encode("utf-8", "replace").decode("utf-8")
    return {"is": "failed", "why": why.value, "detail": shown}


def _write(answers: Any, frame: frames.Frame) -> None:
    packed = memoryview(frames.pack(frame))
    while packed:
        packed = packed[answers.write(packed) :]


if __name__ == "__main__":
    sys.exit(main())
