"""What a `.wasm` tool has to be: a WebAssembly module that imports nothing and exports what a call needs."""

from collections.abc import Iterator

MAX_BYTES = 20 * 1_048_576
"""A module goes to its process in one piece."""

EXPORTS = frozenset({"memory", "alloc", "run"})

_START = b"\0asm\1\0\0\0"
_IMPORTS, _EXPORTS = 2, 7


class _Cut(Exception):
    """The module ends in the middle of something."""


def wasm_fault(content: bytes) -> str:
    """Return what a module has to be and is not; empty if it can be a tool. The runtime checks the rest of it."""
    if len(content) > MAX_BYTES:
        return f"at most {MAX_BYTES} bytes"
    if not content.startswith(_START):
        return "a WebAssembly module of version 1"
    try:
        sections = dict(_sections(content))
        if _number(sections.get(_IMPORTS, b"\0"), 0)[0]:
            return "a module that imports nothing: there is nothing it could use"
        missing = sorted(EXPORTS - set(_export_names(sections.get(_EXPORTS, b"\0"))))
    except _Cut:
        return "a whole WebAssembly module"
    return f"a module that exports {', '.join(missing)}" if missing else ""


def _sections(content: bytes) -> Iterator[tuple[int, bytes]]:
    place = len(_START)
    while place < len(content):
        kind = content[place]
        size, place = _number(content, place + 1)
        if place + size > len(content):
            raise _Cut
        yield kind, content[place : place + size]
        place += size


def _export_names(section: bytes) -> Iterator[str]:
    count, place = _number(section, 0)
    for _ in range(count):
        length, place = _number(section, place)
        if place + length >= len(section):
            raise _Cut
        yield section[place : place + length].decode("utf-8", "replace")
        _, place = _number(section, place + length + 1)


def _number(content: bytes, place: int) -> tuple[int, int]:
    """Return an unsigned LEB128 number of at most 32 bits, and where it ends."""
    value = 0
    for shift in range(0, 35, 7):
        if place >= len(content):
            raise _Cut
        byte = content[place]
        place += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, place
    raise _Cut
