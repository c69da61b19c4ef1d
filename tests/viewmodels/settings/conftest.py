"""A models service on a real database, whose providers answer as a test says."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.viewmodels.settings.providers import ProvidersModel
from support.models import models_bench
from support.settings import MemorySettings
from support.settings_bench import Answers, Files, SettingsBench


@pytest.fixture
async def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[SettingsBench]:
    files, answers = Files(), Answers()
    async with models_bench(tmp_path, local=files) as made:
        monkeypatch.setattr(made.service._remote, "models", answers)
        settings = MemorySettings(made.events)
        providers = ProvidersModel(models=made.service, settings=settings, events=made.events)
        await providers.start()
        yield SettingsBench(made, answers, files, settings, providers)
        await providers.close()
