"""The wire between the app and a raw-database child: a JSON object and raw bytes, behind their lengths."""

import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

from notochord.adapters.children import frames as objects
from notochord.adapters.children.frames import FrameError as FrameError
from notochord.core import strict_json

Head = dict[str, Any]

LARGEST_HEAD = 8 * 1024 * 1024
LARGEST_BODY = 64 * 1024 * 1024
LENGTHS = struct.Struct(">II")


@dataclass(frozen=True, slots=True)
class Frame:
    head: Head
    body: bytes = b""


def pack(frame: Frame) -> tuple[bytes, bytes]:
    """Return a frame in two parts: lengths with the head, and the body. Raises FrameError for one too large."""
    head = strict_json.encode(frame.head).encode("utf-8", "replace")
    if len(head) > LARGEST_HEAD or len(frame.body) > LARGEST_BODY:
        raise FrameError("the frame is too large")
    return LENGTHS.pack(len(head), len(frame.body)) + head, frame.body


def lengths(packed: bytes) -> tuple[int, int]:
    """Return what the lengths announce. Raises FrameError before anything of that size is read."""
    head, body = LENGTHS.unpack(packed)
    if head > LARGEST_HEAD or body > LARGEST_BODY:
        raise FrameError("the frame is too large")
    return int(head), int(body)


def unpack(head: bytes, body: bytes) -> Frame:
    """Return the frame. Raises FrameError."""
    return Frame(objects.unpack(head), body)


def read(stream: BinaryIO) -> Frame | None:
    """Wait for a frame; None at the end of the stream."""
    packed = stream.read(LENGTHS.size)
    if len(packed) < LENGTHS.size:
        return None
    head_length, body_length = lengths(packed)
    head, body = stream.read(head_length), stream.read(body_length)
    return unpack(head, body) if len(head) == head_length and len(body) == body_length else None
