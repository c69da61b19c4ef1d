"""Each import contract holds, and can fail: one deliberate break per contract is noticed."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

BREAKS = [
    ("core/ids.py", "import notochord.persistence", "Layers point down"),
    ("persistence/atomic_files.py", "import notochord.services.settings.api", "Layers point down"),
    ("services/files/api.py", "import notochord.adapters", "Layers point down"),
    ("adapters/__init__.py", "import notochord.headless", "Layers point down"),
    ("headless/__init__.py", "import PySide6", "Qt is used by the windows and the desktop root only"),
    ("viewmodels/__init__.py", "import PySide6", "Qt is used by the windows and the desktop root only"),
    ("viewmodels/__init__.py", "import notochord.ui", "Layers point down"),
    ("ui/__init__.py", "import notochord.headless", "Layers point down"),
    ("ui/__init__.py", "import notochord.services.chat.api", "Services are entered through their doors"),
    ("ui/__init__.py", "import qasync", "The loop belongs to the desktop root"),
    ("app/compose.py", "import notochord.ui", "Windows are built by the desktop root only"),
    ("headless/__init__.py", "import notochord.viewmodels", "View-models serve the windows only"),
    ("app/__init__.py", "import notochord.app.desktop", "The desktop root is started by the command line only"),
    ("adapters/__init__.py", "import notochord.persistence", "Databases are opened by services only"),
    ("adapters/__init__.py", "import notochord.services.models.api", "Services are entered through their doors"),
    ("headless/__init__.py", "import notochord.services.models.service", "Services are entered through their doors"),
    ("services/tools/registry.py", "import notochord.services.files.service", "Services know each other by api only"),
    ("services/models/service.py", "import notochord.services.chat.api", "No cycles between services"),
    ("services/chat/api.py", "import notochord.services.chat.service", "A door shows values and protocols only"),
    ("services/chat/migrations/m0001_conversations.py", "import notochord.core.ids", "Migrations are frozen"),
]


def lint(folder: Path) -> str:
    command = "import sys; from importlinter.cli import lint_imports_command; lint_imports_command()"
    outcome = subprocess.run(
        [sys.executable, "-c", command, "--config", str(folder / "pyproject.toml"), "--no-logo", "--no-cache"],
        cwd=folder,
        env={"PYTHONPATH": str(folder / "src"), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    return outcome.stdout + outcome.stderr


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_contracts_hold(copy: Path) -> None:
    report = lint(copy)
    assert " 0 broken" in report, report


@pytest.mark.parametrize(("file", "line", "contract"), BREAKS, ids=lambda text: text.split(" ")[-1])
def test_contract_notices_a_break(copy: Path, file: str, line: str, contract: str) -> None:
    broken = copy / "src" / "notochord" / file
    broken.write_text(broken.read_text("utf-8") + f"\n{line}\n", "utf-8")
    report = lint(copy)
    assert f"{contract} BROKEN" in report, report
