"""A vault that keeps store keys in memory."""

import json
import secrets
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.vault.api import (
    Attachment,
    AttachmentDenied,
    Connection,
    ConnectionDraft,
    Denial,
    Secret,
)


class MemoryVault:
    """Makes and forgets keys of stores, as the real vault does, and has no connections."""

    def __init__(self) -> None:
        self.keys: dict[str, bytes] = {}

    async def store_key(self, owner: str) -> bytes:
        return self.keys.setdefault(owner, secrets.token_bytes(32))

    async def forget_store_key(self, owner: str) -> None:
        self.keys.pop(owner, None)

    async def add(self, draft: ConnectionDraft, secret: Secret) -> Connection:
        raise NotochordError(Code.INPUT_INVALID, Fault.USER)

    async def replace_secret(self, connection: str, secret: Secret) -> None:
        raise NotochordError(Code.NOT_FOUND, Fault.USER)

    async def remove(self, connection: str) -> None:
        raise NotochordError(Code.NOT_FOUND, Fault.USER)

    async def connections(self) -> tuple[Connection, ...]:
        return ()

    async def attachment(self, connection: str, url: str) -> Attachment | AttachmentDenied:
        return AttachmentDenied(Denial.NOT_CONNECTED, "")


class FileVault(MemoryVault):
    """Keeps the keys in a file, for what has to survive the end of a process."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file
        if file.exists():
            self.keys = {owner: bytes.fromhex(key) for owner, key in json.loads(file.read_text()).items()}

    async def store_key(self, owner: str) -> bytes:
        key = await super().store_key(owner)
        self._keep()
        return key

    async def forget_store_key(self, owner: str) -> None:
        await super().forget_store_key(owner)
        self._keep()

    def _keep(self) -> None:
        self._file.write_text(json.dumps({owner: key.hex() for owner, key in self.keys.items()}))
