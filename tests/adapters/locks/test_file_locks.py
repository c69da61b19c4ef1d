"""A lock belongs to one process and ends with it, however it ends."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from notochord.adapters.locks.files import FileLocks
from notochord.services.organizations.ports import HeldLock

HOLDER = """
import sys, time
from pathlib import Path
from notochord.adapters.locks.files import FileLocks
lock = FileLocks().take(Path(sys.argv[1]))
print("held" if not isinstance(lock, int) else lock, flush=True)
sys.stdin.read()
"""


def holder_of(file: Path) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)}
    pipe = subprocess.PIPE
    return subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(file)], env=environment, stdin=pipe, stdout=pipe, text=True
    )


def taken(file: Path) -> HeldLock:
    lock = FileLocks().take(file)
    assert not isinstance(lock, int)
    return lock


@pytest.mark.req("ORG-028")
def test_another_process_is_named_and_a_killed_one_holds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "lock"
    with holder_of(file) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert FileLocks().take(file) == process.pid
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert file.read_text() == str(process.pid)
        taken(file).release()


def test_a_lock_is_taken_once_within_a_process_too(tmp_path: Path) -> None:
    lock = taken(tmp_path / "lock")
    assert FileLocks().take(tmp_path / "lock") == os.getpid()
    lock.release()
    lock.release()
    taken(tmp_path / "lock").release()


def test_a_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    lock = taken(tmp_path / "lock")
    with subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE) as child:
        lock.release()
        taken(tmp_path / "lock").release()
        child.kill()


def test_there_is_no_lock_in_a_folder_that_is_gone(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        FileLocks().take(tmp_path / "gone" / "lock")
