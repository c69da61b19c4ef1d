"""The door to the windows: what it leads to is loaded when it is gone through, and Qt with it."""

import os
from collections.abc import Iterator
from pathlib import Path

from notochord.app.desktop.probe import missing_for_windows
from notochord.core.paths import Home

OFFSCREEN = {"QT_QPA_PLATFORM": "offscreen"}


class DesktopWindows:
    """Implements `app.windows.Windows`."""

    def missing(self, *, offscreen: bool = False) -> tuple[str, str] | None:
        missing = missing_for_windows({**os.environ, **OFFSCREEN} if offscreen else os.environ)
        return None if missing is None else (missing.lack, missing.name)

    def desktop(self, home: Home, organization: str, language: str) -> int:
        from notochord.app.desktop.run import run_desktop

        return run_desktop(home, organization, language)

    def gallery(self, folder: Path) -> Iterator[Path]:
        os.environ.update(OFFSCREEN)
        from notochord.app.desktop.pictures import pictures

        return pictures(folder)
