"""`notochord gallery OUT`: every scene as pictures, without a display."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from notochord.ui.gallery.scenes import scenes
from support.programs import ROOT


def gallery(*words: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "src"), "LANG": "C.UTF-8"}
    return subprocess.run(
        (sys.executable, "-m", "notochord", *words), env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_every_scene_is_written_and_told_of(tmp_path: Path) -> None:
    ended = gallery("gallery", str(tmp_path / "out"), "--json")
    assert ended.returncode == 0, ended.stderr
    told = [Path(json.loads(line)["picture"]) for line in ended.stdout.splitlines()]
    assert len(told) == 8 * len(scenes())
    assert all(file.stat().st_size > 1000 for file in told)


def test_a_place_that_cannot_be_written_is_told_with_a_code(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file")
    ended = gallery("gallery", str(tmp_path / "out"), "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["error"]["code"].startswith("E_")


def test_gallery_is_explained_in_the_help() -> None:
    assert "Render every screen" in gallery("--help").stdout
