"""A desktop for tests: an X server nobody sees, a window manager, and the buses of session and screen readers."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

PATIENCE = 60.0
SIZE = (1280, 800)
A11Y_LAUNCHER = "/usr/libexec/at-spi-bus-launcher"
NEEDED = ("Xvfb", "openbox", "xdotool", "dbus-daemon", A11Y_LAUNCHER)
BUS = """<busconfig><type>session</type><listen>unix:path={socket}</listen><auth>EXTERNAL</auth>
<policy context="default">
<allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
</policy>
</busconfig>"""


def wait(ready: Callable[[], bool], what: str, patience: float = PATIENCE) -> None:
    """Look again and again until something is so."""
    end = time.monotonic() + patience
    while not ready():
        assert time.monotonic() < end, f"waited in vain for {what}"
        time.sleep(0.03)


class Screen:
    """Everything a program needs of a desktop; what was started here ends with `close`."""

    def __init__(self, folder: Path, *, size: tuple[int, int] = SIZE) -> None:
        self.folder = folder
        self._size = size
        self._started: list[subprocess.Popen[bytes]] = []
        missing = [name for name in NEEDED if shutil.which(name) is None]
        assert not missing, f"not installed: {', '.join(missing)}; see installer/linux/apt-packages.txt"
        folder.mkdir(mode=0o700, parents=True)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder),
            "LANG": "C.UTF-8",
            "XDG_CONFIG_HOME": str(folder / "config"),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_RUNTIME_DIR": str(folder),
            "DBUS_SESSION_BUS_ADDRESS": f"unix:path={folder / 'bus'}",
            "NO_AT_BRIDGE": "1",
        }

    def open(self) -> None:
        """Start all parts; the screen is ready when this returns."""
        self._open_display()
        self._open_bus()
        self.start("openbox", "--sm-disable")
        self.start(A11Y_LAUNCHER, "--launch-immediately")
        wait(self._is_managed, "the window manager")
        wait(lambda: bool(self.a11y_address()), "the bus of assistive technology")
        self._let_programs_tell()

    def close(self) -> None:
        """End what was started, the last first."""
        for process in reversed(self._started):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._started.clear()

    def start(self, *command: str, **more: str) -> "subprocess.Popen[bytes]":
        """Start a program of the desktop, which ends with it."""
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(command, env={**self.environment, **more}, stdin=quiet, stdout=quiet, stderr=quiet)
        self._started.append(process)
        return process

    def tell(self, *command: str) -> str:
        """Run a program of the desktop to its end; return what it prints."""
        done = subprocess.run(
            command, env=self.environment, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        return done.stdout.strip()

    def key(self, *keys: str) -> None:
        """Press these keys one after the other; "ctrl+q" presses both at once."""
        self.tell("xdotool", "key", "--delay", "8", *keys)

    def type(self, text: str) -> None:
        """Type a text into what has the keyboard."""
        self.tell("xdotool", "type", "--delay", "8", text)

    def pointer(self, *steps: str) -> None:
        """Move and press the pointer: words of xdotool."""
        self.tell("xdotool", *steps)

    def windows_of(self, process: int) -> list[str]:
        """Return the windows of a process that are on the screen."""
        return self.tell("xdotool", "search", "--onlyvisible", "--pid", str(process), "--name", ".").split()

    def a11y_address(self) -> str:
        """Return where the bus of assistive technology is, or nothing while there is none."""
        told = self.tell(
            "dbus-send", "--session", "--print-reply=literal", "--dest=org.a11y.Bus", "/org/a11y/bus",
            "org.a11y.Bus.GetAddress",
        )  # fmt: skip
        return told

    def _open_display(self) -> None:
        reading, writing = os.pipe()
        size = "x".join(map(str, (*self._size, 24)))
        quiet = subprocess.DEVNULL
        command = ("Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset")
        server = subprocess.Popen(
            command, env=self.environment, pass_fds=(writing,), stdin=quiet, stdout=quiet, stderr=quiet
        )
        self._started.append(server)
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        assert number, "the X server did not start"
        self.environment["DISPLAY"] = f":{number}"

    def _open_bus(self) -> None:
        configuration = self.folder / "bus.conf"
        configuration.write_text(BUS.format(socket=self.folder / "bus"))
        self.start("dbus-daemon", f"--config-file={configuration}", "--nofork", "--nosyslog")
        wait((self.folder / "bus").exists, "the session bus")

    def _is_managed(self) -> bool:
        return self.tell("xdotool", "get_num_desktops").isdigit()

    def _let_programs_tell(self) -> None:
        """Turn assistive technology on, as a screen reader does when it starts."""
        self.tell(
            "dbus-send", "--session", "--print-reply", "--dest=org.a11y.Bus", "/org/a11y/bus",
            "org.freedesktop.DBus.Properties.Set", "string:org.a11y.Status", "string:IsEnabled", "variant:boolean:true",
        )  # fmt: skip


def ended(process: "subprocess.Popen[str]") -> tuple[int, list[str]]:
    """Wait for the end of a program; return its status and what it said, without what X itself says."""
    try:
        _, told = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        raise
    return process.returncode, [line for line in told.splitlines() if line.strip()]
