"""Stores of made-up owners, with the declaration that the product page gives as its example."""

import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.clock import Clock
from notochord.services.data.api import Source
from notochord.services.data.service import DataService
from notochord.services.data.store import EncryptedStore
from notochord.services.journal.api import Journal
from support.clocks import HandClock
from support.vaults import MemoryVault

OWNER = "gem:sales"
GEM = Caller(Actor.GEM, "sales", Cause("talk", "main", "turn", "run", "step"))

_SAMPLE: dict[str, Any] = {
    "notes": {
        "kind": "table",
        "fields": {
            "title": {"type": "string", "required": True},
            "status": {"type": "string", "enum": ["open", "done"]},
            "due": {"type": "timestamp"},
            "project": {"type": "ref", "to": "projects"},
            "photo": {"type": "blob"},
            "tags": {"type": "array", "items": "string"},
            "extra": {"type": "object"},
        },
        "indexes": [["status", "due"], ["project"]],
    },
    "projects": {
        "kind": "table",
        "fields": {"name": {"type": "string", "required": True, "unique": True}, "open_count": {"type": "integer"}},
    },
    "readings": {
        "kind": "log",
        "fields": {"value": {"type": "number"}, "note": {"type": "ref", "to": "notes"}},
        "retention": {"days": 365},
    },
}


def sample() -> dict[str, Any]:
    """Return the `data` section of the page's example."""
    return {"collections": copy.deepcopy(_SAMPLE)}


def table(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a section with one table, `items`."""
    return {"collections": {"items": {"kind": "table", "fields": fields, **more}}}


@asynccontextmanager
async def opened(
    folder: Path,
    declared: Any = None,
    *,
    vault: MemoryVault | None = None,
    clock: Clock | None = None,
    stamp: str = "1",
    journal: Journal | None = None,
) -> AsyncIterator[EncryptedStore]:
    """Open the store of OWNER in a folder, and close it at the end."""
    service = DataService(vault=vault or MemoryVault(), clock=clock or HandClock(), device="here", journal=journal)
    try:
        yield await service.store(Source(OWNER, folder, declared, stamp))
    finally:
        await service.close()
