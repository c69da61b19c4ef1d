"""The wire between the app and a child: JSON objects, each behind its length in four bytes."""

import struct
from typing import Any, BinaryIO

from notochord.core import strict_json

Frame = dict[str, Any]

LARGEST = 32 * 1024 * 1024
LENGTH = struct.Struct(">I")


class FrameError(Exception):
    """The other side sent something that is not a frame."""


def pack(frame: Frame) -> bytes:
    """Return the bytes of a frame. Raises FrameError for one that is too large."""
    content = strict_json.encode(frame).encode("utf-8", "replace")
    if len(content) > LARGEST:
        raise FrameError("the frame is too large")
    return LENGTH.pack(len(content)) + content


def length(head: bytes) -> int:
    """Return the length that `head` announces. Raises FrameError before anything of that size is read."""
    (size,) = LENGTH.unpack(head)
    if size > LARGEST:
        raise FrameError("the frame is too large")
    return int(size)


def unpack(content: bytes) -> Frame:
    """Return the frame. Raises FrameError."""
    try:
        frame = strict_json.decode(content)
    except ValueError as error:
        raise FrameError(str(error)) from error
    if not isinstance(frame, dict):
        raise FrameError("the frame is not an object")
    return frame


def read(stream: BinaryIO) -> Frame | None:
    """Wait for a frame; None at the end of the stream."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    size = length(head)
    content = stream.read(size)
    return unpack(content) if len(content) == size else None
