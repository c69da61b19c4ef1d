"""Renders the gallery's scenes, without a display."""

import logging
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

from PySide6.QtCore import QMessageLogContext, QObject, QtMsgType, qInstallMessageHandler

from notochord.app.desktop.application import make_application
from notochord.core.errors import NotochordError
from notochord.persistence.failures import translated
from notochord.ui.gallery.rendering import render
from notochord.ui.gallery.scenes import scenes
from notochord.ui.kit.theme.theme import Theme

Result = TypeVar("Result")

OF_NO_USE = "propagateSizeHints"
"""What Qt says about each window that is not on a screen."""

_log = logging.getLogger(__name__)


class StillRunner:
    """Runs nothing: pictures show samples."""

    def run(
        self,
        owner: QObject,
        name: str,
        command: Coroutine[Any, Any, Result],
        *,
        done: Callable[[Result], None] | None = None,
        failed: Callable[[NotochordError], None] | None = None,
    ) -> Callable[[], None]:
        """Drop the command; see `ui.kit.runner.Runner`."""
        command.close()
        return lambda: None


def pictures(folder: Path) -> Iterator[Path]:
    """See `app.windows.Windows.gallery`."""
    qInstallMessageHandler(_said)
    application = make_application()
    with translated(folder):
        yield from render(application, Theme(application), StillRunner(), scenes(), folder)


def _said(_: QtMsgType, __: QMessageLogContext, text: str | None) -> None:
    if text and OF_NO_USE not in text:
        _log.warning("%s", text)
