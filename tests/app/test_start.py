"""What a start of the program loads, and what it does not."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("PySide6", "qasync", "openai", "anthropic", "llama_cpp", "numpy", "keyring")
ENVIRONMENT = {"PYTHONPATH": "src", "LANG": "C.UTF-8"}


def loaded(home: Path, *words: str) -> set[str]:
    """Return the modules that a command imported."""
    ended = subprocess.run(
        (sys.executable, "-X", "importtime", "-m", "notochord", "--home", str(home), *words)
        if words != ("--version",)
        else (sys.executable, "-X", "importtime", "-m", "notochord", *words),
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        check=True,
    )
    return set(re.findall(r"^import time:[^|]*\|[^|]*\|\s*(\S+)", ended.stderr, re.MULTILINE))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("home")
    loaded(made, "org", "create", "acme", "--key", "file")
    return made


def test_the_version_is_told_without_loading_anything(home: Path) -> None:
    names = loaded(home, "--version")
    assert {"notochord"} == {name for name in names if name.startswith("notochord")}
    assert names.isdisjoint({"argparse", "asyncio", "json", "dataclasses", "pathlib", "typing", "re"})


@pytest.mark.parametrize("words", [("org", "list"), ("doctor",), ("provider", "list")], ids=" ".join)
def test_no_command_loads_what_it_does_not_use(home: Path, words: tuple[str, ...]) -> None:
    allowed = {"keyring"} if words == ("doctor",) else set()
    names = {name.split(".")[0] for name in loaded(home, *words)}
    assert names & (set(HEAVY) - allowed) == set()


@pytest.mark.parametrize("words", [("--child",), ("--child", "none"), ("--child", "local-model", "more")])
def test_a_child_that_does_not_exist_is_bad_usage(words: tuple[str, ...]) -> None:
    ended = subprocess.run(
        (sys.executable, "-m", "notochord", *words), capture_output=True, env=ENVIRONMENT, check=False
    )
    assert ended.returncode == 2


CORES = """
import resource, sys
from notochord.app.command_line import run
resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
run(["--help"], lambda: None)
print(resource.getrlimit(resource.RLIMIT_CORE)[0], file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limits of this kind")
def test_a_crash_leaves_no_copy_of_the_memory_on_the_disk() -> None:
    command = [sys.executable, "-c", CORES]
    ended = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=True)
    assert ended.stderr.strip() == "0"
