"""Clients for libraries: the real SDKs talk to a real server and never hold the key."""

import asyncio
import json
import subprocess
import sys
from collections.abc import AsyncIterator

import anthropic
import httpx2
import openai
import pytest

from notochord.adapters.http.clients import EgressClients
from notochord.adapters.http.sender import HttpSender
from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.egress.api import Leave
from support.egress import Bench, HandResolver, OneSecretVault, bench, rules
from support.http_servers import HttpServer, Received, Reply, always, events

MODELS = Caller(Actor.SYSTEM, "models")
PLACEHOLDER = "placeholder"


def chunk(text: str) -> str:
    delta = {"index": 0, "delta": {"content": text}, "finish_reason": None}
    return json.dumps({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [delta]})


def leave(server: HttpServer, *, connection: str = "conn") -> Leave:
    return Leave(MODELS, typed_origin=server.url, connection=connection, own=True)


async def typed(server: HttpServer, **vault: str) -> Bench:
    kept = OneSecretVault(plain_http=server.url, **vault)  # type: ignore[arg-type]
    return await bench(HttpSender(resolver=HandResolver()), vault=kept)


@pytest.mark.req("CRED-010", "CRED-011", "SET-032")
async def test_openai_streams_through_the_gateway_with_the_real_key_in_place_of_the_placeholder() -> None:
    async def handler(request: Received) -> Reply:
        lines = [chunk("hel"), chunk("lo"), "[DONE]"]
        return Reply(headers=(("Content-Type", "text/event-stream"),), chunks=events(lines))

    async with HttpServer(handler) as server:
        parts = await typed(server, secret="the-real-key")
        async with EgressClients(parts.egress).client(leave(server)) as client:
            sdk = openai.AsyncOpenAI(
                api_key=PLACEHOLDER, base_url=server.url + "/v1", http_client=client, max_retries=0
            )
            stream = await sdk.chat.completions.create(
                model="m", messages=[{"role": "user", "content": "hi"}], stream=True
            )
            texts = [part.choices[0].delta.content async for part in stream]
        await parts.egress.close()
    assert texts == ["hel", "lo"]
    assert server.received[0].target == "/v1/chat/completions"
    assert server.received[0].header("Authorization") == "Bearer the-real-key"
    assert PLACEHOLDER not in str(server.received)


