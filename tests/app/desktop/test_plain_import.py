"""Loading Qt for the window leaves Python's own `import` in place."""

import subprocess
import sys

import pytest

PROGRAM = """
import builtins, os
own = builtins.__import__
{load}
print(builtins.__import__ is own)
"""
PROBE = "from notochord.app.desktop.probe import missing_for_windows; missing_for_windows(os.environ)"


@pytest.mark.parametrize(
    ("load", "own"), [(PROBE, "True"), ("import PySide6.QtWidgets", "False")], ids=["door", "control"]
)
def test_loading_the_window_leaves_pythons_import_in_place(load: str, own: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(load=load)], capture_output=True, text=True, check=True, timeout=120
    )
    assert told.stdout.strip() == own
