"""Driving the whole window: a session in Qt's own loop, and a person who looks at it and presses what is there."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QWidget

from notochord.app.desktop.application import QtTexts
from notochord.app.desktop.loop import run_with_windows
from notochord.app.desktop.run import run_session
from notochord.app.desktop.session import Session
from notochord.app.desktop.stage import Stage
from notochord.core.paths import Home
from notochord.ui.kit.theme.theme import Theme, ThemeChoice

View = TypeVar("View", bound=QWidget)
PATIENCE = 60.0
TO_END = 60.0


class Person:
    """Looks at the window and presses what is there."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    @property
    def content(self) -> QWidget | None:
        """What the window shows now."""
        return self.stage.window.content if self.stage.window is not None else None

    async def sees(self, kind: type[View]) -> View:
        """Wait until the window shows this kind of view."""
        await self.until(lambda: isinstance(self.content, kind), f"a {kind.__name__}")
        assert isinstance(self.content, kind)
        return self.content

    async def reads(self, words: str) -> None:
        """Wait until these words stand in the window."""
        await self.until(lambda: words in self.text(), repr(words))

    async def until(self, seen: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not seen():
            assert time.monotonic() < end, f"waited in vain for {what}; the window shows: {self.text()}"
            await asyncio.sleep(0.02)

    async def press(self, button: QAbstractButton) -> None:
        """Press a button as soon as it can be pressed."""
        await self.until(lambda: shiboken6.isValid(button) and button.isEnabled() and button.isVisible(), button.text())
        button.click()

    def text(self) -> str:
        """Return all words that can be seen."""
        window = self.stage.window
        if window is None:
            return ""
        shown = [one for one in window.findChildren(QWidget) if one.isVisible()]
        return "\n".join(one.text() for one in shown if isinstance(one, QLabel | QAbstractButton))


def run_desktop(
    application: QApplication,
    home: Path,
    scenario: Callable[[Person], Awaitable[None]],
    *,
    organization: str = "",
    language: str = "en",
) -> int:
    """Run the desktop with this home while a person does what `scenario` says, then close it; return its status."""
    application.setQuitOnLastWindowClosed(False)  # as the program's own application
    stage = Stage(theme=Theme(application, ThemeChoice.LIGHT), texts=QtTexts(application), home=Home(home))
    session = Session(stage=stage, home=Home(home), language=language)

    async def both() -> int:
        running = asyncio.ensure_future(run_session(session, organization))
        playing = asyncio.ensure_future(scenario(Person(stage)))
        try:
            await asyncio.wait((running, playing), return_when=asyncio.FIRST_COMPLETED)
            if not playing.done():  # the window ended first, as a second start does
                await asyncio.wait((playing,), timeout=5)
        finally:
            session.end()
            playing.cancel()
            _, hanging = await asyncio.wait((running, playing), timeout=TO_END)
            for task in hanging:
                task.print_stack()
                task.cancel()
            assert not hanging, "the session did not end"
        if not playing.cancelled():
            playing.result()
        status = running.result()
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        assert not rest, f"tasks left behind: {sorted(task.get_name() for task in rest if task is not None)}"
        return status

    with _log_kept():
        status = run_with_windows(application, both())
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    left = [window for window in QApplication.topLevelWidgets() if window.isVisible()]
    assert not left, f"windows left behind: {left}"
    return status


@contextmanager
def _log_kept() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
