"""The wire between the app and a raw-database child: a JSON object and raw bytes, behind their lengths."""

import struct
from dataclasses import dataclass
from typing import Any, BinaryIO

from notochord.core import strict_json

Head = dict[str, Any]

LARGEST_HEAD = 8 * 1024 * 1024
LARGEST_BODY = 64 * 1024 * 1024
LENGTHS = struct.Struct(">II")


class FrameError(Exception):
    """The other side sent something that is no frame."""


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
    """Raises FrameError."""
    try:
        found = strict_json.decode(head)
    except ValueError as error:
        raise FrameError(str(error)) from error
    if not isinstance(found, dict):
        raise FrameError("the head is not an object")
    return Frame(found, body)


def read(stream: BinaryIO) -> Frame | None:
    """Wait for a frame; None at the end of the stream."""
    packed = stream.read(LENGTHS.size)
    if len(packed) < LENGTHS.size:
        return None
    head_length, body_length = lengths(packed)
    head, body = stream.read(head_length), stream.read(body_length)
    return unpack(head, body) if len(head) == head_length and len(body) == body_length else None
