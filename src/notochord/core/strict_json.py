"""JSON read without trust and written in one way."""

import json
import math
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

MAX_DEPTH = 200


def encode(value: Json) -> str:
    """Return compact JSON with sorted keys. Raises ValueError for NaN and the infinities."""
    return _ENCODER.encode(value)


def decode(text: str | bytes) -> Json:
    """Parse JSON from an untrusted source.

    Raises ValueError for everything that is not JSON, for NaN and the infinities, for a key given twice, for invalid
    UTF-8 and for nesting deeper than MAX_DEPTH. A byte order mark before the text is passed over.
    """
    # The library's own decoding of bytes takes UTF-16 too, and lets halves of characters through.
    text = text.decode("utf-8-sig") if isinstance(text, bytes) else text
    try:
        value: Json = _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if text.count("[") + text.count("{") >= MAX_DEPTH:  # with fewer it cannot be too deep
        _check_depth(value)
    return value


def _refuse_constant(name: str) -> Json:
    raise ValueError(f"{name} is not JSON")


def _finite(number: str) -> float:
    """Refuse 1e999, which would become an infinity that no JSON can be written with."""
    value = float(number)
    if math.isinf(value):
        raise ValueError(f"{number[:40]} is too large a number")
    return value


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is given twice")
    return found


def _check_depth(value: Json) -> None:
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [item for outer in level for item in _items(outer)]
        if not level:
            return
    raise ValueError("nested too deeply")


def _items(value: Json) -> list[Json]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


# The library's functions make one of these each time they are called.
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant, parse_float=_finite, object_pairs_hook=_unique)
