"""The door to trusted developers; `services.gems` stands behind it."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class TrustedDeveloper:
    """A developer's key that the user trusts; `key` is its id, `public_key` hexadecimal, `added_at` in milliseconds.

    It speaks only for gems of this publisher whose id is `prefix` or begins with it and a dot or hyphen; "" for all.
    """

    key: str
    publisher: str
    prefix: str
    public_key: str
    added_at: int


@dataclass(frozen=True, slots=True)
class DevelopersChanged:
    """Event: a developer's key is trusted now, or not any more."""


class Developers(Protocol):
    """Developers whose packages install as "signed by a trusted developer" (PKG-070)."""

    async def all(self) -> tuple[TrustedDeveloper, ...]:
        """Return the trusted keys, by publisher."""

    async def add(self, public_key: str, publisher: str, prefix: str = "") -> TrustedDeveloper:
        """Trust a key for a publisher from the next check of a package on; one that is there already stays.

        Raises NotochordError: INPUT_INVALID (no public key, one that is built in, or no id).
        """

    async def remove(self, key: str, publisher: str = "", prefix: str | None = None) -> None:
        """Trust a key no more, for one publisher and prefix or for all. What is installed stays. Raises NOT_FOUND."""
