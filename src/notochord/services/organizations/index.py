"""Reads and writes `organizations.json`: which organizations were seen, and which is the current one.

The folders are what counts; the index remembers the choice, and the name of an organization whose own description was
damaged.
"""

import logging
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.paths import Home
from notochord.core.strict_json import Json, encode
from notochord.persistence.atomic_files import write_atomically
from notochord.persistence.failures import translated
from notochord.services.organizations.description import FORMAT, read_object

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Index:
    """The content of the file; `names` by organization id."""

    current: str
    names: dict[str, str]


def read_index(home: Home) -> Index:
    """Return the index; an empty one if there is none or it cannot be read. Raises NotochordError(STORE_NEWER)."""
    try:
        content = read_object(home.index) or {}
    except NotochordError as error:
        if error.code is not Code.ORG_DAMAGED:
            raise
        _log.warning("the list of organizations is unreadable and will be made anew: %s", error.detail)
        content = {}
    current, listed = content.get("current"), content.get("organizations")
    names = listed if isinstance(listed, dict) else {}
    return Index(
        current if isinstance(current, str) else "",
        {identifier: name for identifier, name in names.items() if isinstance(name, str)},
    )


def write_index(home: Home, index: Index) -> None:
    """Put the index in place, durably. Raises NotochordError for trouble with the disk."""
    names: Json = dict(index.names)
    with translated(home.index):
        write_atomically(
            home.index, encode({"format": FORMAT, "current": index.current, "organizations": names}).encode()
        )
