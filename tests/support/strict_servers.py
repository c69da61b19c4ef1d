"""Stand-ins for the providers' servers: they answer by script and refuse, with 400, what the providers refuse.

async with OpenAiServer() as server:
    server.script(Say("Hello"), Say(calls=(Call("fs_read", {"path": "a.txt"}),)))
    …  # connect to server.base_url
assert server.refusals == []
"""

import abc
import asyncio
import contextlib
import gc
import json
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, ClassVar, Self, TypeAlias

from support.provider_rules import Refused, check_anthropic, check_openai

Body = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call of an answer; `arguments` may be a raw text that is no JSON."""

    name: str
    arguments: Body | str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Say:
    """A streamed answer.

    `pieces`: characters per delta; `split`: bytes per write to the socket (0: one event each); `cut`: end the
    connection before the end of the answer; `events`: the raw events instead of ones made from the other fields.
    """

    text: str = ""
    calls: tuple[Call, ...] = ()
    reasoning: str = ""
    finish: str = ""
    tokens: tuple[int, int] = (11, 7)
    pieces: int = 8
    split: int = 0
    cut: bool = False
    events: tuple[Body, ...] = ()


@dataclass(frozen=True, slots=True)
class Fail:
    """An answer with an error status."""

    status: int
    message: str = "no"
    headers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Drop:
    """No answer: the connection ends."""


@dataclass(frozen=True, slots=True)
class Hold:
    """Headers and a first delta, then nothing until the client goes away."""

    text: str = ""


Answer: TypeAlias = Say | Fail | Drop | Hold
Responder: TypeAlias = Callable[[Body], Answer]


async def finalise_generators() -> None:
    """Let the loop close now what the official clients leave to it: half-read generators, some in reference cycles."""
    gc.collect()
    for _ in range(20):
        await asyncio.sleep(0)


class StrictServer(abc.ABC):
    """An HTTP server on a free port of the loopback interface. `key`: what a request has to carry; empty: anything."""

    models: ClassVar[tuple[str, ...]] = ("alpha", "beta")
    check: Callable[[Body, frozenset[str]], None]

    def __init__(self, *, key: str = "") -> None:
        self.key = key
        self.requests: list[Body] = []
        self.headers: list[dict[str, str]] = []
        self.refusals: list[str] = []
        self.gone = asyncio.Event()
        self.issued: set[str] = set()
        self._answers: list[Answer] = []
        self._responder: Responder | None = None
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._numbers = 0

    def script(self, *answers: Answer) -> None:
        """Give these answers, one per accepted request."""
        self._answers.extend(answers)

    def respond(self, responder: Responder) -> None:
        """Let a function of the request decide, once the script is used up."""
        self._responder = responder

    @property
    def origin(self) -> str:
        assert self._server is not None
        return f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    @property
    def base_url(self) -> str:
        return self.origin

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._server.wait_closed()
        if self.requests:
            await finalise_generators()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        try:
            await self._serve(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            self.gone.set()
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = {line.split(":", 1)[0].lower(): line.split(":", 1)[1].strip() for line in head[1:] if line}
        content = await reader.readexactly(int(headers.get("content-length", "0")))
        self.headers.append(headers)
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            await self._send(writer, 401, self._error(401, "invalid api key"))
        elif method == "GET":
            await self._send(writer, 200, self._models())
        elif not target.endswith(self._endpoint):
            await self._send(writer, 404, self._error(404, f"no such path: {target}"))
        else:
            await self._answer(json.loads(content), reader, writer)

    async def _answer(self, body: Body, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.requests.append(body)
        try:
            type(self).check(body, frozenset(self.issued))
        except Refused as refused:
            self.refusals.append(str(refused))
            await self._send(writer, 400, self._error(400, str(refused)))
            return
        answer = self._next(body)
        match answer:
            case Drop():
                return
            case Fail(status, message, headers):
                await self._send(writer, status, self._error(status, message), headers)
            case Say():
                await self._stream(writer, self._events(answer), answer)
            case Hold(text):
                events = self._events(Say(text))
                await self._stream(writer, events[: len(events) // 2], Say(cut=True))
                await reader.read(1)
                self.gone.set()

    def _next(self, body: Body) -> Answer:
        if self._answers:
            return self._answers.pop(0)
        assert self._responder is not None, "the script is used up"
        return self._responder(body)

    async def _stream(self, writer: asyncio.StreamWriter, events: list[str], answer: Say) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n")
        writer.write(b"transfer-encoding: chunked\r\n\r\n")
        async for chunk in _chunks(events, answer.split):
            writer.write(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
            await writer.drain()
            await asyncio.sleep(0)
        if not answer.cut:
            writer.write(b"0\r\n\r\n")
            await writer.drain()

    async def _send(
        self, writer: asyncio.StreamWriter, status: int, body: Body, headers: tuple[tuple[str, str], ...] = ()
    ) -> None:
        content = json.dumps(body).encode()
        lines = [f"HTTP/1.1 {status} Status", "content-type: application/json", f"content-length: {len(content)}"]
        lines += [f"{name}: {value}" for name, value in headers] + ["connection: close", "", ""]
        writer.write("\r\n".join(lines).encode() + content)
        await writer.drain()

    def _call_id(self, call: Call) -> str:
        self._numbers += 1
        return call.id or f"call_{self._numbers:06}"

    _endpoint: ClassVar[str]

    @abc.abstractmethod
    def _models(self) -> Body: ...

    @abc.abstractmethod
    def _error(self, status: int, message: str) -> Body: ...

    @abc.abstractmethod
    def _events(self, answer: Say) -> list[str]: ...


class OpenAiServer(StrictServer):
    """Speaks the OpenAI chat format."""

    check = staticmethod(check_openai)
    _endpoint = "/v1/chat/completions"

    @property
    def base_url(self) -> str:
        return f"{self.origin}/v1"

    def _models(self) -> Body:
        return {"object": "list", "data": [{"id": name, "object": "model"} for name in self.models]}

    def _error(self, status: int, message: str) -> Body:
        return {"error": {"message": message, "type": "invalid_request_error", "param": None, "code": None}}

    def _events(self, answer: Say) -> list[str]:
        deltas = [{"choices": [{"index": 0, "delta": delta}]} for delta in self._deltas(answer)]
        finish = answer.finish or ("tool_calls" if answer.calls else "stop")
        spent, written = answer.tokens
        last: list[Body] = [
            {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
            {"choices": [], "usage": {"prompt_tokens": spent, "completion_tokens": written}},
        ]
        chunks = list(answer.events) or ([*deltas] if answer.cut else [*deltas, *last])
        common = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "alpha"}
        lines = [f"data: {json.dumps({**common, **chunk}, ensure_ascii=False)}\n\n" for chunk in chunks]
        return lines if answer.cut else [*lines, "data: [DONE]\n\n"]

    def _deltas(self, answer: Say) -> list[Body]:
        deltas: list[Body] = [{"role": "assistant", "content": ""}]
        deltas += [{"reasoning_content": piece} for piece in _pieces(answer.reasoning, answer.pieces)]
        deltas += [{"content": piece} for piece in _pieces(answer.text, answer.pieces)]
        for index, call in enumerate(answer.calls):
            start = {"id": self._call_id(call), "type": "function", "function": {"name": call.name, "arguments": ""}}
            deltas.append({"tool_calls": [{"index": index, **start}]})
            deltas += [
                {"tool_calls": [{"index": index, "function": {"arguments": piece}}]}
                for piece in _pieces(_arguments(call), answer.pieces)
            ]
        return deltas


class AnthropicServer(StrictServer):
    """Speaks the Anthropic messages format; it signs its reasoning and knows its signatures again."""

    check = staticmethod(check_anthropic)
    _endpoint = "/v1/messages"

    def _models(self) -> Body:
        return {"data": [{"type": "model", "id": name} for name in self.models], "has_more": False}

    def _error(self, status: int, message: str) -> Body:
        kinds = {401: "authentication_error", 404: "not_found_error", 429: "rate_limit_error", 529: "overloaded_error"}
        kind = kinds.get(status, "api_error" if status >= 500 else "invalid_request_error")
        return {"type": "error", "error": {"type": kind, "message": message}}

    def _events(self, answer: Say) -> list[str]:
        events = list(answer.events) or self._usual(answer)
        return [f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in events]

    def _usual(self, answer: Say) -> list[Body]:
        spent, written = answer.tokens
        usage = {"input_tokens": spent, "output_tokens": 1}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "content": [], "model": "a", "usage": usage}
        events: list[Body] = [{"type": "message_start", "message": message}, {"type": "ping"}]
        blocks = [*self._thinking(answer), *self._text(answer), *self._tool_uses(answer)]
        for index, (start, deltas) in enumerate(blocks):
            events.append({"type": "content_block_start", "index": index, "content_block": start})
            events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in deltas]
            events.append({"type": "content_block_stop", "index": index})
        if answer.cut:
            return events
        reason = answer.finish or ("tool_use" if answer.calls else "end_turn")
        delta = {"stop_reason": reason, "stop_sequence": None}
        events.append({"type": "message_delta", "delta": delta, "usage": {"output_tokens": written}})
        return [*events, {"type": "message_stop"}]

    def _thinking(self, answer: Say) -> list[tuple[Body, list[Body]]]:
        if not answer.reasoning:
            return []
        signature = f"signed-{len(self.issued)}"
        self.issued.add(signature)
        deltas: list[Body] = [
            {"type": "thinking_delta", "thinking": piece} for piece in _pieces(answer.reasoning, answer.pieces)
        ]
        deltas.append({"type": "signature_delta", "signature": signature})
        return [({"type": "thinking", "thinking": "", "signature": ""}, deltas)]

    def _text(self, answer: Say) -> list[tuple[Body, list[Body]]]:
        deltas: list[Body] = [{"type": "text_delta", "text": piece} for piece in _pieces(answer.text, answer.pieces)]
        return [({"type": "text", "text": ""}, deltas)] if deltas else []

    def _tool_uses(self, answer: Say) -> list[tuple[Body, list[Body]]]:
        return [
            (
                {"type": "tool_use", "id": self._call_id(call), "name": call.name, "input": {}},
                [
                    {"type": "input_json_delta", "partial_json": piece}
                    for piece in _pieces(_arguments(call), answer.pieces)
                ],
            )
            for call in answer.calls
        ]


def _arguments(call: Call) -> str:
    return call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)


def _pieces(text: str, size: int) -> list[str]:
    return re.findall(f"(?s).{{1,{size}}}", text)


async def _chunks(events: list[str], split: int) -> AsyncIterator[bytes]:
    for event in events:
        content = event.encode()
        step = split or len(content)
        for start in range(0, len(content), step):
            yield content[start : start + step]
