"""Turns a request into what goes on the wire: legal names, plain schemas, a complete conversation."""

import json
import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from notochord.core import strict_json
from notochord.core.flat_text import flattened
from notochord.core.strict_json import Json
from notochord.core.surrogates import has_surrogates
from notochord.services.egress.api import Leave
from notochord.services.models.addresses import read_address
from notochord.services.models.api import (
    Capabilities,
    Message,
    ModelRequest,
    Part,
    Provider,
    ProviderKind,
    ToolCall,
    ToolLeftOut,
)
from notochord.services.models.names import Names
from notochord.services.models.ports import Endpoint, WireCall, WireTool
from notochord.services.models.replay import replayable
from notochord.services.models.schemas import PlainSchema, SchemaUnusable, plain_schema

UNPARSED = "unparsed_arguments"
"""The only key of arguments that were no JSON object, when they are shown to the model again."""

_DESCRIPTION = 1_024
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Preparation:
    """A call for the wire, and the way back from its names to ours."""

    call: WireCall
    tools: Names
    properties: dict[str, Names]

    def ours(self, message: Message) -> Message:
        """Return an answer with the names of tools and properties as we know them."""
        return Message(message.role, tuple(self._back(part) for part in message.parts))

    def _back(self, part: Part) -> Part:
        if not isinstance(part, ToolCall):
            return part
        name = self.tools.back(part.name)
        names = self.properties.get(name)
        arguments = part.arguments if names is None else _back(part.arguments, names)
        return replace(part, name=name, arguments=arguments)


def prepare(
    request: ModelRequest, provider: Provider, capabilities: Capabilities, leave_out: Callable[[ToolLeftOut], None]
) -> Preparation:
    """Build the call. A tool that cannot be described to this provider is left out and told of."""
    messages = replayable(request.messages, provider.name)
    called = {part.name for message in messages for part in message.parts if isinstance(part, ToolCall)}
    names = _tool_names(provider.kind, called | {tool.name for tool in request.tools})
    schemas = _schemas(request, provider.kind, leave_out)
    properties = {name: plain.properties for name, plain in schemas.items() if not plain.properties.change_nothing}
    descriptions = {tool.name: flattened(tool.description, _DESCRIPTION) for tool in request.tools}
    call = WireCall(
        endpoint=endpoint(provider, request),
        model=request.choice.model.model,
        system=request.system,
        messages=tuple(_there(message, names, properties) for message in messages),
        tools=tuple(WireTool(names.there(name), descriptions[name], plain.schema) for name, plain in schemas.items()),
        max_output_tokens=request.max_output_tokens or _usual_output(provider.kind, capabilities),
        temperature=request.temperature if capabilities.temperature else None,
        seed=request.seed,
    )
    return Preparation(call, names, properties)


def endpoint(provider: Provider, request: ModelRequest) -> Endpoint:
    """Return where a request to `provider` goes, in the name of its caller."""
    return Endpoint(provider.name, provider.kind, provider.base_url, leave(provider, Leave(request.caller)))


def leave(provider: Provider, asked: Leave) -> Leave:
    """Return `asked` with the provider's account, and its address open: the user typed it (SET-032, SET-033)."""
    if provider.kind is ProviderKind.LOCAL:
        return asked
    origin = read_address(provider.base_url, provider.kind).origin
    return replace(asked, connection=provider.connection, typed_origin=origin, own=True)


def _tool_names(kind: ProviderKind, names: set[str]) -> Names:
    return Names.untouched() if kind is ProviderKind.LOCAL else Names.of_tools(names)


def _schemas(
    request: ModelRequest, kind: ProviderKind, leave_out: Callable[[ToolLeftOut], None]
) -> dict[str, PlainSchema]:
    found: dict[str, PlainSchema] = {}
    for tool in request.tools:
        try:
            if tool.name in found:
                raise SchemaUnusable("another tool has this name")
            found[tool.name] = plain_schema(tool.schema, narrow=kind is ProviderKind.GEMINI)
        except SchemaUnusable as error:
            _log.warning("the tool %s is not offered: %s", flattened(tool.name, 100), error)
            leave_out(ToolLeftOut(tool.name, str(error)))
    return found


def _there(message: Message, tools: Names, properties: dict[str, Names]) -> Message:
    parts: list[Part] = []
    for part in message.parts:
        if isinstance(part, ToolCall):
            arguments = _as_object(part.arguments, properties.get(part.name))
            part = replace(part, name=tools.there(part.name), arguments=arguments)
        parts.append(part)
    return Message(message.role, tuple(parts))


def _as_object(arguments: str, names: Names | None) -> str:
    """Return arguments that are a JSON object, whatever the model once wrote; as it wrote them where possible."""
    try:
        value = strict_json.decode(arguments)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        return strict_json.encode({UNPARSED: arguments})
    return arguments if names is None else _text(names.keys_there(value))


def _back(arguments: str, names: Names) -> str:
    try:
        return _text(names.keys_back(strict_json.decode(arguments)))
    except ValueError:
        return arguments


def _text(value: Json) -> str:
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return json.dumps(value, separators=(",", ":")) if has_surrogates(text) else text


def _usual_output(kind: ProviderKind, capabilities: Capabilities) -> int:
    """Return the limit for providers that want one with each call; 0 for the others."""
    return (capabilities.output or 4_096) if kind is ProviderKind.ANTHROPIC else 0
