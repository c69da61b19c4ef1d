"""Connecting a first model, also after the program ended in the midst of it."""

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.viewmodels.settings.providers import ProvidersModel
from notochord.viewmodels.start.connect import ConnectModel, Stage
from support.settings import MemoryModels, MemorySettings

CLOUD = ProviderDraft("Cloud", ProviderKind.OPENAI)


async def begun(models: MemoryModels) -> ConnectModel:
    providers = ProvidersModel(models=models, settings=MemorySettings(), events=EventBus())
    page = ConnectModel(providers=providers, leave=lambda: None, settings=lambda: None)
    await page.start()
    return page


@pytest.mark.req("SETUP-045")
async def test_a_provider_that_was_left_without_a_model_is_connected_again_with_the_key_that_is_typed_now() -> None:
    models = MemoryModels()
    await (await begun(models)).connect(CLOUD, "first")
    page = await begun(models)
    await page.connect(CLOUD, "second")
    assert (page.stage.value, page.offered.value) == (Stage.MODEL, ("small", "large"))
    assert models.keys["Cloud"] == "second"
    assert [one.name for one in await models.providers()] == ["Cloud"]


async def test_a_provider_whose_models_are_in_use_is_not_replaced() -> None:
    models = MemoryModels()
    first = await begun(models)
    await first.connect(CLOUD, "first")
    await first.get_started("small")
    with pytest.raises(NotochordError) as refused:
        await (await begun(models)).connect(CLOUD, "second")
    assert refused.value.code is Code.PROVIDER_EXISTS
    assert models.keys["Cloud"] == "first"
