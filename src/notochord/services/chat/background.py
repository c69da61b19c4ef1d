"""Model calls that nobody asked for by name: titles and summaries (MODEL-042); no limit of an answer counts them."""

from collections.abc import AsyncGenerator, AsyncIterator

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.chat.choices import current_choice
from notochord.services.models.api import Message, ModelEvent, ModelRequest, Models, ProviderKind, Reply, Role, Text
from notochord.services.settings.api import Settings

SMALLEST_ABLE = 300_000_000
"""Bytes of a model file: with about half a billion parameters, models begin to write usable titles."""


class Background:
    """Asks the model of the agent "Background tasks" for one text."""

    def __init__(self, *, models: Models, settings: Settings) -> None:
        self._models = models
        self._settings = settings

    async def is_able(self) -> bool:
        """Tell whether the model can be expected to sum something up; a very small one on this computer cannot.

        Raises NotochordError as `services.models` does.
        """
        wanted = self._settings.current(model_setting(BuiltInAgent.BACKGROUND))
        model = (await current_choice(self._models, wanted)).model
        kinds = {provider.name: provider.kind for provider in await self._models.providers()}
        if kinds.get(model.provider) is not ProviderKind.LOCAL:
            return True
        files = await self._models.local_models()
        return not any(file.name == model.model and file.size < SMALLEST_ABLE for file in files)

    async def ask(self, feature: str, system: str, text: str, conversation: str, *, most_tokens: int) -> str:
        """Return the text of at most `most_tokens`, stripped. Raises NotochordError as `services.models` does."""
        wanted = self._settings.current(model_setting(BuiltInAgent.BACKGROUND))
        request = ModelRequest(
            choice=await current_choice(self._models, wanted),
            feature=feature,
            caller=Caller(Actor.SYSTEM, BuiltInAgent.BACKGROUND, Cause(conversation=conversation)),
            system=system,
            messages=(Message(Role.USER, (Text(text),)),),
            max_output_tokens=most_tokens,
        )
        events = self._models.stream(request)
        try:
            reply = await _last(events)
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()
        return "".join(part.text for part in reply.message.parts if isinstance(part, Text)).strip()


async def _last(events: AsyncIterator[ModelEvent]) -> Reply:
    async for event in events:
        if isinstance(event, Reply):
            return event
    raise NotochordError(Code.MODEL_STREAM_BROKEN, Fault.PROVIDER, "the stream ended without a reply")
