"""A window in a process of its own that stands still (for bench_window_idle): `bare`, or `notochord HOME`.

Prints a line when it stands, and the names of all modules that it had loaded when it is told to end. A bare window is
given such a line first, and imports what is in it.
"""

import importlib
import json
import signal
import sys
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget


def bare() -> None:
    for name in json.loads(sys.stdin.readline()):
        with suppress(Exception):  # private halves of packages that only import themselves in their order
            importlib.import_module(name)
    application = QApplication([])
    window = QWidget()
    QVBoxLayout(window).addWidget(QLabel("A window"))
    window.resize(1120, 760)
    window.show()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    QTimer.singleShot(0, lambda: print("stands", flush=True))
    application.exec()


def notochord(home: str) -> None:
    from notochord.app.desktop import workplace
    from notochord.app.desktop.door import DesktopWindows
    from notochord.core.paths import Home

    begin = workplace.Workplace.begin

    async def begun(self: workplace.Workplace, *given: object, **named: object) -> None:
        await begin(self, *given, **named)  # type: ignore[arg-type]
        print("stands", flush=True)

    workplace.Workplace.begin = begun  # type: ignore[method-assign]
    DesktopWindows().desktop(Home(Path(home)), "", "en")
    print(json.dumps(sorted(sys.modules)), flush=True)


if __name__ == "__main__":
    bare() if sys.argv[1] == "bare" else notochord(sys.argv[2])
