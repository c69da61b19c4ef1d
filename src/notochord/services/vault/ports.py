"""What the vault needs from outside: a place for the organization's key."""

from typing import Protocol


class KeyStore(Protocol):
    """Keeps one 32-byte key per organization, named by its id."""

    async def load(self, organization: str) -> bytes | None:
        """Return the key; None if this store has none for the organization.

        Raises NotochordError: KEYCHAIN_UNAVAILABLE (no usable keychain), KEYCHAIN_LOCKED (locked, refused or timed
        out), KEY_WRONG (what is stored is no key).
        """

    async def save(self, organization: str, key: bytes) -> None:
        """Keep the key and read it back. Raises as `load` does."""

    async def delete(self, organization: str) -> None:
        """Destroy the key; one that is not there is no error. Raises as `load` does."""
