"""The tour's throw-away organization with the small local model."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from notochord.headless.exchange import Exchange, tell
from notochord.headless.services import Services, Surroundings
from notochord.headless.tour.stages import Stages
from notochord.services.agents.api import MAX_STEPS
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.services.organizations.api import KeyPlace

SMALL_MODEL = ModelRef("local", "SmolLM2-135M-Instruct")
STEPS = 12
"""A model this small is lost if it has not found its way by then."""


@asynccontextmanager
async def throw_away_organization(
    surroundings: Surroundings, exchange: Exchange, stages: Stages
) -> AsyncIterator[Services]:
    """Make an encrypted organization whose key is nowhere but in memory, and connect the small local model."""
    with stages.stage("organization"):
        organization = await surroundings.organizations.create("Tour", KeyPlace.MEMORY)
    await tell(exchange, "tour.organization", id=organization.id)
    async with surroundings.opener.open(organization.id) as services:
        await services.settings.change(MAX_STEPS, STEPS)
        with stages.stage("model"):
            await services.models.obtain_local_model(SMALL_MODEL.model)
            draft = ProviderDraft(SMALL_MODEL.provider, ProviderKind.LOCAL, models=(SMALL_MODEL.model,))
            await services.models.add_provider(draft, None)
        await tell(exchange, "tour.model", model=str(SMALL_MODEL))
        yield services
