"""A store over real gems and a real gateway whose sender plays the server."""

import asyncio
import hashlib
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

from notochord.core.events import EventBus
from notochord.services.egress.ports import Outgoing
from notochord.services.egress.service import EgressService
from notochord.services.gems.signatures import TrustedKeys
from notochord.services.settings.api import Settings
from notochord.services.store.api import SOURCE
from notochord.services.store.making import make_index
from notochord.services.store.service import GemStore
from notochord.viewmodels.samples.doors import absent
from support.clocks import HandClock
from support.egress import PUBLIC, Answer, HandResolver, MemoryIncoming, OneSecretVault
from support.gems import FILES, OFFICIAL, SOP_FILE, TRUSTED, PackageMaker, Platform, manifest, platform

HOST = "store.example.com"
ADDRESS = f"https://{HOST}/gems/index.json"
DOCS = {
    "docs/README.en.md": "# Greeter\n\nGreets.\n",
    "docs/README.zh-CN.md": "# 问候\n",
    "docs/prompts/hello.en.md": "Greet Anna.\n",
}


@dataclass
class Server:
    """Answers by path; what it has not is 404. `asked` has what reached it."""

    answers: dict[str, Answer] = field(default_factory=dict)
    asked: list[Outgoing] = field(default_factory=list)
    down: bool = False
    given: list[MemoryIncoming] = field(default_factory=list)

    async def send(self, outgoing: Outgoing) -> MemoryIncoming:
        from notochord.core.codes import Code
        from notochord.core.errors import Fault, NotochordError

        self.asked.append(outgoing)
        if self.down:
            raise NotochordError(Code.NETWORK_UNREACHABLE, Fault.NETWORK, "down", host=outgoing.host, reason="down")
        incoming = MemoryIncoming(self.answers.get(outgoing.target, Answer(404)))
        self.given.append(incoming)
        return incoming

    async def close(self) -> None:
        assert all(one.closed for one in self.given), "an answer was left open"

    def give(self, path: str, content: bytes, piece: int = 65_536) -> None:
        pieces = tuple(content[at : at + piece] for at in range(0, len(content), piece))
        self.answers[path] = Answer(pieces=pieces)


@dataclass
class StoreBench:
    """The store and what it stands on. `publish` puts packages with their list on the server."""

    store: GemStore
    gems: Platform
    server: Server
    packages: PackageMaker
    egress: EgressService
    resolver: HandResolver
    clock: HandClock
    home: Path

    def publish(
        self,
        *versions: str,
        key: SigningKey | None = OFFICIAL,
        change: Callable[[dict[str, Any]], object] = lambda entry: None,
        **more: Any,
    ) -> list[dict[str, Any]]:
        """Publish the greeter in these versions; `change` changes each entry of the list."""
        entries = []
        for version in versions:
            content = manifest(version=version, **more)
            files = {**FILES, **DOCS, **(SOP_FILE if "workflows" in more else {})}
            package = self.packages.make(content, files, key=key)
            self.server.give(f"/gems/{package.name}", package.read_bytes())
            entries += json.loads(make_index([package], {}))["gems"]
        for entry in entries:
            change(entry)
        self.list(entries)
        return entries

    def list(self, entries: list[dict[str, Any]]) -> None:
        self.server.give("/gems/index.json", json.dumps({"format": 1, "gems": entries}).encode())

    def restarted(self) -> GemStore:
        """Return the store as a later start of the program has it."""
        return _store(self.gems, self.egress, self.clock, self.home)


@asynccontextmanager
async def store_bench(home: Path, *, keys: TrustedKeys = TRUSTED, bundled: bytes = b"") -> AsyncIterator[StoreBench]:
    """Open a store with an empty list of its own, or the given one, whose source is `ADDRESS`."""
    await asyncio.to_thread(_lay_out, home, bundled)
    async with platform(home / "org", keys=keys) as gems:
        await gems.settings.change(SOURCE, ADDRESS)
        server, clock = Server(), HandClock()
        resolver = HandResolver({HOST: [PUBLIC]})
        egress = EgressService(
            settings=gems.settings, vault=OneSecretVault(), resolver=resolver, sender=server, environment={}
        )
        packages = PackageMaker(home / "packages")
        store = _store(gems, egress, clock, home)
        await store.start()
        yield StoreBench(store, gems, server, packages, egress, resolver, clock, home)
        await server.close()


def _store(gems: Platform, egress: EgressService, clock: HandClock, home: Path) -> GemStore:
    return GemStore(
        gems=gems.service,
        publications=gems.service.publications,
        gateway=egress,
        settings=gems.settings,
        events=gems.bus,
        clock=clock,
        folder=gems.folder.store_list,
        bundled=home / "bundled",
        packages=home / "packages",
    )


def store_with_an_address(settings: Settings) -> GemStore:
    """Return a store whose address can be asked for and changed, and nothing else."""
    return GemStore(
        gems=absent("gems"),
        publications=absent("publications"),
        gateway=absent("gateway"),
        settings=settings,
        events=EventBus(),
        clock=HandClock(),
        folder=Path("nowhere"),
        bundled=Path("nowhere"),
        packages=Path("nowhere"),
    )


def _lay_out(home: Path, bundled: bytes) -> None:
    (home / "bundled").mkdir(parents=True)
    (home / "bundled" / "index.json").write_bytes(bundled or b'{"format": 1, "gems": []}')


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
