"""Tokens per second of a local model: as a conversation shows them, over llama-cpp-python called directly.

    PYTHONPATH=src:tests python tests/bench/bench_local_model.py [ROUNDS]

Conversation: the chat service, the agent's loop, the gateway and the model's own process, on a real database. Directly:
llama-cpp-python in this process, reading the very turns that the conversation sent. Both take turns in short rounds,
and tokens are counted by the model's own vocabulary in the text that followed the first piece. At least 0.95 is wanted.
"""

import asyncio
import os
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import suppress
from pathlib import Path
from typing import Any

from llama_cpp import Llama

from notochord.adapters.local_models.client import LocalModels, _order
from notochord.adapters.local_models.prompt import turns
from notochord.core.clock import SystemClock
from notochord.core.errors import NotochordError
from notochord.services.chat.api import ChatEvent, NewChat, Outgoing
from notochord.services.models.api import ProviderDraft, ProviderKind, TextDelta
from notochord.services.models.ports import Piece, WireCall
from support.conversations import COMPONENTS, Office, furnish
from support.databases import database_in
from support.local_models import COMMAND, MODEL, builtin_file, folder_with_model
from support.models import models_bench
from support.scripted_models import ScriptedModels

LEAST = 0.95
TOKENS = 120
FEWEST = 40
ATTEMPTS = 6
SECONDS = 180
TEMPERATURE = 0.3
TEXT = "Write a long story about a lighthouse keeper and the sea."

NOT_OFFERED = frozenset({"agent.delegate", "note.wait", "note.write"})
"""What would keep the conversation waiting for something else than its model."""

Heard = list[tuple[float, str]]


class Overheard(LocalModels):
    """Remembers the last call that reached the model."""

    last: WireCall | None = None

    async def stream(self, call: WireCall) -> AsyncGenerator[Piece]:
        self.last = call
        async for piece in super().stream(call):
            yield piece


class Direct:
    """llama-cpp-python without anything around it, with the threads that the program gives it."""

    def __init__(self) -> None:
        threads = max(1, (os.cpu_count() or 2) - 1)
        self._llama = Llama(str(builtin_file()), n_ctx=8192, n_threads=threads, n_threads_batch=threads, verbose=False)

    def write(self, call: WireCall) -> Heard:
        """Let the model answer what the conversation sent, and return its pieces with their times."""
        order = _order(call)
        messages: Any = turns(order["system"], order["messages"], order["tools"])
        chunks: Any = self._llama.create_chat_completion(
            messages, temperature=TEMPERATURE, max_tokens=TOKENS, stream=True
        )
        found = ((time.perf_counter(), chunk["choices"][0]["delta"].get("content")) for chunk in chunks)
        return [(at, text) for at, text in found if text]

    def rate(self, heard: Heard) -> float:
        """Return the tokens per second after the first piece."""
        seconds = heard[-1][0] - heard[0][0]
        return self.count(heard[1:]) / seconds

    def count(self, heard: Heard) -> int:
        return len(self._llama.tokenize("".join(text for _, text in heard).encode(), add_bos=False))

    def close(self) -> None:
        self._llama.close()


async def told(office: Office, direct: Direct) -> Heard:
    """Ask in a new conversation, stop the answer when it is long enough, and return what was heard of it."""
    heard: Heard = []
    enough = asyncio.Event()

    def hear(happened: ChatEvent) -> None:
        if isinstance(happened.event, TextDelta):
            heard.append((time.perf_counter(), happened.event.text))
            if len(heard) % 10 == 0 and direct.count(heard) >= TOKENS:
                enough.set()

    chat = (await office.chats.create(NewChat())).id
    await office.chats.rename(chat, "Story")  # a title of the model's own would be written beside the answer
    await office.chats.switch(chat, NOT_OFFERED, on=False)
    unsubscribe = office.events.subscribe(ChatEvent, hear)
    answer = asyncio.ensure_future(office.chats.send(chat, Outgoing(TEXT)))
    stop = asyncio.ensure_future(enough.wait())
    try:
        await asyncio.wait((answer, stop), timeout=SECONDS, return_when=asyncio.FIRST_COMPLETED)
        if not answer.done():
            await office.chats.stop(chat)
        with suppress(NotochordError):
            await answer
    finally:
        stop.cancel()
        unsubscribe()
    return heard


async def compare(office: Office, local: Overheard, direct: Direct, rounds: int) -> list[tuple[float, float]]:
    """Return the rates of both in each round; an answer too short to measure is asked for again."""
    found = []
    for _ in range(rounds):
        heard: Heard = []
        for _ in range(ATTEMPTS):
            heard = await told(office, direct)
            if direct.count(heard) >= FEWEST:
                break
        assert local.last is not None
        plain = await asyncio.to_thread(direct.write, local.last)
        if min(direct.count(heard), direct.count(plain)) >= FEWEST:
            found.append((direct.rate(heard), direct.rate(plain)))
    return found


async def main(folder: Path, rounds: int) -> int:
    local, direct = Overheard(folder=folder_with_model(folder / "models"), command=COMMAND), Direct()
    (folder / "office").mkdir()
    async with models_bench(folder, local=local) as bench, database_in(folder / "office", *COMPONENTS) as database:
        await bench.service.add_provider(ProviderDraft("here", ProviderKind.LOCAL, models=(MODEL,)), None)
        office = await furnish(database, folder / "office", ScriptedModels(), SystemClock(), gateway=bench.service)
        await told(office, direct)
        found = await compare(office, local, direct, rounds)
        await office.chats.close()
        await office.settings.close()
    await local.close()
    direct.close()
    ratio = statistics.median(chat / plain for chat, plain in found)
    print(f"conversation {statistics.median(chat for chat, _ in found):6.1f} tokens/s, {len(found)} rounds")
    print(f"directly     {statistics.median(plain for _, plain in found):6.1f} tokens/s")
    print(f"ratio        {ratio:6.2f} (at least {LEAST})")
    return 0 if ratio >= LEAST else 1


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as made:
        sys.exit(asyncio.run(main(Path(made), int(sys.argv[1]) if len(sys.argv) > 1 else 9)))
