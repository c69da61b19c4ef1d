"""`ctx.llm` on this side: one question to the model of the `chat` role, through the gateway, counted as a gem's."""

from collections.abc import AsyncGenerator, AsyncIterator
from typing import Protocol

from notochord.core.caller import Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.models.api import Message, ModelChoice, ModelEvent, ModelRequest, Reply, Role, Text
from notochord.services.sandbox.api import HostAnswer, HostRequest

FEATURE = "gem"
MAX_CHARACTERS = 1_048_576
"""Of all messages of one question together."""

MAX_MESSAGES = 200
MAX_TOKENS = 65_536

_NAMES = frozenset({"system", "messages", "maxOutputTokens"})
_MESSAGE = frozenset({"role", "text"})
_ROLES = {"user": Role.USER, "assistant": Role.ASSISTANT}


class Answering(Protocol):
    """The part of `services.models.api.Models` that gems reach."""

    def stream(self, request: ModelRequest) -> AsyncIterator[ModelEvent]: ...

    async def choose(self) -> ModelChoice: ...


class GuestLlm:
    """The questions of one call. What is sent is the gem's choice; which model answers is the user's (MODEL-098)."""

    def __init__(self, models: Answering, *, caller: Caller) -> None:
        self._models = models
        self._caller = caller

    async def complete(self, request: HostRequest) -> HostAnswer:
        """Ask and return the whole answer. Raises INPUT_INVALID, and as `Models.stream` does."""
        arguments = GuestArguments(request.target, request.arguments, _NAMES)
        asked = ModelRequest(
            choice=await self._models.choose(),
            feature=FEATURE,
            caller=self._caller,
            system=arguments.text_or_none("system", limit=MAX_CHARACTERS) or "",
            messages=_messages(request.arguments),
            max_output_tokens=_tokens(request.arguments),
        )
        return HostAnswer(_shown(await self._answer(asked)))

    async def _answer(self, asked: ModelRequest) -> Reply:
        events = self._models.stream(asked)
        try:
            async for event in events:
                if isinstance(event, Reply):
                    return event
        finally:
            if isinstance(events, AsyncGenerator):
                await events.aclose()
        raise NotochordError(Code.MODEL_STREAM_BROKEN, Fault.PROVIDER, "the answer ended before its end")


def _messages(arguments: Json) -> tuple[Message, ...]:
    given = arguments.get("messages") if isinstance(arguments, dict) else None
    if not isinstance(given, list) or not 0 < len(given) <= MAX_MESSAGES:
        raise refused(f"llm.complete: messages must be 1 to {MAX_MESSAGES} messages")
    messages = []
    for number, entry in enumerate(given):
        fields = GuestArguments(f"llm.complete: message {number}", entry, _MESSAGE)
        role, text = _ROLES.get(fields.text("role", limit=16)), fields.text("text", limit=MAX_CHARACTERS)
        if role is None or not text.strip():
            raise refused(f"llm.complete: message {number} has the role user or assistant, and a text")
        messages.append(Message(role, (Text(text),)))
    _check_order(messages)
    return tuple(messages)


def _check_order(messages: list[Message]) -> None:
    """Refuse what some provider would: the turns alternate, and the user has the first and the last word."""
    for number, message in enumerate(messages):
        if message.role is not (Role.ASSISTANT if number % 2 else Role.USER):
            raise refused("llm.complete: the messages alternate, beginning with the role user")
    if len(messages) % 2 == 0:
        raise refused("llm.complete: the last message is the user's")
    if sum(len(part.text) for message in messages for part in message.parts if isinstance(part, Text)) > MAX_CHARACTERS:
        raise refused(f"llm.complete: the messages have over {MAX_CHARACTERS} characters")


def _tokens(arguments: Json) -> int:
    """Return the limit for the answer; 0 for none."""
    given = arguments.get("maxOutputTokens") if isinstance(arguments, dict) else None
    if given is None:
        return 0
    if not isinstance(given, int) or isinstance(given, bool) or not 0 < given <= MAX_TOKENS:
        raise refused(f"llm.complete: maxOutputTokens is a whole number from 1 to {MAX_TOKENS}")
    return given


def _shown(reply: Reply) -> Json:
    return {
        "text": "".join(part.text for part in reply.message.parts if isinstance(part, Text)),
        "finish": reply.finish.value,
        "inputTokens": reply.input_tokens,
        "outputTokens": reply.output_tokens,
    }
