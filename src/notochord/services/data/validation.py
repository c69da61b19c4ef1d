"""Checks what is written against the declaration, and brings it into the form in which it is stored."""

import json
from dataclasses import dataclass
from typing import TypeAlias

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.declaration import Collection, Field, FieldType
from notochord.services.data.values import MAX_DEPTH, RECORD_ID, as_stored, fits, is_nested_deeper

MAX_RECORD_BYTES = 1_048_576

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode

Content: TypeAlias = "dict[str, Json]"


@dataclass(frozen=True, slots=True)
class Checked:
    """A record or an entry that fits: without null, with its JSON."""

    content: Content
    json: str


def check(collection: Collection, given: Json) -> Checked:
    """Hold a whole record or entry against the declaration. Raises INPUT_INVALID, PAYLOAD_TOO_LARGE."""
    if not isinstance(given, dict):
        raise invalid(f"{collection.name}: a record is an object")
    content: Content = {}
    for name, value in given.items():
        field = collection.fields.get(name)
        if field is None:
            raise invalid(f"{collection.name}: the field {name[:80]!r} is not declared")
        if value is not None:
            content[name] = _checked(collection.name, field, value)
    for field in collection.fields.values():
        if field.required and field.name not in content:
            raise invalid(f"{collection.name}.{field.name} is required")
    return Checked(content, written(content, collection.name))


def written(content: Content, name: str) -> str:
    """Return the JSON of a record. Raises INPUT_INVALID, PAYLOAD_TOO_LARGE."""
    text = dumped(content)
    # A character takes at most four bytes.
    if len(text) > MAX_RECORD_BYTES // 4 or not text.isascii():
        try:
            size = len(text.encode())
        except UnicodeEncodeError:
            raise invalid(f"{name}: a text holds half a character (a lone surrogate)") from None
        if size > MAX_RECORD_BYTES:
            raise too_large(f"{name}: a record has at most {MAX_RECORD_BYTES} bytes of JSON", MAX_RECORD_BYTES)
    return text


def dumped(value: Json) -> str:
    """Return compact JSON whose keys stand as they were given. Raises INPUT_INVALID for what is no JSON."""
    try:
        return _encode(value)
    except (ValueError, RecursionError, TypeError):
        raise invalid("the value is not JSON") from None


def check_id(identifier: Json) -> str:
    """Return the id of a record or a document. Raises INPUT_INVALID."""
    if not isinstance(identifier, str) or RECORD_ID.fullmatch(identifier) is None:
        raise invalid("an id has 1 to 128 letters, digits, _ and -")
    return identifier


def invalid(detail: str) -> NotochordError:
    return NotochordError(Code.INPUT_INVALID, Fault.GUEST, detail)


def too_large(detail: str, limit: int) -> NotochordError:
    return NotochordError(Code.PAYLOAD_TOO_LARGE, Fault.GUEST, detail, limit=limit)


def _checked(collection: str, field: Field, value: Json) -> Json:
    if not fits(value, field.type):
        raise invalid(f"{collection}.{field.name} must be {_article(field.type)}")
    if field.scalar:
        if field.values is not None and value not in field.values:
            raise invalid(f"{collection}.{field.name} is none of its enum's values")
        return as_stored(value)
    if field.items is not None:
        assert isinstance(value, list)
        if not all(fits(item, field.items) for item in value):
            raise invalid(f"{collection}.{field.name}: each element must be {_article(field.items)}")
        return [as_stored(item) for item in value]
    if is_nested_deeper(value, MAX_DEPTH):
        raise invalid(f"{collection}.{field.name} is nested more than {MAX_DEPTH} levels deep")
    return value


_SAID = {
    FieldType.INTEGER: "a safe integer",
    FieldType.NUMBER: "a finite number",
    FieldType.TIMESTAMP: "an integer number of milliseconds",
    FieldType.REF: "the id of a record (1 to 128 letters, digits, _ and -)",
    FieldType.BLOB: "the hash of a stored Blob (64 lowercase hexadecimal digits)",
    FieldType.ARRAY: "an array",
    FieldType.OBJECT: "an object",
}


def _article(kind: FieldType) -> str:
    return _SAID.get(kind, f"a {kind}")
