"""A vault that keeps store keys in memory."""

import secrets

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.vault.api import Attachment, AttachmentDenied, Connection, ConnectionDraft, Secret


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
        return AttachmentDenied("unknown", "")
