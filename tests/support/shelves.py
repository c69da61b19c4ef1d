"""Servers with files for gems to be downloaded, behind the real gateway, and gems that declare them."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from notochord.services.egress.ports import Outgoing
from support.egress import PUBLIC, Answer, Bench, MemoryIncoming, bench
from support.egress import rules as rules

CONTENT = b"the content of a model " * 5_000
URL = "https://files.example.com/model.bin"
MIRROR = "https://mirror.example.org/model.bin"
NAMES = {"files.example.com": [PUBLIC], "mirror.example.org": [PUBLIC], "cdn.example.net": [PUBLIC]}


def resource(**changes: Any) -> dict[str, Any]:
    """Return an entry of `resources` for CONTENT."""
    plain = {"id": "model", "url": URL, "sha256": hashlib.sha256(CONTENT).hexdigest(), "size": len(CONTENT)}
    return {**plain, **changes}


def pieces(content: bytes, size: int = 16_384) -> tuple[bytes, ...]:
    return tuple(content[start : start + size] for start in range(0, len(content), size))


def redirect(target: str) -> Answer:
    return Answer(302, (("Location", target),), ())


@dataclass
class ShelfSender:
    """Sends nothing; gives each address its answer, once `open` is set, and 404 to all others."""

    answers: dict[str, Answer] = field(default_factory=lambda: {URL: Answer(pieces=pieces(CONTENT))})
    asked: list[str] = field(default_factory=list)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self) -> None:
        self.gate.set()

    async def send(self, outgoing: Outgoing) -> MemoryIncoming:
        address = f"{outgoing.scheme}://{outgoing.host}{outgoing.target}"
        self.asked.append(address)
        await self.gate.wait()
        return MemoryIncoming(self.answers.get(address, Answer(404)))

    async def close(self) -> None:
        return None


async def shelf(
    answers: Mapping[str, Answer] | None = None, *, lists: Any = None, names: Mapping[str, list[str]] | None = None
) -> tuple[ShelfSender, Bench]:
    """Return servers with these answers, and a gateway to them."""
    sender = ShelfSender() if answers is None else ShelfSender(dict(answers))
    return sender, await bench(sender, lists=lists, names={**NAMES, **(names or {})})
