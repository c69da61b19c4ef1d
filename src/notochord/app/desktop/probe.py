"""The desktop's root: finds out whether this machine can show windows, and what is missing if not."""

import ctypes
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from notochord.app.desktop.plain_import import plain_import

WITHOUT_DISPLAY = ("offscreen", "minimal", "vnc", "eglfs", "linuxfb")
"""Qt's own ways to show windows that need no X or Wayland server."""


class Lack(StrEnum):
    """What keeps windows from being shown."""

    DISPLAY = "display"
    LIBRARIES = "libraries"


@dataclass(frozen=True, slots=True)
class Missing:
    """One thing that windows need; `name` is the library that could not be loaded, or the display's variable."""

    lack: Lack
    name: str


def missing_for_windows(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> Missing | None:
    """Return the first thing that windows need and this machine has not; None if they can be shown.

    Loading Qt takes 0.1 s or so; nothing else on the command line does it.
    """
    if platform.startswith("linux") and not _has_display(environment):
        return Missing(Lack.DISPLAY, "DISPLAY")
    try:
        with plain_import():
            from PySide6 import QtWidgets  # noqa: F401 - loading it is the question
    except ImportError as error:
        return Missing(Lack.LIBRARIES, _library(str(error)))
    return _missing_for_display(environment) if platform.startswith("linux") else None


def _has_display(environment: Mapping[str, str]) -> bool:
    without = environment.get("QT_QPA_PLATFORM", "").partition(":")[0] in WITHOUT_DISPLAY
    return without or bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def _missing_for_display(environment: Mapping[str, str]) -> Missing | None:
    """Load what Qt would load to reach the display: where nothing of it can be, Qt ends the process without a word."""
    from PySide6.QtCore import QLibraryInfo

    folder = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    missing = None
    for name in _display_plugins(environment):
        try:
            ctypes.CDLL(str(folder / f"libq{name}.so"))
        except OSError as error:
            missing = Missing(Lack.LIBRARIES, _library(str(error)))
        else:
            return None
    return missing


def _display_plugins(environment: Mapping[str, str]) -> list[str]:
    if chosen := environment.get("QT_QPA_PLATFORM"):
        return [name.partition(":")[0] for name in chosen.split(";")]
    ways = (("WAYLAND_DISPLAY", "wayland"), ("DISPLAY", "xcb"))
    return [name for variable, name in ways if environment.get(variable)]


def _library(message: str) -> str:
    """Return the file that the loader names first, such as `libGL.so.1`."""
    return message.split(":", 1)[0].strip()
