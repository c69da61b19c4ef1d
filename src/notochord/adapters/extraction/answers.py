"""Reads the child's answer as hostile bytes: every part by its type, and nothing longer than it may be."""

from collections.abc import Mapping
from typing import Any

from notochord.services.extract.ports import MAX_CHARACTERS, Attachment, DocumentFormat, Extracted, Part


def read_answer(frame: Mapping[str, Any]) -> Extracted:
    """Return the result. Raises ValueError, TypeError, KeyError for what no child that works would say."""
    parts = tuple(_part(entry) for entry in _listed(frame["parts"]))
    size = sum(len(part.text) + sum(len(cell) + 1 for row in part.rows or () for cell in row) for part in parts)
    if size > 2 * MAX_CHARACTERS:
        raise ValueError("the answer is too long")
    return Extracted(
        format=DocumentFormat(_text(frame["format"])),
        title=_text(frame["title"]),
        parts=parts,
        properties={_text(name): _text(value) for name, value in _mapping(frame["properties"]).items()},
        attachments=tuple(_attachment(_mapping(entry)) for entry in _listed(frame["attachments"])),
        warnings=tuple(_text(entry) for entry in _listed(frame["warnings"])),
        truncated=frame["truncated"] is True,
    )


def _part(entry: object) -> Part:
    found = _mapping(entry)
    rows = found.get("rows")
    cells = None if rows is None else tuple(tuple(_text(cell) for cell in _listed(row)) for row in _listed(rows))
    return Part(_text(found["name"]), _text(found["text"]), cells)


def _attachment(entry: Mapping[str, object]) -> Attachment:
    size = entry["size"]
    if not isinstance(size, int) or not 0 <= size < 2**53:
        raise ValueError("a size that is none")
    return Attachment(_text(entry["filename"]), _text(entry["mimeType"]), size)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _listed(value: object) -> list[object]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return value


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value
