"""Starting the command line as a process of its own."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = 120


class Program:
    """The command line over fakes, in one home."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.environment = {
            "PATH": os.environ["PATH"],
            "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}",
            "NOTOCHORD_HOME": str(home),
            "LANG": "C.UTF-8",
        }
        home.mkdir(exist_ok=True)

    def run(self, *words: str, given: str = "", **environment: str) -> "subprocess.CompletedProcess[str]":
        """Run a command to its end."""
        return subprocess.run(
            self.line(words),
            input=given,
            capture_output=True,
            text=True,
            env={**self.environment, **environment},
            timeout=SECONDS,
            check=False,
        )

    @contextmanager
    def started(self, *words: str) -> "Iterator[subprocess.Popen[str]]":
        """Start a command; it is killed at the end of the block if it still runs."""
        with subprocess.Popen(
            self.line(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=self.environment,
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    @contextmanager
    def holding(self) -> "Iterator[subprocess.Popen[str]]":
        """Let a headless process hold the organization acme, ready when the block begins."""
        with self.started("headless", "--json") as process:
            assert process.stdout
            assert '"ready"' in process.stdout.readline()
            yield process
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=SECONDS)

    def line(self, words: tuple[str, ...]) -> list[str]:
        return [sys.executable, str(ROOT / "tests" / "support" / "front_program.py"), *words]


def first_line(process: "subprocess.Popen[str]") -> str:
    """Wait for the first line that a process puts on standard output."""
    assert process.stdout
    return process.stdout.readline()