@pytest.mark.req("CRED-010", "CRED-011")
async def test_anthropic_gets_its_answer_with_the_real_key_in_its_own_header() -> None:
    message = {
        "id": "1",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": "hello"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }
    reply = Reply(headers=(("Content-Type", "application/json"),), body=json.dumps(message).encode())
    async with HttpServer(always(reply)) as server:
        parts = await typed(server, secret="the-real-key", header="x-api-key", prefix="")
        async with EgressClients(parts.egress).client(leave(server)) as client:
            sdk = anthropic.AsyncAnthropic(api_key=PLACEHOLDER, base_url=server.url, http_client=client, max_retries=0)
            answer = await sdk.messages.create(model="m", max_tokens=10, messages=[{"role": "user", "content": "hi"}])
        await parts.egress.close()
    assert answer.content[0].type == "text"
    assert server.received[0].header("x-api-key") == "the-real-key"
    assert PLACEHOLDER not in str(server.received)


async def test_an_event_arrives_before_the_next_one_is_sent() -> None:
    second = asyncio.Event()

    async def slow() -> AsyncIterator[bytes]:
        yield b"data: one\n\n"
        await second.wait()
        yield b"data: two\n\n"

    async def handler(request: Received) -> Reply:
        return Reply(chunks=slow())

    async with HttpServer(handler) as server:
        parts = await typed(server, secret="data: one-and-more")
        client = EgressClients(parts.egress).client(leave(server))
        async with client, client.stream("GET", server.url) as response:
            pieces = response.aiter_bytes()
            assert await anext(pieces) == b"data: one\n\n"
            second.set()
            assert await anext(pieces) == b"data: two\n\n"
        await parts.egress.close()


@pytest.mark.req("CRED-015", "SET-033")
async def test_a_client_sends_neither_key_nor_placeholder_to_another_address() -> None:
    async with HttpServer(always(Reply())) as other, HttpServer(always(Reply())) as server:
        parts = await typed(server, secret="the-real-key")
        async with EgressClients(parts.egress).client(leave(server)) as client:
            with pytest.raises(NotochordError) as caught:
                await client.get(other.url)
            assert caught.value.code is Code.NETWORK_LOCAL_CLOSED
            await parts.egress.change_rules(rules(local=[f"localhost:{other.port}"]))
            await client.get(other.url, headers={"Authorization": PLACEHOLDER, "api-key": PLACEHOLDER})
        await parts.egress.close()
    assert len(other.received) == 1
    assert "the-real-key" not in str(other.received)
    assert PLACEHOLDER not in str(other.received)


async def test_a_client_keeps_no_cookies() -> None:
    async with HttpServer(always(Reply(headers=(("Set-Cookie", "id=1"),)))) as server:
        parts = await typed(server)
        async with EgressClients(parts.egress).client(leave(server)) as client:
            first = await client.get(server.url)
            await client.get(server.url)
        await parts.egress.close()
    assert "set-cookie" not in first.headers
    assert [request.header("Cookie") for request in server.received] == [None, None]


async def test_a_refusal_passes_openai_as_it_is_and_is_the_cause_of_the_error_of_anthropic() -> None:
    async with HttpServer(always(Reply())) as server:
        parts = await bench(HttpSender(resolver=HandResolver()))
        async with EgressClients(parts.egress).client(Leave(MODELS)) as client:
            gpt = openai.AsyncOpenAI(api_key=PLACEHOLDER, base_url=server.url, http_client=client, max_retries=0)
            with pytest.raises(NotochordError) as plain:
                await gpt.models.list()
            claude = anthropic.AsyncAnthropic(
                api_key=PLACEHOLDER, base_url=server.url, http_client=client, max_retries=0
            )
            with pytest.raises(anthropic.APIConnectionError) as wrapped:
                await claude.models.list()
        await parts.egress.close()
    assert plain.value.code is Code.NETWORK_LOCAL_CLOSED
    assert isinstance(wrapped.value.__cause__, NotochordError)
    assert server.received == []


async def test_the_read_timeout_of_the_client_bounds_the_silence() -> None:
    never = asyncio.Event()

    async def handler(request: Received) -> Reply:
        await never.wait()
        return Reply()

    async with HttpServer(handler) as server:
        parts = await typed(server)
        async with EgressClients(parts.egress).client(leave(server)) as client:
            with pytest.raises(NotochordError) as caught:
                await client.get(server.url, timeout=httpx2.Timeout(5.0, read=0.1))
            assert caught.value.code is Code.TIMEOUT
        await parts.egress.close()


def test_the_http_library_is_not_loaded_before_something_is_sent() -> None:
    code = (
        "import sys, notochord.adapters.http.clients, notochord.adapters.http.resolver, notochord.adapters.http.sender;"
        "sys.exit(bool({'httpx2', 'httpcore2', 'anyio'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.req("SET-033")
async def test_a_client_for_a_typed_address_does_not_follow_to_another_one() -> None:
    async with HttpServer(always(Reply())) as elsewhere:
        moved = Reply(status=307, headers=(("Location", elsewhere.url + "/v1"),))
        async with HttpServer(always(moved)) as server:
            parts = await typed(server)
            await parts.egress.change_rules(rules(local=(elsewhere.url.removeprefix("http://"),)))
            async with EgressClients(parts.egress).client(leave(server)) as client:
                response = await client.post(server.url, content=b"{}")
            await parts.egress.close()
    assert (response.status_code, elsewhere.received) == (307, [])
