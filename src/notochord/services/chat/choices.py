"""Which model a conversation gets, and by which rule (MODEL-018, MODEL-038, MODEL-047, MODEL-059)."""

from dataclasses import replace

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.models.api import ChosenBy, ModelChoice, Models


async def current_choice(models: Models, setting: str) -> ModelChoice:
    """Return what an agent's setting leads to now; one whose model or role is gone falls back to `chat` (OPEN-083).

    Raises NotochordError: MODEL_NOT_CHOSEN.
    """
    if setting:
        try:
            return replace(await models.choose(setting), by=ChosenBy.AGENT)
        except NotochordError as failure:
            if failure.code is not Code.MODEL_UNKNOWN:
                raise
    return await models.choose()


async def still_there(models: Models, choice: ModelChoice) -> bool:
    """Tell whether the model is connected still."""
    try:
        return (await models.choose(str(choice.model))).model == choice.model
    except NotochordError as failure:
        if failure.code not in (Code.MODEL_UNKNOWN, Code.MODEL_NOT_CHOSEN, Code.PROVIDER_UNKNOWN):
            raise
        return False
