"""Starts the program at login with an entry file: an XDG autostart entry on Linux, a LaunchAgent on macOS."""

import asyncio
import plistlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

NAME = "notochord"
LABEL = "app.notochord"
OFF = (b"hidden=true", b"x-gnome-autostart-enabled=false")
_QUOTED = str.maketrans({"\\": "\\\\", '"': '\\"', "`": "\\`", "$": "\\$"})


class EntryFile:
    """A `StartAtLogin` that is a file: there is one, or there is none. `write` makes its content."""

    def __init__(self, file: Path, write: Callable[[], bytes], *, turned_off: tuple[bytes, ...] = ()) -> None:
        self._file = file
        self._write = write
        self._turned_off = turned_off

    async def enabled(self) -> bool:
        return await asyncio.to_thread(self._enabled)

    async def change(self, enabled: bool) -> None:
        await asyncio.to_thread(self._change, enabled)

    def _enabled(self) -> bool:
        """The desktop's own settings do not delete an entry; they write a line into it that turns it off."""
        try:
            lines = {line.strip().lower() for line in self._file.read_bytes().splitlines()}
        except FileNotFoundError:
            return False
        except OSError as error:
            raise NotochordError(Code.DISK_IO, Fault.SYSTEM, str(error), path=str(self._file)) from error
        return lines.isdisjoint(self._turned_off)

    def _change(self, enabled: bool) -> None:
        try:
            if not enabled:
                self._file.unlink(missing_ok=True)
                return
            self._file.parent.mkdir(parents=True, exist_ok=True)
            unfinished = self._file.with_name(self._file.name + ".new")
            unfinished.write_bytes(self._write())
            unfinished.replace(self._file)
        except OSError as error:
            raise NotochordError(Code.DISK_IO, Fault.SYSTEM, str(error), path=str(self._file)) from error


def xdg_entry(command: Sequence[str], environment: Mapping[str, str], home: Path) -> EntryFile:
    """Return the autostart entry of a Linux desktop."""
    folder = Path(environment.get("XDG_CONFIG_HOME") or home / ".config") / "autostart"
    lines = (
        "[Desktop Entry]",
        "Type=Application",
        "Name=Notochord",
        f"Exec={' '.join(_quoted(part) for part in command)}",
        "Terminal=false",
        "X-GNOME-Autostart-enabled=true",
        "",
    )
    return EntryFile(folder / f"{NAME}.desktop", lambda: "\n".join(lines).encode(), turned_off=OFF)


def launch_agent(command: Sequence[str], home: Path) -> EntryFile:
    """Return the LaunchAgent of a Mac."""
    content = {"Label": LABEL, "ProgramArguments": list(command), "RunAtLoad": True, "ProcessType": "Interactive"}
    return EntryFile(home / "Library" / "LaunchAgents" / f"{LABEL}.plist", lambda: plistlib.dumps(content))


def _quoted(part: str) -> str:
    """Return an argument as the Desktop Entry Specification has it: quoted, and a percent sign doubled."""
    escaped = part.translate(_QUOTED).replace("\\", "\\\\").replace("%", "%%")
    return f'"{escaped}"'
