"""The gateway streams, counts, tries again while nothing has come, and says clearly what went wrong."""

import pytest

from notochord.services.models.api import (
    Finish,
    Message,
    ProviderKind,
    Reply,
    Role,
    Text,
    TextDelta,
    ToolSpec,
)
from support.models import ModelsBench, events_of, reply_of, request
from support.strict_servers import AnthropicServer, OpenAiServer, Say

READ = ToolSpec("fs.read", "Read a file.", {"type": "object", "properties": {"path": {"type": "string"}}})
LIST = ToolSpec("fs.list", "List files.", {"type": "object", "properties": {}})


@pytest.fixture(params=[ProviderKind.COMPATIBLE, ProviderKind.ANTHROPIC])
async def server(
    request: pytest.FixtureRequest, bench: ModelsBench, openai: OpenAiServer, anthropic: AnthropicServer
) -> OpenAiServer | AnthropicServer:
    """Each of the two formats in turn, connected as the provider `p`."""
    chosen = anthropic if request.param is ProviderKind.ANTHROPIC else openai
    await bench.connect(request.param, chosen.base_url)
    return chosen


async def test_text_arrives_in_pieces_and_whole(bench: ModelsBench, server: OpenAiServer | AnthropicServer) -> None:
    server.script(Say("Good morning, everybody."))
    events = await events_of(bench.service, request("Hello"))
    deltas = [event.text for event in events if isinstance(event, TextDelta)]
    assert len(deltas) > 1
    assert "".join(deltas) == "Good morning, everybody."
    reply = events[-1]
    assert isinstance(reply, Reply)
    assert reply.message == Message(Role.ASSISTANT, (Text("Good morning, everybody."),))
    assert reply.finish is Finish.STOP


@pytest.mark.req("MODEL-100")
async def test_every_call_is_counted_with_what_it_was_for(
    bench: ModelsBench, server: OpenAiServer | AnthropicServer
) -> None:
    server.script(Say("x", tokens=(40, 5)))
    reply = await reply_of(bench.service, request("Hello", feature="title"))
    assert (reply.input_tokens, reply.output_tokens) == (40, 5)
    (use,) = bench.usage.uses
    assert (use.feature, use.provider, use.model, use.run) == ("title", "p", "alpha", "r")
    assert (use.input_tokens, use.output_tokens) == (40, 5)
