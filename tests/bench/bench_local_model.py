"""Tokens per second of a local model: through the gateway, over llama-cpp-python called directly in the same run.

Run: python tests/bench/bench_local_model.py [rounds]. The floor is 0.95.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from notochord.adapters.local_models.client import LocalModels
from notochord.services.models.api import ProviderDraft, ProviderKind, TextDelta
from support.local_models import COMMAND, MODEL, builtin_file, folder_with_model
from support.models import ModelsBench, models_bench, request

FLOOR = 0.95
TOKENS = 200
SYSTEM = "You are a helpful assistant."
TEXT = "Write a long story about a lighthouse keeper and the sea."


def direct_rounds(rounds: int) -> list[float]:
    """Return tokens per second of plain llama-cpp-python, first token to last."""
    import os

    from llama_cpp import Llama

    threads = max(1, (os.cpu_count() or 2) - 1)
    llama = Llama(str(builtin_file()), n_ctx=8192, n_threads=threads, n_threads_batch=threads, verbose=False)
    messages: Any = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": TEXT}]
    found = []
    for _ in range(rounds):
        count, start = 0, 0.0
        chunks: Any = llama.create_chat_completion(messages, temperature=0.0, max_tokens=TOKENS, stream=True)
        for chunk in chunks:
            if chunk["choices"][0]["delta"].get("content"):
                count += 1
                start = start or time.perf_counter()
        found.append((count - 1) / (time.perf_counter() - start))
    llama.close()
    return found


async def gateway_round(bench: ModelsBench) -> float:
    """Return tokens per second of one call through the gateway, first token to last."""
    choice = await bench.service.choose()
    wanted = request(TEXT, system=SYSTEM, model=choice.model, temperature=0.0, max_output_tokens=TOKENS)
    start, tokens = 0.0, 0
    async for event in bench.service.stream(wanted):
        if isinstance(event, TextDelta):
            start = start or time.perf_counter()
        tokens = getattr(event, "output_tokens", tokens)
    return (tokens - 1) / (time.perf_counter() - start)


async def main(rounds: int) -> int:
    folder = Path(tempfile.mkdtemp())
    local = LocalModels(folder=folder_with_model(folder / "models"), command=COMMAND)
    through, direct = [], []
    async with models_bench(folder, local=local) as bench:
        await bench.service.add_provider(ProviderDraft("here", ProviderKind.LOCAL, models=(MODEL,)), None)
        await gateway_round(bench)
        for _ in range(rounds):
            direct += direct_rounds(1)
            through.append(await gateway_round(bench))
    await local.close()
    ratio = statistics.median(through) / statistics.median(direct)
    print(f"direct  {statistics.median(direct):6.1f} tokens/s  {[round(value, 1) for value in direct]}")
    print(f"gateway {statistics.median(through):6.1f} tokens/s  {[round(value, 1) for value in through]}")
    print(f"ratio   {ratio:.2f} (floor {FLOOR})")
    return 0 if ratio >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)))
