"""The window of the session, made anew in each language, and what is shown in it."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from notochord.app.desktop.application import QtTexts
from notochord.app.desktop.window_runner import WindowRunner
from notochord.core.paths import Home
from notochord.core.sentences import Sentences
from notochord.persistence.atomic_files import write_atomically
from notochord.ui.kit.kit import Kit
from notochord.ui.kit.last_folders import LastFolders
from notochord.ui.kit.theme.theme import Theme
from notochord.ui.shell.window import MainWindow
from notochord.viewmodels.shell.frame import Frames
from notochord.viewmodels.shell.notices import Notices

PAINT_SECONDS = 1.0


class FrameFile:
    """Implements `viewmodels.shell.frame.FrameFile` beside organizations.json."""

    def __init__(self, home: Home) -> None:
        self._file = home.folder / "window.json"

    def read(self) -> bytes:
        try:
            return self._file.read_bytes()
        except OSError:
            return b""

    def write(self, content: bytes) -> None:
        self._file.parent.mkdir(0o700, parents=True, exist_ok=True)
        write_atomically(self._file, content)


class Stage:
    """Shows contents in the one window; `left` is called when the user closes it or ends the program."""

    def __init__(self, *, theme: Theme, texts: QtTexts, home: Home) -> None:
        self.theme = theme
        self.notices = Notices()
        self.left: Callable[[], None] = lambda: None
        self.active: Callable[[bool], None] = lambda _: None
        self.folders = LastFolders()
        self._texts = texts
        self._frames = Frames(FrameFile(home))
        self.runner = WindowRunner(self.notices.fail)
        self.window: MainWindow | None = None
        self._kit: Kit | None = None

    @property
    def kit(self) -> Kit:
        """Return what views of the window are given. Raises RuntimeError before `speak`."""
        if self._kit is None:
            raise RuntimeError("there is no window")
        return self._kit

    def speak(self, language: str) -> Kit:
        """Show the window in this language; one in another language is left behind."""
        if self._kit is not None and self._kit.sentences.language == language:
            return self._kit
        self._texts.speak(language)
        kit = self._kit = Kit(self.theme, Sentences.load(language).in_window(), self.runner, self.folders)
        before = self.window
        if before is not None:
            before.remember_place()  # the next one takes its place
        self.window = MainWindow(kit, notices=self.notices, frames=self._frames)
        self.window.left.connect(lambda: self.left())
        self.window.quit_wanted.connect(lambda: self.left())
        self.window.activated.connect(lambda active: self.active(active))
        if before is not None:
            before.leave()
        return kit

    def show(self, content: QWidget) -> None:
        """Show this in the window, in place of what was there."""
        if self.window is not None and self.window.content is not content:
            self.window.show_content(content)
            self.window.show()

    def raise_up(self) -> None:
        """Bring the window to the front."""
        if self.window is not None:
            self.window.raise_up()

    async def painted(self) -> None:
        """Wait until the window can be seen; where nobody looks at it, only for a moment."""
        if self.window is None:
            return
        first = FirstPaint(self.window)
        try:
            async with asyncio.timeout(PAINT_SECONDS):
                await first.seen.wait()
        except TimeoutError:
            return
        finally:
            first.deleteLater()

    async def close(self) -> None:
        """End what the window's commands do, and take it away."""
        await self.runner.quiet()
        if self.window is not None:
            self.window.leave()
            self.window = None
        self._kit = None


class FirstPaint(QObject):
    """Sees the first painting of a window."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.seen = asyncio.Event()
        window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint:
            self.seen.set()
        return False


def open_link(url: str) -> None:
    """Follow a link with the system's browser or mail program, as far as that is safe."""
    from notochord.qt_adapters.opening import DesktopOpening

    DesktopOpening().open_link(url)


def show_folder(folder: Path) -> None:
    """Show a folder in the system's file manager."""
    from notochord.qt_adapters.opening import DesktopOpening

    DesktopOpening().show_folder(folder)
