"""A models service on a real database, whose providers answer as a test says."""

from dataclasses import dataclass, field
from pathlib import Path

from notochord.services.models.api import LocalModel
from notochord.services.models.ports import Endpoint, FailureKind, Progress, ProviderFailure
from notochord.viewmodels.settings.providers import ProvidersModel
from support.models import ModelsBench, NoLocalModels
from support.settings import MemorySettings


@dataclass
class Answers:
    """What providers answer when they are asked for their models."""

    models: tuple[str, ...] = ("alpha", "beta")
    failure: ProviderFailure | None = None
    asked: list[Endpoint] = field(default_factory=list)

    async def __call__(self, endpoint: Endpoint) -> tuple[str, ...]:
        self.asked.append(endpoint)
        if self.failure is not None:
            raise self.failure
        return self.models

    def refuse(self, status: int = 401) -> None:
        self.failure = ProviderFailure(FailureKind.STATUS, "no", status=status)


class Files(NoLocalModels):
    """Model files of a computer, kept as names."""

    def __init__(self) -> None:
        self.here: set[str] = set()

    async def catalogue(self) -> tuple[LocalModel, ...]:
        names = sorted({"tiny", *self.here})
        return tuple(LocalModel(name, 1_000, name in self.here, "MIT", "small") for name in names)

    async def obtain(self, name: str, progress: Progress | None = None) -> LocalModel:
        if progress is not None:
            progress(0.5)
        self.here.add(name)
        return LocalModel(name, 1_000, True)

    async def take_in(self, file: Path, progress: Progress | None = None) -> LocalModel:
        return await self.obtain(file.stem, progress)

    async def discard(self, name: str) -> None:
        self.here.remove(name)


@dataclass
class SettingsBench:
    bench: ModelsBench
    answers: Answers
    files: Files
    settings: MemorySettings
    providers: ProvidersModel
