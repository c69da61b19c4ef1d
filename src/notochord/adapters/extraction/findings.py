"""Gathers what is read of a document, up to a limit, in the form that goes over the wire."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from notochord.services.extract.ports import MAX_CHARACTERS

MAX_PARTS = 5_000
MAX_NAME = 300
MAX_PROPERTIES = 20
MAX_ATTACHMENTS = 500
MAX_WARNINGS = 50
OF_CELL = 4
"""Characters that each cell counts beside its own: many empty ones take room as well."""

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_BLANK_LINES = re.compile(r"\n{3,}")


class Full(Exception):
    """No more is taken: what is there is the answer."""


class Findings:
    """What was found so far. `part`, `table` raise Full once the limit is reached."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.truncated = False
        self._title = ""
        self._parts: list[dict[str, Any]] = []
        self._properties: dict[str, str] = {}
        self._attachments: list[dict[str, Any]] = []
        self._warnings: list[str] = []
        self._room = MAX_CHARACTERS

    @property
    def has_text(self) -> bool:
        return any(not str(part["text"]).isspace() and part["text"] for part in self._parts)

    def title(self, text: str | None) -> None:
        self._title = self._title or line(text)

    def property(self, name: str, value: str | None) -> None:
        if (shown := line(value)) and len(self._properties) < MAX_PROPERTIES:
            self._properties[name] = shown

    def attachment(self, filename: str, mime_type: str, size: int) -> None:
        if len(self._attachments) < MAX_ATTACHMENTS:
            self._attachments.append({"filename": line(filename), "mimeType": line(mime_type), "size": size})

    def warn(self, text: str) -> None:
        """Note what the reader should know; the same is noted once."""
        if text not in self._warnings and len(self._warnings) < MAX_WARNINGS:
            self._warnings.append(text)

    def part(self, name: str, text: str) -> None:
        """Add a page, a slide or the whole text."""
        self._take(name, {"text": self._cut(cleaned(text))})

    def table(self, name: str, rows: Iterable[Sequence[str]]) -> None:
        """Add a sheet; its text has a line for each row and a tab between cells."""
        kept: list[list[str]] = []
        waiting = 0
        part: dict[str, Any] = {"text": "", "rows": kept}
        try:
            for row in rows:
                cells = _trimmed([cleaned(cell) for cell in row])
                if not cells:  # empty rows count when more follows
                    waiting += 1
                    continue
                self._spend(waiting * OF_CELL + sum(2 * len(cell) + OF_CELL for cell in cells))
                kept.extend([] for _ in range(waiting))
                waiting = 0
                kept.append(cells)
        finally:
            part["text"] = "\n".join("\t".join(_one_line(cell) for cell in row) for row in kept)
            self._take(name, part)

    def as_json(self) -> dict[str, Any]:
        return {
            "format": self.format,
            "title": self._title,
            "parts": self._parts,
            "properties": self._properties,
            "attachments": self._attachments,
            "warnings": self._warnings,
            "truncated": self.truncated,
        }

    def _take(self, name: str, part: dict[str, Any]) -> None:
        self._parts.append({"name": line(name), **part})
        if self.truncated:
            raise Full
        if len(self._parts) >= MAX_PARTS:
            self.truncated = True
            raise Full

    def _cut(self, text: str) -> str:
        if len(text) > self._room:
            self.truncated = True
            text = text[: self._room]
        self._room -= len(text)
        return text

    def _spend(self, count: int) -> None:
        if count > self._room:
            self.truncated = True
            raise Full
        self._room -= count


def cleaned(text: str) -> str:
    """Return a text with plain line ends and without the characters that no text has a use for."""
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROL.sub("", text)


def line(text: str | None) -> str:
    """Return a text as one line of bounded length."""
    return " ".join(cleaned((text or "")[: 4 * MAX_NAME]).split())[:MAX_NAME]


def paragraphs(text: str) -> str:
    """Return a text with at most one empty line in a row."""
    return _BLANK_LINES.sub("\n\n", text).strip("\n")


def _trimmed(cells: list[str]) -> list[str]:
    while cells and not cells[-1]:
        cells.pop()
    return cells


def _one_line(cell: str) -> str:
    return cell.replace("\n", " ").replace("\t", " ")
