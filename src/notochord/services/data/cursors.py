"""Cursors: where a page ended, as sort values and id, so that records which change meanwhile are not missed."""

import base64
import hashlib
from collections.abc import Sequence

from notochord.core.strict_json import Json, decode, encode
from notochord.services.data.validation import invalid

MAX_CURSOR = 16 * 1_048_576


def signature(parts: Json) -> str:
    """Return what tells one query from another; its limit is no part of it."""
    return hashlib.sha256(encode(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def make(query: str, place: Sequence[Json]) -> str:
    """Return the cursor behind a place in the results of the query with this signature."""
    return base64.urlsafe_b64encode(encode([query, list(place)]).encode()).decode()


def place(query: str, cursor: str, parts: int) -> list[Json]:
    """Return the place that a cursor of this query is at. Raises INPUT_INVALID for anything else."""
    try:
        if len(cursor) > MAX_CURSOR or not cursor.isascii():
            raise ValueError
        value = decode(base64.b64decode(cursor, altchars=b"-_", validate=True))
    except ValueError:
        raise invalid("startAfter is not a cursor that a page gave") from None
    match value:
        case [str(found), list(values)] if found == query and len(values) == parts:
            if all(isinstance(item, str | int | float) and _fits_a_column(item) for item in values):
                return values
    raise invalid("startAfter is the cursor of another query")


def _fits_a_column(value: str | int | float) -> bool:
    return not isinstance(value, int) or abs(value) < 2**63
