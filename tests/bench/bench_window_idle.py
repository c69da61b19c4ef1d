"""What the window costs while nobody touches it: CPU seconds, memory against a bare window, and what is not loaded.

    PYTHONPATH=src:tests python tests/bench/bench_window_idle.py [SECONDS]

The floor of the memory is a bare PySide6 window in a process that has imported the same modules.
"""

import asyncio
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil

from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.viewmodels.start.setup import Step
from support.organizations import organizations_in
from support.whole import opened

SECONDS = 60.0
SETTLING = 5.0
"""Seconds between the window's first standing there and the measurement: pages and lists are read meanwhile."""
MOST_CPU = 0.3
"""Seconds of CPU in SECONDS."""
MOST_MEMORY = 1.8
ONLY_WHEN_USED = ("QtWebEngine", "llama")
CHILD = Path(__file__).with_name("window_idle_child.py")


@contextlib.contextmanager
def standing(*words: str, given: str = "") -> Iterator["subprocess.Popen[str]"]:
    """Start a window and wait until it stands there."""
    command = (sys.executable, str(CHILD), *words)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(given)
        process.stdin.flush()
        assert process.stdout.readline() == "stands\n"
        time.sleep(SETTLING)
        try:
            yield process
        finally:
            process.terminate()


def cpu(process: psutil.Process) -> float:
    """Return the CPU seconds of a process and its children so far."""
    return sum(sum(one.cpu_times()[:2]) for one in (process, *process.children(recursive=True)))


def memory(process: psutil.Process) -> int:
    return sum(int(one.memory_info().rss) for one in (process, *process.children(recursive=True)))


async def make(home: Path) -> None:
    """Make an organization that is set up, with a model that is on this computer and does not run."""
    async with opened(home) as services:
        await services.models.add_provider(ProviderDraft("Ollama", ProviderKind.OLLAMA, models=("qwen3",)), None)
        await services.models.set_role("chat", ModelRef("Ollama", "qwen3"))
        identifier = services.unlocked.organization.id
    await organizations_in(home).finish_setup_step(identifier, Step.DONE)


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(make(Path(folder)))
        with standing("notochord", folder) as window:
            watched = psutil.Process(window.pid)
            before = cpu(watched)
            time.sleep(seconds)
            spent = (cpu(watched) - before) * SECONDS / seconds
            held = memory(watched)
            mapped = {one.path for one in watched.memory_maps()}
            window.terminate()
            assert window.stdout
            modules = window.stdout.read()
    with standing("bare", given=modules) as bare:
        least = memory(psutil.Process(bare.pid))
    ratio = held / least
    names = [name for name in (*json.loads(modules), *mapped) if any(one in name for one in ONLY_WHEN_USED)]
    share = spent / MOST_CPU
    print(f"CPU: {spent:.3f} s in {SECONDS:.0f} s of idleness, {share:.2f} of what is allowed ({before:.1f} s before)")
    print(f"memory: {held / 2**20:.1f} MB, {ratio:.2f} x a bare window with the same modules ({least / 2**20:.1f} MB)")
    print(f"loaded though it is not used: {', '.join(names) or 'nothing'}")
    return 0 if spent < MOST_CPU and ratio <= MOST_MEMORY and not names else 1


if __name__ == "__main__":
    sys.exit(main())
