"""The command line and everything below the windows run without Qt."""

import subprocess
import sys

BLOCKED = """
import importlib, pkgutil, sys
sys.modules["PySide6"] = sys.modules["shiboken6"] = sys.modules["qasync"] = None
import notochord
WINDOWS = ("notochord.__main__", "notochord.ui", "notochord.qt_adapters", "notochord.app.desktop")
for module in pkgutil.walk_packages(notochord.__path__, "notochord.", onerror=lambda name: None):
    if not module.name.startswith(WINDOWS):
        importlib.import_module(module.name)
"""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, check=False)


def test_modules_import_without_qt() -> None:
    outcome = run("-c", BLOCKED)
    assert outcome.returncode == 0, outcome.stderr


def test_command_line_loads_no_qt() -> None:
    outcome = run("-X", "importtime", "-m", "notochord", "--version")
    assert outcome.returncode == 0, outcome.stderr
    assert "PySide6" not in outcome.stderr
