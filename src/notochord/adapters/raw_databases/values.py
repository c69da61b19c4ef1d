"""Values between SQL and JSON: what a statement is given, and what it gives."""

import base64
import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from notochord.core.strict_json import Json, decode

MAX_EXACT = 2**53 - 1

Parameters = Sequence[Any] | Mapping[str, Any]


class Unfit(Exception):
    """The statement is none, or has a value that no database takes."""


def statement_of(content: bytes) -> tuple[str, Parameters]:
    """Return SQL and parameters from `{"sql", "params"}`. Raises Unfit."""
    given = _object(content)
    sql, params = given.get("sql"), given.get("params")
    if not isinstance(sql, str):
        raise Unfit("sql must be a string")
    if params is None:
        return sql, ()
    if isinstance(params, list):
        return sql, [_bound(value) for value in params]
    if isinstance(params, dict):
        return sql, {name: _bound(value) for name, value in params.items()}
    raise Unfit("params must be an array or an object")


def row_of(content: bytes) -> tuple[str, str, list[Any]]:
    """Return the table, the statement that adds a row, and its values, from `{"table", "row"}`. Raises Unfit."""
    given = _object(content)
    table, row = given.get("table"), given.get("row")
    if not isinstance(table, str) or not isinstance(row, dict):
        raise Unfit("table must be a string and row an object")
    columns = ", ".join(_quoted(name) for name in row)
    marks = ", ".join("?" for _ in row)
    values = f"({columns}) VALUES ({marks})" if row else "DEFAULT VALUES"
    return table, f"INSERT INTO {_quoted(table)} {values}", [_bound(value) for value in row.values()]


def shown(names: Sequence[str], rows: Sequence[Sequence[Any]], first: int) -> tuple[bytes, list[Json]]:
    """Return rows as JSON objects without the brackets of an array, and where the odd values stand.

    `first` is the number of the first row.
    """
    odd: list[Json] = []
    objects = []
    for number, row in enumerate(rows, first):
        shown_row = dict(zip(names, row, strict=True))
        for name, value in shown_row.items():
            kind, text = _odd(value)
            if kind:
                shown_row[name] = text
                odd.append([number, name, kind])
        objects.append(shown_row)
    return json.dumps(objects, ensure_ascii=False, separators=(",", ":"))[1:-1].encode(), odd


def _odd(value: Any) -> tuple[str, str]:
    """Return the kind of a value that JSON has no word for, and the text that stands for it."""
    if type(value) is int and abs(value) > MAX_EXACT:
        return "integer", str(value)
    if type(value) is bytes:
        return "bytes", base64.b64encode(value).decode()
    if type(value) is float and not math.isfinite(value):
        return "real", "Infinity" if value > 0 else "-Infinity"
    return "", ""


def _object(content: bytes) -> dict[str, Json]:
    try:
        found = decode(content)
    except ValueError as error:
        raise Unfit(f"the statement is not JSON: {error}") from error
    if not isinstance(found, dict):
        raise Unfit("the statement is not an object")
    return found


def _bound(value: Json) -> Any:
    if isinstance(value, list):
        raise Unfit("an array is not a value of a database; store its JSON")
    if type(value) is int and not -(2**63) <= value < 2**63:
        return float(value)  # as JavaScript meant it
    if not isinstance(value, dict):
        return value
    try:
        match value:
            case {"b": str(text)}:
                return base64.b64decode(text, validate=True)
            case {"i": str(text)}:
                return int(text)
            case _:
                raise Unfit("an object is not a value of a database; store its JSON")
    except ValueError as error:
        raise Unfit("a value cannot be read") from error


def _quoted(name: str) -> str:
    if "\0" in name:
        raise Unfit("a name has a zero character")
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
