"""What the repository promises its readers: sizes of files and functions, the build hook as committed."""

import ast
import re
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from notochord.services.models.roles import BUILT_IN

ROOT = Path(__file__).parents[2]
LONGEST_FILE = 500
LONGEST_FUNCTION = 60


def sources() -> Iterator[Path]:
    yield from (ROOT / "src").rglob("*.py")


def test_files_stay_readable() -> None:
    scripts = [path for path in (ROOT / "sandbox").rglob("*.ts") if not path.name.endswith("_test.ts")]
    assert not [
        str(path) for path in (*sources(), *scripts) if len(path.read_text("utf-8").splitlines()) > LONGEST_FILE
    ]


def test_functions_stay_readable() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
        for path in sources()
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno >= LONGEST_FUNCTION
    ]
    assert not found


def test_modules_say_what_they_are_for() -> None:
    assert not [str(path) for path in sources() if not ast.get_docstring(ast.parse(path.read_text("utf-8")))]


def test_committed_build_hook_equals_its_source() -> None:
    source = ROOT / "installer" / "lean_llama" / "lean_llama"
    with zipfile.ZipFile(next((ROOT / "installer" / "wheels").glob("*.whl"))) as wheel:
        packed = {name: wheel.read(name) for name in wheel.namelist() if name.startswith("lean_llama/")}
    assert packed == {f"lean_llama/{path.name}": path.read_bytes() for path in source.iterdir() if path.is_file()}


@pytest.mark.req("APP-003")
def test_the_licence_is_mits_everywhere_it_is_told() -> None:
    text = (ROOT / "LICENSE").read_text("utf-8")
    assert text.startswith("MIT License\n")
    assert "to deal in the Software without restriction" in " ".join(text.split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert (project["license"], project["license-files"]) == ("MIT", ["LICENSE"])


@pytest.mark.req("MODEL-019")
def test_a_model_is_recommended_for_each_built_in_role() -> None:
    rows = re.findall(
        r"^\| `(\w+)` \| [^|]+ \| ([^|]+) \|$", (ROOT / "docs/models.md").read_text("utf-8"), re.MULTILINE
    )
    assert [name for name, _ in rows] == list(BUILT_IN)
    advice = dict(rows)
    assert "daily use" in advice["chat"]
    assert "sees images" in advice["vision"]
    assert "strongest" in advice["deep"]
    assert {"Ollama", "GGUF"} <= set(re.findall(r"\w+", advice["local"]))
