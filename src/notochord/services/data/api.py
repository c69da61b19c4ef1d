"""The door to the data store of a gem: an engine that knows an owner, not gems."""

from pathlib import Path
from typing import Protocol

from notochord.core.caller import Caller

MAX_KEY_CHARACTERS = 512
MAX_VALUE_BYTES = 1_048_576


class OwnerStore(Protocol):
    """The open store of one owner (`data.db`, encrypted with the owner's own key)."""

    async def kv_get(self, key: str) -> str | None:
        """Return the value; None for a key that was never set.

        Raises NotochordError: INPUT_INVALID for a key that is empty, over MAX_KEY_CHARACTERS or has controls,
        DATA_CLOSED.
        """

    async def kv_set(self, key: str, value: str, caller: Caller) -> None:
        """Store a value of at most MAX_VALUE_BYTES as UTF-8, durably, with its change record.

        Raises NotochordError: INPUT_INVALID, PAYLOAD_TOO_LARGE, DATA_CLOSED, and what a full or failing disk raises.
        """


class Data(Protocol):
    """Opens stores and keeps them open."""

    async def store(self, owner: str, folder: Path) -> OwnerStore:
        """Return the owner's store, opening it at the first call; `owner` is such as `gem:<id>`.

        Raises NotochordError: STORE_UNREADABLE, STORE_DAMAGED, STORE_NEWER, DISK_FULL, and as the vault does.
        """

    async def remove(self, owner: str, folder: Path) -> None:
        """Close the store and destroy its key and its folder. Calls on it raise DATA_CLOSED from then on.

        What is gone already is no error, so that a removal that was interrupted can be repeated.
        """

    async def close(self) -> None:
        """Close every store. Calls on them raise DATA_CLOSED from then on."""
