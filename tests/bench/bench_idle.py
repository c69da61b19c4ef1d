"""What an idle `notochord headless` costs: CPU seconds while nothing happens, and memory against its libraries alone.

    python tests/bench/bench_idle.py [SECONDS]

The floor of the memory is the same interpreter that imports the outside libraries which the idle process has loaded
and then sleeps; both are read from /proc in the same run. No model is loaded.
"""

import contextlib
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

import psutil

SECONDS = 60.0
MOST_CPU = 0.2
"""Seconds of CPU in SECONDS."""
MOST_MEMORY = 2.0
PROGRAM = (sys.executable, "-m", "notochord")
LOADED = (
    "import json, sys; from notochord.app import organization;"
    "print(json.dumps([name for name in sys.modules if not name.startswith(('notochord', '__'))]))"
)
FLOOR = """
import importlib, json, sys
for name in json.loads(sys.stdin.readline()):
    try:
        importlib.import_module(name)
    except Exception:
        pass  # private halves of packages that only import themselves in their order
print("ready", flush=True)
sys.stdin.readline()
"""


@contextlib.contextmanager
def running(words: tuple[str, ...], given: str = "") -> Iterator[psutil.Process]:
    """Start a process and wait for its first line; it is ended at the end of the block."""
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write(given)
        process.stdin.flush()
        assert process.stdout.readline()
        try:
            yield psutil.Process(process.pid)
        finally:
            process.terminate()


def cpu(process: psutil.Process) -> float:
    """Return the CPU seconds of a process and its children so far."""
    return sum(sum(one.cpu_times()[:2]) for one in (process, *process.children(recursive=True)))


def memory(process: psutil.Process) -> int:
    return sum(int(one.memory_info().rss) for one in (process, *process.children(recursive=True)))


def main() -> int:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    loaded = subprocess.run((sys.executable, "-c", LOADED), check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as home:
        create = ("--home", home, "org", "create", "idle", "--key", "file")
        subprocess.run((*PROGRAM, *create), check=True, stdout=subprocess.DEVNULL)
        with (
            running((*PROGRAM, "--home", home, "headless", "--json")) as idle,
            running((sys.executable, "-c", FLOOR), loaded) as floor,
        ):
            before = cpu(idle)
            time.sleep(seconds)
            spent = (cpu(idle) - before) * SECONDS / seconds
            held, least = memory(idle), memory(floor)
    ratio = held / least
    print(f"{len(json.loads(loaded))} modules loaded; children included")
    print(f"CPU while idle: {spent:.3f} s in {SECONDS:.0f} s, {spent / MOST_CPU:.2f} of what is allowed")
    print(f"memory: {held / 2**20:.1f} MB, {ratio:.2f} times a Python with the same libraries ({least / 2**20:.1f} MB)")
    return 0 if spent < MOST_CPU and ratio <= MOST_MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
