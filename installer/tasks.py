"""The task runner: `python installer/tasks.py ok|quick|long`, run inside the project's environment.

quick: style, types and import contracts, of the guest as well. ok: the same and the tests; what must hold before a
change lands. long: what takes minutes, examples at random, threads that come late, and every benchmark.
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
BENCHES = [[sys.executable, str(path)] for path in sorted((ROOT / "tests" / "bench").glob("bench_*.py"))]
QUICK = [
    ["ruff", "check", "."],
    ["ruff", "format", "--check", "."],
    ["lint-imports", "--no-logo", "--no-cache"],
    ["mypy"],
    ["deno", "fmt", "--check", "sandbox"],
    ["deno", "lint", "sandbox"],
    ["deno", "check", "sandbox"],
]
TASKS = {
    "quick": QUICK,
    "ok": [*QUICK, ["pytest"]],
    "long": [
        ["pytest", "-m", "long", "--timeout=3600"],
        ["pytest", "-m", "hypothesis and not long", "--hypothesis-profile=random"],
        ["pytest", "--late-threads=1", "--timeout=900", "tests/viewmodels", "tests/ui/chat", "tests/services/chat"],
        *BENCHES,
    ],
}


def main() -> int:
    if len(sys.argv) != 2 or sys.argv[1] not in TASKS:
        print(f"usage: tasks.py {'|'.join(TASKS)}", file=sys.stderr)
        return 2
    for command in TASKS[sys.argv[1]]:
        print("$", " ".join(command), flush=True)
        if (status := subprocess.run(command, cwd=ROOT, check=False).returncode) != 0:
            return status
    return 0


if __name__ == "__main__":
    sys.exit(main())
