"""The tour as a user takes it: the whole program, the real small model, the real sandbox."""

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

needs_local_models = pytest.mark.skipif(importlib.util.find_spec("llama_cpp") is None, reason="needs the extra `local`")
SEED = "7"


@needs_local_models
@pytest.mark.timeout(600)
def test_the_small_model_opens_the_gem_and_the_file_is_right(tmp_path: Path) -> None:
    home, kept = tmp_path / "home", tmp_path / "kept"
    outcome = subprocess.run(
        [sys.executable, "-m", "notochord", "tour", "--seed", SEED, "--json", "--keep", str(kept)],
        env={**os.environ, "NOTOCHORD_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert outcome.returncode == 0, outcome.stderr
    result = json.loads(outcome.stdout)
    chosen = [step["chosen"] for step in result["steps"]]
    assert chosen[0] == "read_skill"
    assert "gem.sales-summary.monthly_summary" in chosen
    assert all(step["legal_moves"] == step["tools_offered"] + 1 for step in result["steps"])
    assert {"sales.csv", "transcript.txt", "runs"} == {path.name for path in kept.iterdir()}
    assert not home.exists()
