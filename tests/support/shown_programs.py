"""The program as a user starts it, on the screen of the tests, and a person with a keyboard and a screen reader."""

import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from support.assistive import Gone, Reader, Seen, State
from support.programs import ROOT
from support.screens import PATIENCE, Screen, wait

MOST_TABS = 60
MOST_TO_LEAVE = 10.0
"""Seconds that a program may need to take a key; where Tab leads nowhere else they pass in vain."""
NEVER_FOCUSED = ("list item", "table cell", "tree item", "filler")
"""Qt tells of items that are current, whoever has the keyboard, and of frames around what has it."""
QT_READER = "qt.accessibility."
"""What Qt says when a screen reader asks for what has just gone."""


class ShownProgram:
    """`python -m notochord` on a screen, with a home of its own."""

    def __init__(self, screen: Screen, home: Path) -> None:
        self._screen = screen
        self.home = home
        self._environment = {
            **screen.environment,
            "PYTHONPATH": str(ROOT / "src"),
            "NOTOCHORD_HOME": str(home),
            "QT_QPA_PLATFORM": "xcb",
        }
        self.process = self._start()
        self._reader = Reader(screen.a11y_address())
        self._top: Seen | None = None

    def _start(self) -> "subprocess.Popen[str]":
        command = (sys.executable, "-m", "notochord")
        return subprocess.Popen(
            command, env=self._environment, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )

    def start_again(self) -> int:
        """Start the program a second time beside the first; return its exit status."""
        with self._start() as second:
            _, told = second.communicate(timeout=PATIENCE)
        assert not told, told
        return second.returncode

    def close(self) -> None:
        """End the program, however it stands."""
        self._reader.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate()

    def ends(self) -> tuple[int, str]:
        """Wait for the program's end; return its status and what it complained of."""
        _, told = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, "\n".join(line for line in told.splitlines() if not line.startswith(QT_READER))

    @property
    def is_shown(self) -> bool:
        return bool(self._screen.windows_of(self.process.pid))

    def seen(self) -> list[Seen]:
        """Return all objects that a screen reader finds in the window now."""
        top = self._found()
        try:
            return list(self._reader.walk(top)) if top else []
        except Gone:
            return []

    def _found(self) -> Seen | None:
        assert self.process.poll() is None, f"the program ended: {self.process.communicate()[1]}"
        if self._top is None:
            self._top = self._reader.program(self.process.pid)
        return self._top

    def find(self, name: str, *roles: str) -> Seen:
        """Wait for an object with this name (its beginning, with an ellipsis at the end)."""
        found: list[Seen] = []

        def look() -> bool:
            found[:] = [one for one in self.seen() if fits(one, name, roles)]
            return bool(found)

        try:
            wait(look, name)
        except AssertionError:
            raise AssertionError(f"waited in vain for {name!r}; there is: {told(self.seen())}") from None
        return found[0]

    def until(self, ready: Callable[[], bool], what: str) -> None:
        """Wait until it is so; an answer that a busy program owes is asked for again."""

        def look() -> bool:
            try:
                return ready()
            except Gone:
                return False

        try:
            wait(look, what)
        except AssertionError:
            raise AssertionError(f"waited in vain for {what}; there is: {told(self.seen())}") from None

    def text(self, seen: Seen) -> str:
        return self._reader.text(seen)

    def area(self, seen: Seen) -> tuple[int, int, int, int]:
        return self._reader.area(seen)

    def children(self, seen: Seen) -> list[Seen]:
        return self._reader.children(seen)

    def middle(self, seen: Seen) -> tuple[str, str]:
        """Return the middle of an object on the screen, as words for xdotool."""
        left, top, width, height = self._reader.area(seen)
        return str(left + width // 2), str(top + height // 2)

    def focused(self) -> Seen | None:
        """Return the object that has the keyboard."""
        top = self._found()
        told = self._reader.focused(top) if top else []
        found = [one for one in told if one.role not in NEVER_FOCUSED]
        return found[-1] if found else None

    def tab_to(self, name: str, *roles: str) -> Seen:
        """Press Tab until the object with this name has the keyboard."""
        self.find(name, *roles)
        return self._tab_to(name, roles)

    def _tab_to(self, name: str, roles: tuple[str, ...]) -> Seen:
        passed: list[str] = []
        for _ in range(MOST_TABS):
            now = self.focused()
            if now is not None and fits(now, name, roles):
                return now
            passed.append(f"{now.role} {now.name!r}" if now else "nothing")
            self._screen.key("Tab")
            self._until_left(now)
        raise AssertionError(f"no way by Tab to {name!r}; passed: {passed}; there is: {told(self.seen())}")

    def _until_left(self, place: Seen | None) -> None:
        """Wait until something else has the keyboard: a busy program takes a key later than it tells of itself."""
        end = time.monotonic() + MOST_TO_LEAVE
        while time.monotonic() < end:
            now = self.focused()
            if now is not None and (place is None or (now.bus, now.path) != (place.bus, place.path)):
                return
            time.sleep(0.01)

    def step_to(self, item: str, name: str, role: str, *, key: str = "Down") -> None:
        """Go to a list or a combo box, and in it by this key to an item; each step is seen before the next."""
        self.tab_to(name, role)
        passed: list[str] = []

        def moved() -> bool:
            return self.chosen(name, role) not in ([], passed[-1:])

        while True:
            self.until(moved, f"what is chosen in {name!r} after {passed}")
            passed += self.chosen(name, role)
            if passed[-1].startswith(item):
                return
            self._screen.key(key)

    def chosen(self, name: str, role: str) -> list[str]:
        """Return the chosen item of a list or a combo box."""
        seen = [one for one in self.seen() if fits(one, name, (role,))]
        if role == "combo box":
            return [one.value for one in seen]
        return [one.name for top in seen for one in self.children(top) if one.is_in(State.SELECTED)]

    def press(self, name: str, *roles: str) -> None:
        """Go to a control by Tab and press it by the space bar, once it can be pressed."""
        self.until(lambda: any(fits(one, name, roles) and one.is_in(State.ENABLED) for one in self.seen()), name)
        self._tab_to(name, roles)
        self._screen.key("space")


def fits(seen: Seen, name: str, roles: Iterable[str]) -> bool:
    named = seen.name.startswith(name[:-1]) if name.endswith("…") else seen.name == name
    return named and (not roles or seen.role in roles)


def told(seen: Iterable[Seen]) -> str:
    return "; ".join(f"{one.role} {one.name!r}" for one in seen)
