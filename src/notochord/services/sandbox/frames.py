"""Frames on the pipes: `[u32 length of the JSON][u32 length of the attachment][JSON][raw bytes]`, little endian."""

import asyncio
import re
import struct
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from notochord.core.strict_json import Json, decode, encode
from notochord.core.surrogates import mended
from notochord.services.sandbox.limits import GuestLimits

MOST_PARTS = 4_000
"""Of one message: twice what a request's arguments may have. Parsing a million takes a second."""

LARGEST_HERE = 64 * 1024
"""Bytes of JSON that are parsed on the loop; more takes over a millisecond."""

_HEADER = struct.Struct("<II")
_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


class ProtocolViolation(Exception):
    """A guest sent what its own program never sends."""


@dataclass(frozen=True, slots=True)
class Frame:
    message: dict[str, Json]
    attachment: bytes


def encode_frame(message: dict[str, Json], attachment: bytes = b"") -> tuple[bytes, bytes]:
    """Return a frame in two parts: head with JSON, and the attachment. Lone surrogates become question marks."""
    text = encode(message).encode("utf-8", "replace")
    return _HEADER.pack(len(text), len(attachment)) + text, attachment


async def read_frame(read: Callable[[int], Awaitable[bytes]], limits: GuestLimits) -> Frame:
    """Read one frame; lengths are checked before anything is read. Raises ProtocolViolation, EOFError."""
    message_length, attachment_length = _HEADER.unpack(await read(_HEADER.size))
    if message_length > limits.message_bytes or attachment_length > limits.attachment_bytes:
        raise ProtocolViolation("a frame is larger than the limit")
    message = await decode_apart(await read(message_length), most_parts=MOST_PARTS)
    if not isinstance(message, dict):
        raise ProtocolViolation("a frame is not an object")
    return Frame(message, await read(attachment_length) if attachment_length else b"")


async def decode_apart(content: bytes, *, most_parts: int = 0) -> Json:
    """Parse JSON from a guest as `decode_hostile` does, a large one in a thread: the loop has others to serve.

    With `most_parts` one of more parts is refused unread. Raises ProtocolViolation.
    """
    if len(content) <= LARGEST_HERE:
        return decode_hostile(content)
    return await asyncio.to_thread(_decode_counted, content, most_parts)


def _decode_counted(content: bytes, most_parts: int) -> Json:
    if most_parts and _STRING.sub(b"", content).count(b",") > most_parts:
        raise ProtocolViolation("a frame has too many parts")
    return decode_hostile(content)


def decode_hostile(content: bytes) -> Json:
    """Parse JSON from a guest, with U+FFFD for lone surrogates. Raises ProtocolViolation."""
    try:
        value = decode(content)
    except ValueError as error:
        raise ProtocolViolation(f"a frame is not JSON: {error}") from error
    return _well_formed(value) if _SURROGATE.search(content) else value


def _well_formed(value: Json) -> Json:
    if isinstance(value, str):
        return mended(value)
    if isinstance(value, list):
        return [_well_formed(item) for item in value]
    if isinstance(value, dict):
        return {str(_well_formed(key)): _well_formed(item) for key, item in value.items()}
    return value
