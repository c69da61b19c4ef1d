"""The page of a gem over the gems service on a real store; accounts, settings and models are in memory."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from notochord.services.gems.api import Gem
from notochord.services.vault.api import Connection, ConnectionDraft, Secret
from notochord.viewmodels.gem.model import GemModel
from notochord.viewmodels.shell.navigation import Navigation, Page
from support.clocks import HandClock
from support.gems import PackageMaker, Platform, platform
from support.knowledge import TestKnowledge
from support.settings import MemoryModels, MemorySettings
from support.vaults import MemoryVault


class KeepingVault(MemoryVault):
    """Keeps connections, and their secrets to be looked for."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Connection] = []
        self.secrets: list[str] = []

    async def add(self, draft: ConnectionDraft, secret: Secret) -> Connection:
        identifier = f"conn-{len(self.kept) + 1}"
        made = Connection(identifier, draft.name, draft.kind, draft.placement, draft.registration, draft.field)
        self.kept.append(made)
        self.secrets.append(secret.reveal())
        return made

    async def remove(self, connection: str) -> None:
        self.kept = [one for one in self.kept if one.id != connection]

    async def connections(self) -> tuple[Connection, ...]:
        return tuple(self.kept)


@dataclass
class Later:
    """Implements `Updates` with packages that are put here, by gem: the version, and what brings it."""

    platform: Platform
    packages: dict[str, tuple[str, Path]] = field(default_factory=dict)

    async def updates(self) -> Mapping[str, str]:
        return {gem: version for gem, (version, _) in self.packages.items()}

    async def asks_more(self, gem: str) -> bool:
        return False

    async def install(self, gem: str) -> Gem:
        _, package = self.packages[gem]
        made = await self.platform.service.install(package)
        del self.packages[gem]
        return made


@dataclass
class Bench:
    """A page, and what it stands on."""

    platform: Platform
    packages: PackageMaker
    vault: KeepingVault
    models: MemoryModels
    settings: MemorySettings
    navigation: Navigation
    page: GemModel
    later: Later
    knowledge: TestKnowledge

    async def install(self, content: dict[str, Any] | None = None, **files: Any) -> None:
        """Install a gem, and show its page."""
        await self.platform.service.install(self.packages.make(content, **files))
        self.navigation.go(Page.GEM, "greeter")
        await self.page.start()


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    vault, models, navigation = KeepingVault(), MemoryModels(), Navigation()
    knowledge = TestKnowledge()
    async with platform(tmp_path / "org", vault=vault, knowledge=knowledge) as made:
        later = Later(made)
        settings = MemorySettings(made.bus)
        page = GemModel(
            gems=made.service, dossiers=made.service.dossiers, models=models,
            settings=settings, vault=vault, events=made.bus, navigation=navigation, clock=HandClock(), language="en",
            updates=later,
        )  # fmt: skip
        yield Bench(
            made, PackageMaker(tmp_path / "packages"), vault, models, settings, navigation, page, later, knowledge
        )
        await page.close()
