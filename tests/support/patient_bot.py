"""A bot of pytest-qt that waits as long as a busy machine may need; what it waits for ends the wait."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

PATIENCE = 60_000
"""Milliseconds."""


class PatientBot(QtBot):
    """Waits a minute where pytest-qt waits five seconds."""

    def waitUntil(self, callback: Callable[[], bool | None], *, timeout: int = PATIENCE) -> None:
        super().waitUntil(callback, timeout=timeout)


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> PatientBot:
    return PatientBot(request)
