"""Where the window stood when it was closed, and where it may stand on the monitors of today."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Protocol

from notochord.core.strict_json import decode

SMALLEST = (640, 480)
USUAL = (1120, 760)
GRIP = (120, 32)
"""So much of the title bar has to be in sight that a person can take hold of the window."""


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle of the desktop in device-independent pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The window's ordinary area, and whether it was maximized over it."""

    area: Area
    maximized: bool = False


class FrameFile(Protocol):
    """The small file beside organizations.json that is read before any organization is open."""

    def read(self) -> bytes:
        """Return the content; empty if there is none or it cannot be read."""

    def write(self, content: bytes) -> None:
        """Put the content in place atomically. Raises OSError."""


class Frames:
    """Remembers the frame of the window from one start to the next."""

    def __init__(self, file: FrameFile) -> None:
        self._file = file

    def restored(self, screens: Sequence[Area]) -> Frame:
        """Return where the window shall stand on these monitors, the first of which is the main one (may be none)."""
        return placed(self._stored(), screens)

    def keep(self, frame: Frame) -> None:
        """Remember the frame. What cannot be written is forgotten: a window's place is not worth a failure."""
        try:
            self._file.write(json.dumps({"format": 1, **asdict(frame)}).encode())
        except OSError:
            return

    def _stored(self) -> Frame | None:
        try:
            found = decode(self._file.read())
        except ValueError:
            return None
        area = found.get("area") if isinstance(found, dict) else None
        if not isinstance(found, dict) or not isinstance(area, dict):
            return None
        sides = [area.get(name) for name in ("x", "y", "width", "height")]
        numbers = [side for side in sides if type(side) is int and abs(side) < 100_000]
        return Frame(Area(*numbers), found.get("maximized") is True) if len(numbers) == 4 else None


def placed(frame: Frame | None, screens: Sequence[Area]) -> Frame:
    """Return the frame moved and shrunk until it can be seen and taken hold of; without one, the usual in the middle.

    A window that can still be reached stays where it is, also across two monitors.
    """
    main = screens[0] if screens else Area(0, 0, *USUAL)
    if frame is None:
        return Frame(_centred(Area(0, 0, *USUAL), main))
    reachable = [screen for screen in screens if _grip_in(frame.area, screen)]
    home = reachable[0] if reachable else main
    width = max(min(frame.area.width, max(screen.width for screen in (*reachable, home))), min(SMALLEST[0], home.width))
    height = max(min(frame.area.height, home.height), min(SMALLEST[1], home.height))
    sized = replace(frame.area, width=width, height=height)
    return replace(frame, area=sized if in_reach(sized, screens) else _centred(sized, home))


def in_reach(area: Area, screens: Sequence[Area]) -> bool:
    """Tell whether a person can take hold of a window with this area."""
    return any(_grip_in(area, screen) for screen in screens)


def _grip_in(area: Area, screen: Area) -> bool:
    """Tell whether enough of the title bar (at the area's upper edge) is on the screen."""
    across = min(area.x + area.width, screen.x + screen.width) - max(area.x, screen.x)
    return across >= GRIP[0] and screen.y <= area.y <= screen.y + screen.height - GRIP[1]


def _centred(area: Area, screen: Area) -> Area:
    width, height = min(area.width, screen.width), min(area.height, screen.height)
    return Area(screen.x + (screen.width - width) // 2, screen.y + (screen.height - height) // 2, width, height)
