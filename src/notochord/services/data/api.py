"""The door to the data store of a gem: an engine that knows an owner, not gems."""

from pathlib import Path
from typing import Protocol

from notochord.core.caller import Cause


class OwnerStore(Protocol):
    """The open store of one owner (`data.db`, encrypted with the owner's own key)."""

    async def kv_get(self, key: str) -> str | None:
        """Return the value. Raises INPUT_INVALID for a key that is empty, over 512 characters or has controls."""

    async def kv_set(self, key: str, value: str, cause: Cause) -> None:
        """Store a value of at most 1 MiB, durably, with its change record. Raises INPUT_INVALID, PAYLOAD_TOO_LARGE."""


class Data(Protocol):
    """Opens stores and keeps them open."""

    async def store(self, owner: str, folder: Path) -> OwnerStore:
        """Return the owner's store, opening it at the first call; `owner` is such as `gem:<id>`."""

    async def remove(self, owner: str, folder: Path) -> None:
        """Close the store and destroy its key and its folder. Calls on it raise DATA_CLOSED from then on."""

    async def close(self) -> None: ...
