"""The guest's own suite runs with Deno, and its sources are formatted, linted and typed."""

import os
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from deno import find_deno_bin

ROOT = Path(__file__).parents[2]


def deno(cache: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {"DENO_DIR": str(cache), "NO_COLOR": "1", "PATH": os.environ["PATH"], "HOME": str(cache)}
    return subprocess.run(
        [find_deno_bin(), *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_the_suite_beside_the_sources_passes(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    done = deno(
        tmp_path / "cache", "test", "--quiet", "--no-check", "--no-remote", "--config", "sandbox/deno.json",
        "--allow-read=sandbox,tests/contracts", f"--junit-path={report}", "sandbox",
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    suites = ElementTree.parse(report).getroot()
    assert int(suites.attrib["tests"]) >= 30
    assert int(suites.attrib["failures"]) == 0


@pytest.mark.parametrize("command", [("fmt", "--check"), ("lint",), ("check",)], ids=lambda command: command[0])
def test_the_sources_are_clean(tmp_path: Path, command: tuple[str, ...]) -> None:
    done = deno(tmp_path / "cache", *command, "--config", "sandbox/deno.json", "sandbox")
    assert done.returncode == 0, done.stdout + done.stderr
