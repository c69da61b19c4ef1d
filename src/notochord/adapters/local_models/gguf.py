"""Looks into a model file before llama.cpp does: is it whole, and what does it say of itself?"""

import mmap
import struct
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import NoReturn

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

_MAGIC = b"GGUF"
_VERSIONS = (2, 3)
_MOST_TENSORS = 100_000
_MOST_ENTRIES = 100_000
_MOST_ITEMS = 10_000_000
_LONGEST_NAME = 65_536
_MOST_DIMENSIONS = 4
_STRING, _ARRAY = 8, 9
_SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
_BLOCKS = {  # ggml's number of the type: values in a block, bytes of a block
    0: (1, 4), 1: (1, 2), 2: (32, 18), 3: (32, 20), 6: (32, 22), 7: (32, 24), 8: (32, 34), 9: (32, 36),
    10: (256, 84), 11: (256, 110), 12: (256, 144), 13: (256, 176), 14: (256, 210), 15: (256, 292), 16: (256, 66),
    17: (256, 74), 18: (256, 98), 19: (256, 50), 20: (32, 18), 21: (256, 110), 22: (256, 82), 23: (256, 136),
    24: (1, 1), 25: (1, 2), 26: (1, 4), 27: (1, 8), 28: (1, 8), 29: (256, 56), 30: (1, 2), 34: (256, 54),
    35: (256, 66), 39: (32, 17),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ModelFile:
    """What a sound model file says of itself; `context` is in tokens."""

    path: Path
    size: int
    architecture: str
    context: int


def inspect(path: Path) -> ModelFile:
    """Read the header and hold every tensor's place against the size of the file.

    Raises NotochordError: MODEL_UNKNOWN (no such file), MODEL_FILE_DAMAGED with the reason.
    """
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            if size < len(_MAGIC) + 20:
                raise _Damaged("it is too short to be a model")
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                return _Reader(content, size).model(path)
    except FileNotFoundError as error:
        raise NotochordError(Code.MODEL_UNKNOWN, Fault.USER, "no such model file", model=path.name) from error
    except (_Damaged, OSError, struct.error, UnicodeDecodeError, ValueError) as error:
        reason = str(error) if isinstance(error, _Damaged) else f"it cannot be read ({type(error).__name__})"
        raise NotochordError(Code.MODEL_FILE_DAMAGED, Fault.USER, reason, model=path.name, reason=reason) from error


class _Damaged(Exception):
    """Why a file is no sound model."""


class _Reader:
    def __init__(self, content: mmap.mmap, size: int) -> None:
        self._content = content
        self._size = size
        self._at = 0

    def model(self, path: Path) -> ModelFile:
        if self._content[:4] != _MAGIC:
            raise _Damaged("it is not a GGUF file")
        self._at = 4
        if self._number("I") not in _VERSIONS:
            raise _Damaged("its version of the format is not known")
        tensors, entries = self._count(_MOST_TENSORS), self._count(_MOST_ENTRIES)
        facts: dict[str, object] = {}
        for _ in range(entries):
            name = self._string(_LONGEST_NAME)
            value = self._value(self._number("I"))
            if name.startswith("general.") or name.endswith(".context_length"):
                facts[name] = value
        self._check_tensors(tensors, facts)
        architecture = str(facts.get("general.architecture", ""))
        context = facts.get(f"{architecture}.context_length")
        return ModelFile(path, self._size, architecture, context if isinstance(context, int) else 0)

    def _check_tensors(self, tensors: int, facts: dict[str, object]) -> None:
        if tensors == 0:
            raise _Damaged("it holds no weights")
        places = [self._tensor() for _ in range(tensors)]
        alignment = facts.get("general.alignment", 32)
        if not isinstance(alignment, int) or not 1 <= alignment <= 65_536:
            raise _Damaged("its alignment makes no sense")
        start = -(-self._at // alignment) * alignment
        end = start + max(offset + length for offset, length in places)
        if end > self._size:
            raise _Damaged(f"it is cut off: {self._size} bytes are here, its header tells of {end}")

    def _tensor(self) -> tuple[int, int]:
        self._string(_LONGEST_NAME)
        dimensions = self._number("I")
        if not 1 <= dimensions <= _MOST_DIMENSIONS:
            raise _Damaged("a tensor's dimensions make no sense")
        values = prod(self._number("Q") for _ in range(dimensions))
        block, size = _BLOCKS.get(self._number("I"), (0, 0))
        offset = self._number("Q")
        if values == 0 or (block and values % block):
            raise _Damaged("a tensor's size makes no sense")
        return offset, values // block * size if block else 1

    def _value(self, kind: int) -> object:
        if kind in _SCALARS:
            return self._number(_SCALARS[kind])
        if kind == _STRING:
            return self._string(self._size)
        if kind == _ARRAY:
            self._skip_array()
            return None
        raise _Damaged("a fact in its header has an unknown type")

    def _skip_array(self) -> None:
        kind, count = self._number("I"), self._count(_MOST_ITEMS)
        if kind in _SCALARS:
            self._skip(struct.calcsize(f"<{_SCALARS[kind]}") * count)
        elif kind == _STRING:
            for _ in range(count):
                self._skip(self._number("Q"))
        else:
            raise _Damaged("a list in its header has an unknown type")

    def _count(self, most: int) -> int:
        count = self._number("Q")
        return count if count <= most else self._fail("its header announces more than a model has")

    def _string(self, longest: int) -> str:
        length = self._number("Q")
        if length > longest:
            self._fail("a text in its header is too long")
        start = self._at
        self._skip(length)
        return self._content[start : self._at].decode("utf-8", "replace")

    def _number(self, form: str) -> int:
        start = self._at
        self._skip(struct.calcsize(f"<{form}"))
        value: int = struct.unpack_from(f"<{form}", self._content, start)[0]
        return value

    def _skip(self, length: int) -> None:
        self._at += length
        if self._at > self._size:
            raise _Damaged("it is cut off within its header")

    def _fail(self, reason: str) -> NoReturn:
        raise _Damaged(reason)
