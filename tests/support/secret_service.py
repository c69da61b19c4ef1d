"""A real Secret Service (gnome-keyring) on a bus of its own; it can be locked, emptied, frozen and missing."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

NEEDED = ("dbus-daemon", "gnome-keyring-daemon", "dbus-send")
READY_SECONDS = 60.0
# No service folder: nothing is started unasked, so that a missing service is missing.
BUS = """<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>"""


class SecretService:
    """Starts and stops the parts; the keyrings lie in `folder`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._socket = folder / "bus"
        self._bus: subprocess.Popen[bytes] | None = None
        self._keyring: subprocess.Popen[bytes] | None = None
        self.address = f"unix:path={self._socket}"

    def start_bus(self) -> None:
        configuration = self._folder / "bus.conf"
        configuration.write_text(BUS.format(socket=self._socket))
        self._bus = self._start("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nosyslog")
        _wait(self._socket.exists)

    def start(self, *, password: str | None) -> None:
        """Start gnome-keyring, unlocked by the password (of a new keyring, if there is none), or locked without one."""
        unlock = [] if password is None else ["--unlock"]
        self._keyring = self._start("gnome-keyring-daemon", *unlock, "--components=secrets", "--foreground")
        assert self._keyring.stdin is not None
        self._keyring.stdin.write((password or "").encode())
        self._keyring.stdin.close()
        _wait(self._answers)

    def stop(self) -> None:
        """End gnome-keyring; its keyrings stay."""
        if self._keyring is not None:
            self._keyring.kill()
            self._keyring.wait()
            self._keyring = None
            _wait(lambda: not self._answers())

    def empty(self) -> None:
        """Throw the keyrings away."""
        shutil.rmtree(self._folder / "keyrings", ignore_errors=True)

    def freeze(self) -> None:
        assert self._keyring is not None
        self._keyring.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._keyring is not None
        self._keyring.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self.stop()
        if self._bus is not None:
            assert self._bus.stdin is not None
            self._bus.stdin.close()
            self._bus.kill()
            self._bus.wait()

    def _start(self, *command: str) -> subprocess.Popen[bytes]:
        folder = str(self._folder)
        environment = {
            "PATH": os.environ["PATH"],
            "HOME": folder,
            "XDG_DATA_HOME": folder,
            "XDG_RUNTIME_DIR": folder,
            "DBUS_SESSION_BUS_ADDRESS": self.address,
        }
        quiet = subprocess.DEVNULL
        return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=quiet, stderr=quiet)

    def _answers(self) -> bool:
        question = "dbus-send --session --print-reply --dest=org.freedesktop.DBus /org/freedesktop/DBus"
        method = "org.freedesktop.DBus.NameHasOwner string:org.freedesktop.secrets"
        environment = {"PATH": os.environ["PATH"], "DBUS_SESSION_BUS_ADDRESS": self.address}
        answer = subprocess.run([*question.split(), *method.split()], env=environment, capture_output=True, check=False)
        return b"true" in answer.stdout


@pytest.fixture
def secret_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SecretService]:
    """A bus without a Secret Service yet; this process uses it and has no display."""
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    folder = tmp_path / "session"
    folder.mkdir(mode=0o700)
    service = SecretService(folder)
    service.start_bus()
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", service.address)
    monkeypatch.delenv("DISPLAY", raising=False)
    yield service
    service.close()


def _wait(ready: Callable[[], bool]) -> None:
    end = time.monotonic() + READY_SECONDS
    while not ready():
        assert time.monotonic() < end, "the session bus or the keyring did not start"
        time.sleep(0.02)
