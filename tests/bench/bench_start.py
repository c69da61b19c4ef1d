"""How long the command line takes to start, as ratios to `python -c pass` in the same run.

    python tests/bench/bench_start.py [ROUNDS]

The floor is `python -c pass` of the same interpreter and environment. The rounds are interleaved, so that a busy
machine slows both alike, and the medians are compared.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time

ROUNDS = 20
MOST = 3.0
FLOOR = ("-c", "pass")
MEASURED = {
    "--version": ("-m", "notochord", "--version"),
    "--help": ("-m", "notochord", "--help"),
    "org list": ("-m", "notochord", "org", "list"),
}


def seconds(words: tuple[str, ...], home: str) -> float:
    started = time.perf_counter()
    environment = {**os.environ, "NOTOCHORD_HOME": home}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program does not compile itself at each start
    subprocess.run((sys.executable, *words), check=True, stdout=subprocess.DEVNULL, env=environment)
    return time.perf_counter() - started


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as home:
        for words in (FLOOR, *MEASURED.values()):
            seconds(words, home)
        taken: dict[str, list[float]] = {name: [] for name in ("floor", *MEASURED)}
        for _ in range(rounds):
            taken["floor"].append(seconds(FLOOR, home))
            for name, words in MEASURED.items():
                taken[name].append(seconds(words, home))
    floor = statistics.median(taken["floor"])
    print(f"python -c pass: {floor * 1000:.1f} ms, median of {rounds}")
    ratios = {name: statistics.median(taken[name]) / floor for name in MEASURED}
    for name, ratio in ratios.items():
        print(f"notochord {name}: {ratio:.2f} times that")
    return 0 if ratios["--version"] <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
