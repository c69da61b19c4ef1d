"""A set-up that is killed goes on where it was; signals and a second start do what a person expects."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from notochord.services.organizations.api import KeyPlace
from notochord.ui.shell.shell import Shell
from notochord.ui.start.setup_view import SetupView
from notochord.viewmodels.start.setup import Step
from support.desktops import Person, run_desktop
from support.killed_setup import stands_at
from support.organizations import organizations_in
from support.programs import ROOT

ENVIRONMENT = {
    "PATH": os.environ["PATH"],
    "PYTHONPATH": f"{ROOT / 'src'}:{ROOT / 'tests'}",
    "QT_QPA_PLATFORM": "offscreen",
    "LANG": "C.UTF-8",
}


@pytest.mark.parametrize(
    "step",
    [
        Step.MODEL,
        pytest.param(Step.ENCRYPTION, marks=pytest.mark.long),
        pytest.param(Step.DONE, marks=pytest.mark.long),
    ],
)
def test_a_set_up_that_was_killed_goes_on_at_its_step(qapp: QApplication, tmp_path: Path, step: Step) -> None:
    program = (sys.executable, str(ROOT / "tests" / "support" / "killed_setup.py"), str(tmp_path), str(int(step)))
    ended = subprocess.run(program, env=ENVIRONMENT, check=False, capture_output=True, text=True)
    assert ended.returncode == -signal.SIGKILL, ended.stderr

    async def scenario(person: Person) -> None:
        view = await person.sees(SetupView)
        await person.until(lambda: stands_at(view, step), "its step")
        assert view.step is step

    run_desktop(qapp, tmp_path, scenario)


async def set_up(home: Path) -> str:
    """Make an organization whose set-up is complete."""
    organizations = organizations_in(home)
    made = await organizations.create("Personal", KeyPlace.FILE)
    await organizations.finish_setup_step(made.id, Step.DONE)
    return made.id


def desktop(home: Path) -> "subprocess.Popen[str]":
    command = (sys.executable, "-m", "notochord", "--home", str(home), "desktop")
    return subprocess.Popen(command, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)


@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)], ids=lambda number: number.name
)
def test_a_signal_ends_the_window_cleanly(tmp_path: Path, number: signal.Signals) -> None:
    identifier = asyncio.run(set_up(tmp_path))
    with desktop(tmp_path) as process:
        await_window(tmp_path, identifier, process)
        process.send_signal(number)
        _, told = process.communicate(timeout=120)
    of_ours = [line for line in told.splitlines() if not line.startswith("This plugin does not support")]
    assert (process.returncode, of_ours) == (0, [])
    asyncio.run(opens(tmp_path, identifier))


async def opens(home: Path, identifier: str) -> None:
    """Nobody has the organization any more, and it is whole."""
    organizations = organizations_in(home)
    await organizations.release(await organizations.unlock(identifier))


def await_window(home: Path, identifier: str, process: "subprocess.Popen[str]") -> None:
    """Wait until the organization is open there: a second start is answered."""
    command = (sys.executable, "-m", "notochord", "--home", str(home), "--json", "provider", "list")
    lock = home / "organizations" / identifier / "lock"
    for _ in range(600):
        assert process.poll() is None
        if lock.exists() and lock.read_text().strip() == str(process.pid):
            break
        time.sleep(0.05)
    subprocess.run(command, env=ENVIRONMENT, check=True, capture_output=True, timeout=120)


def test_a_second_start_raises_the_window_and_ends(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(set_up(tmp_path))
    raised: list[bool] = []

    async def scenario(person: Person) -> None:
        await person.sees(Shell)
        assert person.stage.window is not None
        monkeypatch.setattr(person.stage.window, "raise_up", lambda: raised.append(True))
        second = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "notochord", "--home", str(tmp_path), env=ENVIRONMENT
        )
        assert await asyncio.wait_for(second.wait(), 60) == 0
        await person.until(lambda: bool(raised), "the window to come up")

    run_desktop(qapp, tmp_path, scenario)
