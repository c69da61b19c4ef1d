"""Makes every model call: prepares it, tries again while nothing has come, counts it, and hands on what happens."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from typing import TypeAlias

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.models.api import (
    Capabilities,
    Loading,
    ModelEvent,
    ModelRequest,
    Provider,
    ProviderKind,
    Reply,
    ToolCall,
    Waiting,
)
from notochord.services.models.assembly import Assembly
from notochord.services.models.capabilities import CapabilityList
from notochord.services.models.failures import as_error, wait_before_retry
from notochord.services.models.ports import FailureKind, ModelClient, Piece, ProviderFailure
from notochord.services.models.preparation import Preparation, prepare
from notochord.services.usage.api import Usage, Use

Clients: TypeAlias = Callable[[ProviderKind], ModelClient]

CHARACTERS_PER_TOKEN = 4
"""For a call whose provider does not count tokens."""

_RETRIED = frozenset({Code.NETWORK_UNREACHABLE, Code.TIMEOUT})
_WITHOUT_TAGS = frozenset({ProviderKind.OPENAI, ProviderKind.ANTHROPIC, ProviderKind.GEMINI})
_log = logging.getLogger(__name__)


class Gateway:
    """Streams one request at a time for each caller; holds no state between calls."""

    def __init__(
        self, *, clients: Clients, usage: Usage, capabilities: CapabilityList, clock: Clock, events: EventBus
    ) -> None:
        self._clients = clients
        self._usage = usage
        self._capabilities = capabilities
        self._clock = clock
        self._events = events
        self._closed = False

    def close(self) -> None:
        """Begin no attempt from now on."""
        self._closed = True

    async def stream(self, request: ModelRequest, provider: Provider) -> AsyncGenerator[ModelEvent]:
        """Yield the events of a call, trying again until the first token."""
        capabilities = self._capabilities.of(request.choice.model.model)
        _require_tools(request, capabilities)
        ready = prepare(request, provider, capabilities, self._events.publish)
        attempt = 1
        while True:
            if self._closed:
                raise NotochordError(Code.CANCELLED, Fault.SYSTEM, "the program ends")
            assembly = self._assembly(request, provider)
            try:
                async with aclosing(self._attempt(request, provider, ready, assembly)) as events:
                    async for event in events:
                        yield event
                return
            except ProviderFailure as failure:
                wait = None if assembly.started else self._wait(failure, attempt)
                if wait is None:
                    raise as_error(failure, request.choice.model, begun=assembly.started) from failure
            except NotochordError as failure:
                if failure.code not in _RETRIED:
                    raise
                lost = ProviderFailure(FailureKind.LOST, failure.detail)
                if assembly.started:
                    raise as_error(lost, request.choice.model, begun=True) from failure
                wait = self._wait(lost, attempt)
                if wait is None:
                    raise
            yield Waiting(wait, attempt)
            await self._clock.sleep(wait)
            attempt += 1

    async def _attempt(
        self, request: ModelRequest, provider: Provider, ready: Preparation, assembly: Assembly
    ) -> AsyncGenerator[ModelEvent]:
        """Yield one attempt's events. What came is counted, also of an attempt that fails or is cancelled."""
        try:
            pieces = self._clients(provider.kind).stream(ready.call)
            async for event in _events(pieces, assembly):
                yield event
            for delta in assembly.end():
                yield delta
            if assembly.stopped is None:
                raise ProviderFailure(FailureKind.LOST, "the answer ended in the middle")
        except BaseException:
            if assembly.started:
                await self._count(request, ready, assembly)
            raise
        message = ready.ours(assembly.message())
        spent = await self._count(request, ready, assembly)
        yield Reply(message, assembly.finish, *spent, assembly.stopped.legal_moves)

    async def _count(self, request: ModelRequest, ready: Preparation, assembly: Assembly) -> tuple[int, int]:
        spent = assembly.input_tokens or _size(ready) // CHARACTERS_PER_TOKEN
        written = assembly.output_tokens or assembly.size // CHARACTERS_PER_TOKEN
        model = request.choice.model
        use = Use(request.feature, model.provider, model.model, spent, written, request.caller.cause.run)
        await self._usage.record(use)
        return spent, written

    def _assembly(self, request: ModelRequest, provider: Provider) -> Assembly:
        taken = [part.id for message in request.messages for part in message.parts if isinstance(part, ToolCall)]
        tags = provider.kind not in _WITHOUT_TAGS
        return Assembly(provider.name, tags=tags, new_id=self._new_call_id, taken=taken)

    def _wait(self, failure: ProviderFailure, attempt: int) -> float | None:
        wait = wait_before_retry(failure, attempt, self._clock.random_bytes(1)[0] / 255)
        if wait is not None:
            _log.info("attempt %d failed (%s), trying again in %.1f s", attempt, failure.status or "lost", wait)
        return wait

    def _new_call_id(self) -> str:
        return f"call_{self._clock.random_bytes(12).hex()}"


async def _events(pieces: AsyncIterator[Piece], assembly: Assembly) -> AsyncGenerator[ModelEvent]:
    try:
        async for piece in pieces:
            if isinstance(piece, Loading):
                yield piece
                continue
            for delta in assembly.add(piece):
                yield delta
    finally:
        if isinstance(pieces, AsyncGenerator):
            await pieces.aclose()


def _require_tools(request: ModelRequest, capabilities: Capabilities) -> None:
    if request.tools and not capabilities.tools:
        model = request.choice.model
        detail = "this model cannot use tools"
        raise NotochordError(Code.MODEL_NO_TOOLS, Fault.USER, detail, model=str(model), provider=model.provider)


def _size(ready: Preparation) -> int:
    """Return roughly how many characters the request has."""
    call = ready.call
    texts = sum(len(str(part)) for message in call.messages for part in message.parts)
    return len(call.system) + texts + sum(len(str(tool)) for tool in call.tools)
