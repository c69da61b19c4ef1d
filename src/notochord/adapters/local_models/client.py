"""The client for model files: one process per model, the catalogue, and pieces in the gateway's form."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from importlib.util import find_spec
from pathlib import Path

from notochord.adapters.children import frames
from notochord.adapters.local_models.copying import in_thread
from notochord.adapters.local_models.folder import ModelFolder
from notochord.adapters.local_models.worker import Worker
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.models.ports import (
    CallPiece,
    Endpoint,
    Finish,
    Loading,
    LocalModel,
    Message,
    Piece,
    Progress,
    Role,
    Spent,
    Stopped,
    Text,
    TextPiece,
    ToolCall,
    ToolResult,
    WireCall,
)

ENGINE = "llama_cpp"
HOW_TO_INSTALL = "install a C++ compiler, then run: uv sync --extra local"


class LocalModels:
    """A `LocalModelClient`. `command` starts a child; `folder` holds the model files."""

    def __init__(self, *, folder: Path, command: tuple[str, ...]) -> None:
        self._folder = ModelFolder(folder)
        self._command = command
        self._workers: dict[str, Worker] = {}
        self._closed = False

    async def stream(self, call: WireCall) -> AsyncGenerator[Piece]:
        worker = await self._worker(call.model)
        async with aclosing(worker.write(_order(call))) as answers:
            async for frame in answers:
                for piece in _pieces(frame):
                    yield piece

    async def models(self, endpoint: Endpoint) -> tuple[str, ...]:
        return tuple(model.name for model in await self.catalogue() if model.here)

    async def catalogue(self) -> tuple[LocalModel, ...]:
        return await asyncio.to_thread(self._folder.all)

    async def obtain(self, name: str, progress: Progress | None = None) -> LocalModel:
        return await in_thread(lambda told: self._folder.obtain(name, told), progress)

    async def take_in(self, file: Path, progress: Progress | None = None) -> LocalModel:
        return await in_thread(lambda told: self._folder.take_in(file, told), progress)

    async def discard(self, name: str) -> None:
        worker = self._workers.pop(name, None)
        if worker is not None:
            await worker.close()
        await asyncio.to_thread(self._folder.discard, name)

    async def close(self) -> None:
        self._closed = True
        await asyncio.gather(*(worker.close() for worker in self._workers.values()))
        self._workers.clear()

    def processes(self) -> dict[str, int]:
        """Return the numbers of the running children by model."""
        return {name: worker.process_id for name, worker in self._workers.items() if worker.process_id is not None}

    async def _worker(self, name: str) -> Worker:
        """Return the model's worker. Others that are idle make room for it: models are large."""
        if find_spec(ENGINE) is None:
            raise NotochordError(Code.MODEL_LOCAL_MISSING, Fault.USER, HOW_TO_INSTALL, model=name)
        file = await asyncio.to_thread(self._folder.file, name)
        if self._closed:
            raise NotochordError(Code.CANCELLED, Fault.SYSTEM, "the program ends")
        worker = self._workers.get(name)
        if worker is None:
            worker = self._workers[name] = Worker(file, self._command)
            idle = [other for other, found in self._workers.items() if other != name and not found.busy]
            await asyncio.gather(*(self._workers.pop(other).close() for other in idle))
        return worker


def _order(call: WireCall) -> frames.Frame:
    return {
        "do": "write",
        "system": call.system,
        "messages": [_message(message) for message in call.messages],
        "tools": [{"name": tool.name, "description": tool.description, "schema": tool.schema} for tool in call.tools],
        "limit": call.max_output_tokens,
        "temperature": call.temperature,
        "seed": None if call.seed is None else call.seed % 2**31,
    }


def _message(message: Message) -> frames.Frame:
    return {
        "role": "assistant" if message.role is Role.ASSISTANT else "user",
        "text": "\n\n".join(part.text for part in message.parts if isinstance(part, Text)),
        "calls": [
            {"id": part.id, "name": part.name, "arguments": part.arguments}
            for part in message.parts
            if isinstance(part, ToolCall)
        ],
        "results": [
            {"call": part.call, "text": part.text, "failed": part.failed}
            for part in message.parts
            if isinstance(part, ToolResult)
        ],
    }


def _pieces(frame: frames.Frame) -> list[Piece]:
    match frame["is"]:
        case "loading":
            return [Loading(min(1.0, max(0.0, float(frame["share"]))))]
        case "text":
            return [TextPiece(str(frame["text"]))]
        case "done":
            call = frame["call"]
            called = [CallPiece(0, "", str(call["name"]), str(call["arguments"]))] if call else []
            spent = Spent(int(frame["input"]), int(frame["output"]))
            return [*called, spent, Stopped(Finish(frame["finish"]), int(frame["moves"]))]
        case _:
            return []
