"""Small WebAssembly modules, put together byte by byte."""

from collections.abc import Sequence

MEMORY, ALLOC, RUN = "memory", "alloc", "run"

ECHO = bytes([0x20, 0, 0xAD, 0x42, 32, 0x86, 0x20, 1, 0xAD, 0x84])
"""The value is what came in: address << 32 | length."""

FAIL = ECHO + bytes([0x42, 0x80, 0x80, 0x80, 0x80, 0x08, 0x84])
"""The same text, as what went wrong."""

LOOP = bytes([0x03, 0x40, 0x0C, 0, 0x0B]) + ECHO
TRAP = bytes([0x00])
FAR = bytes([0x42, 0x80, 0x80, 0x80, 0x80, 0xF0, 0x7F])
"""An address beyond the memory."""

GROW = bytes([0x03, 0x40, 0x41, 16, 0x40, 0, 0x41, 0x7F, 0x47, 0x0D, 0, 0x0B]) + ECHO
"""Takes memory until there is no more."""


def module(
    run: bytes = ECHO,
    *,
    pages: int = 1,
    exports: Sequence[str] = (MEMORY, ALLOC, RUN),
    imports: bool = False,
) -> bytes:
    """Return a module whose `run` has this body, and whose `alloc` gives always the same address."""
    types = [b"\x60\x01\x7f\x01\x7f", b"\x60\x02\x7f\x7f\x01\x7e", b"\x60\x00\x00"]
    bodies = [b"\x00\x41\x80\x08\x0b", b"\x00" + run + b"\x0b"]
    first = 1 if imports else 0
    kinds = {MEMORY: (2, 0), ALLOC: (0, first), RUN: (0, first + 1)}
    sections = [
        (1, _vector(types)),
        (2, _vector([_name("env") + _name("now") + b"\x00\x02"] if imports else [])),
        (3, _vector([b"\x00", b"\x01"])),
        (5, _vector([b"\x00" + _number(pages)])),
        (7, _vector([_name(name) + bytes(kinds[name]) for name in exports])),
        (10, _vector([_number(len(body)) + body for body in bodies])),
    ]
    packed = b"".join(bytes([kind]) + _number(len(content)) + content for kind, content in sections)
    return b"\0asm\1\0\0\0" + packed


def _vector(items: Sequence[bytes]) -> bytes:
    return _number(len(items)) + b"".join(items)


def _name(text: str) -> bytes:
    return _number(len(text)) + text.encode()


def _number(value: int) -> bytes:
    out = bytearray()
    while True:
        value, low = value >> 7, value & 0x7F
        out.append(low | (0x80 if value else 0))
        if not value:
            return bytes(out)
