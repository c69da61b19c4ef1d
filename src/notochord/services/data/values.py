"""Which values a type takes, strictly: nothing is converted to make it fit."""

import math
import re
from collections.abc import Callable

from notochord.core.strict_json import Json
from notochord.services.data.declaration import FieldType

MAX_SAFE = 2**53 - 1
MAX_DEPTH = 32
RECORD_ID = re.compile(r"[A-Za-z0-9_-]{1,128}")
BLOB_HASH = re.compile(r"[0-9a-f]{64}")


def fits(value: Json, kind: FieldType) -> bool:
    """Tell whether a value is one of a type; for `ref` and `blob` the form of the id or hash is looked at."""
    return _FITS[kind](value)


def comparable(value: Json, kind: FieldType) -> bool:
    """Tell whether a value may be compared with a field of a type (DATA-146)."""
    return isinstance(value, str) if kind in (FieldType.REF, FieldType.BLOB) else fits(value, kind)


def as_stored(value: Json) -> Json:
    """Return a number as JavaScript keeps it: beyond the safe integers a float, so that a column can hold it."""
    if type(value) is int and abs(value) > MAX_SAFE:
        return float(value)
    return value


def is_nested_deeper(value: Json, levels: int) -> bool:
    """Tell whether objects and arrays lie in one another more than `levels` deep, the value itself included."""
    level = [value] if isinstance(value, dict | list) else []
    for _ in range(levels):
        level = [inner for outer in level for inner in _inner(outer) if isinstance(inner, dict | list)]
        if not level:
            return False
    return bool(level)


def _inner(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _is_number(value: Json) -> bool:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer that no float can hold
        return False


def _is_whole(value: Json) -> bool:
    if isinstance(value, float):
        return value.is_integer() and abs(value) <= MAX_SAFE
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= MAX_SAFE


_FITS: dict[FieldType, Callable[[Json], bool]] = {
    FieldType.STRING: lambda value: isinstance(value, str),
    FieldType.BOOLEAN: lambda value: isinstance(value, bool),
    FieldType.NUMBER: _is_number,
    FieldType.INTEGER: _is_whole,
    FieldType.TIMESTAMP: _is_whole,
    FieldType.REF: lambda value: isinstance(value, str) and RECORD_ID.fullmatch(value) is not None,
    FieldType.BLOB: lambda value: isinstance(value, str) and BLOB_HASH.fullmatch(value) is not None,
    FieldType.ARRAY: lambda value: isinstance(value, list),
    FieldType.OBJECT: lambda value: isinstance(value, dict),
    FieldType.ANY: lambda value: True,
}
