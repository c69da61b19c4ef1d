"""What holds for tests with windows: no window and no running timer is left behind."""

import gc
from collections.abc import Iterator

import pytest
import shiboken6
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtWidgets import QApplication

from notochord.core.sentences import Sentences
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from support.patient_bot import qtbot
from support.runners import HandRunner

__all__ = ["qtbot"]


def is_running(item: object) -> bool:
    if isinstance(item, QTimer):
        return shiboken6.isValid(item) and item.isActive()
    return isinstance(item, QThread) and shiboken6.isValid(item) and item.isRunning()


def running() -> set[str]:
    return {repr(item) for item in gc.get_objects() if is_running(item)}


@pytest.fixture(autouse=True)
def no_window_left_behind(qapp: QApplication) -> Iterator[None]:
    windows_before = set(QApplication.topLevelWidgets())
    running_before = running()
    yield
    QApplication.clipboard().clear()  # Qt would destroy what Python copied there after Python's end, and crash
    gc.collect()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    windows = {repr(window) for window in set(QApplication.topLevelWidgets()) - windows_before}
    left_running = running() - running_before
    assert not windows, f"windows left behind: {sorted(windows)}"
    assert not left_running, f"timers or threads left running: {sorted(left_running)}"


@pytest.fixture(scope="session")
def theme(qapp: QApplication) -> Theme:
    return Theme(qapp, ThemeChoice.LIGHT)


@pytest.fixture
def runner() -> HandRunner:
    return HandRunner()


@pytest.fixture(scope="session")
def english() -> Sentences:
    return Sentences.load("en").in_window()


@pytest.fixture
def kit(theme: Theme, english: Sentences, runner: HandRunner) -> Kit:
    """English; `dataclasses.replace(kit, sentences=Sentences.load("zh_CN"))` for Chinese."""
    theme.choose(ThemeChoice.LIGHT)
    return Kit(theme, english, runner)
