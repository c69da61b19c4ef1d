"""Trusted developers in memory."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gem_developers.api import TrustedDeveloper


class MemoryDevelopers:
    """Implements `Developers`: a key is whatever has 64 characters."""

    def __init__(self) -> None:
        self.kept: list[TrustedDeveloper] = []

    async def all(self) -> tuple[TrustedDeveloper, ...]:
        return tuple(self.kept)

    async def add(self, public_key: str, publisher: str, prefix: str = "") -> TrustedDeveloper:
        if len(public_key) != 64:
            raise NotochordError(Code.INPUT_INVALID, Fault.USER, "no key", why="why.developer_key")
        made = TrustedDeveloper(public_key[:32], publisher, prefix, public_key, 0)
        self.kept.append(made)
        return made

    async def remove(self, key: str, publisher: str = "", prefix: str | None = None) -> None:
        before = len(self.kept)
        self.kept = [
            one
            for one in self.kept
            if one.key != key or publisher not in ("", one.publisher) or prefix not in (None, one.prefix)
        ]
        if len(self.kept) == before:
            raise NotochordError(Code.NOT_FOUND, Fault.USER, "no such key", why="why.developer_gone")
