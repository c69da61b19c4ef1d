"""Lets tests of windows run on a real loop: Qt's events are handled while a condition is waited for."""

import asyncio
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget

from notochord.core.errors import NotochordError
from notochord.core.tasks import Lifetime
from notochord.ui.kit.runner import LoopRunner


async def until_seen(condition: Callable[[], bool]) -> None:
    """Let the loop and Qt run until the condition holds; the test's own time limit ends a wait in vain."""
    while not condition():
        QApplication.processEvents()
        await asyncio.sleep(0.001)


def destroyed() -> None:
    """Destroy what was left to be destroyed later."""
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


class Presenter:
    """Keeps the failures that no view took."""

    def __init__(self) -> None:
        self.failures: list[NotochordError] = []

    def runner(self, lifetime: Lifetime) -> LoopRunner:
        return LoopRunner(lifetime=lifetime, present=self.failures.append)


def focus_order(window: QWidget) -> list[QWidget]:
    """Return what Tab goes through, beginning with what has the focus."""
    found: list[QWidget] = []
    at = window.nextInFocusChain()
    while at is not None and at is not window:
        takes_tab = bool(at.focusPolicy() & Qt.FocusPolicy.TabFocus) and at.focusProxy() is None
        if takes_tab and at.isVisible() and at.isEnabled():
            found.append(at)
        at = at.nextInFocusChain()
    return found


def unnamed(window: QWidget) -> list[QWidget]:
    """Return the controls that assistive technology could not name."""
    return [
        widget
        for widget in focus_order(window)
        if not widget.accessibleName() and not (isinstance(widget, QAbstractButton) and widget.text())
    ]
