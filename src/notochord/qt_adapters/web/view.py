"""The widget that shows a page of a gem."""

import os
import signal
from collections.abc import Callable, Iterator

from PySide6.QtCore import QFile, QIODevice, QObject, QPoint, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QColor, QFocusEvent
from PySide6.QtWebChannel import QWebChannel
from PySide6.QtWebEngineCore import QWebEngineFindTextResult, QWebEnginePage, QWebEngineScript
from PySide6.QtWebEngineWidgets import QWebEngineView
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from notochord.core.paths import shipped
from notochord.core.tasks import Lifetime
from notochord.qt_adapters.web.engine import SCHEME
from notochord.qt_adapters.web.host import PageHost, origin_host
from notochord.qt_adapters.web.page import GemWebPage
from notochord.qt_adapters.web.profile import OwnOriginOnly, make_profile, serve
from notochord.qt_adapters.web.serving import GemFiles

ASK_EVERY = 3000
"""Milliseconds between two questions whether the page is busy."""

PATIENCE = 3
"""How many questions may stay unanswered."""

_World = QWebEngineScript.ScriptWorldId


class Channel(QObject):
    """What the script beside the page may call, and hears: texts, nothing else."""

    sent = Signal(str)

    def __init__(self, receive: Callable[[str], None], parent: QObject) -> None:
        super().__init__(parent)
        self._receive = receive

    @Slot(str)
    def receive(self, text: str) -> None:
        """Take a message."""
        self._receive(text)


class EngineView(QWebEngineView):
    """The engine's own widget. Tab at the end of the page leads to what stands behind `around` in the window.

    Qt alone would go on from the widget that the engine makes inside, which stands last in the whole window.
    """

    def __init__(self, around: QWidget) -> None:
        super().__init__(around)
        self._around = around

    def focusNextPrevChild(self, next: bool) -> bool:
        reason = Qt.FocusReason.TabFocusReason if next else Qt.FocusReason.BacktabFocusReason
        for widget in self._others(next):
            takes = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled()
            if takes and widget.isVisibleTo(self.window()) and not self._around.isAncestorOf(widget):
                widget.setFocus(reason)
                return True
        return False

    def _others(self, next: bool) -> Iterator[QWidget]:
        """Return the other widgets of the window in the order of Tab."""
        widget: QWidget | None = self._around
        while widget is not None:
            widget = widget.nextInFocusChain() if next else widget.previousInFocusChain()
            if widget is None or widget is self._around:
                return
            yield widget


class GemWebView(QWidget):
    """Implements `ui.gem_page.web.WebView` for one page of `gem`. `close_page` before it is thrown away."""

    found = Signal(int, int, bool)
    """The number of the place that is shown (from 1), how many there are, and that this is all."""

    def __init__(self, gem: str, host: PageHost, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host = host
        self._origin = origin_host(gem)
        self._lifetime = Lifetime("files of a page")
        self._ended = False
        self.profile = make_profile(host.refused)
        # Kept here: the engine does not keep them.
        self._files = self.files()
        serve(self.profile, self._files)
        self._interceptor = self.interceptor()
        if self._interceptor is not None:
            self.profile.setUrlRequestInterceptor(self._interceptor)
        # The engine wants the page to end before its profile: children end in the order in which they came.
        self.page = GemWebPage(self.profile, host, self._origin, self)
        self.profile.setParent(self)
        self._channel = Channel(host.receive, self.page)
        channel = QWebChannel(self.page)
        channel.registerObject("program", self._channel)
        self.page.setWebChannel(channel, _World.ApplicationWorld)
        self.view = EngineView(self)
        self.view.setPage(self.page)
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.view.customContextMenuRequested.connect(self._menu)
        self.view.setAcceptDrops(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self.page.loadFinished.connect(self._loaded)
        self.page.renderProcessTerminated.connect(self._terminated)
        self.page.findTextFinished.connect(self._found)
        self._needle = ""
        self._unanswered = 0
        self._asking = QTimer(self)
        self._asking.setInterval(ASK_EVERY)
        self._asking.timeout.connect(self._ask)

    @property
    def widget(self) -> QWidget:
        return self

    def files(self) -> GemFiles:
        """Return what serves the page."""
        return GemFiles(self._host, self._origin, self._lifetime, self.profile)

    def interceptor(self) -> OwnOriginOnly | None:
        """Return what lets no request out."""
        return OwnOriginOnly(self._origin, self._host.refused, self.profile)

    def load(self, entry: str, surroundings: str, background: str) -> None:
        """Load the page from this file on; `surroundings` is JSON that the script beside the page begins with."""
        self._ended = False
        self._unanswered = 0
        self._asking.start()
        self.page.setBackgroundColor(QColor(background))
        scripts = self.page.scripts()
        scripts.clear()
        channel_script = _resource(":/qtwebchannel/qwebchannel.js")
        beside = (shipped("resources") / "pages" / "bridge.js").read_text(encoding="utf-8")
        text = f"{channel_script}\nconst surroundings = {surroundings};\n{beside}"
        scripts.insert(_script("beside", text, _World.ApplicationWorld))
        inside = (shipped("resources") / "pages" / "notochord.js").read_text(encoding="utf-8")
        scripts.insert(_script("inside", inside, _World.MainWorld))
        self.page.load(QUrl(f"{SCHEME}://{self._origin}/{entry}"))

    def post(self, text: str) -> None:
        """Tell the page an answer, or how the program looks now."""
        if not self._ended:
            self._channel.sent.emit(text)

    def look(self, background: str) -> None:
        """Show this colour where the page has none of its own."""
        self.page.setBackgroundColor(QColor(background))

    def find_text(self, text: str) -> None:
        """Show the first place with this text; an empty one ends the search."""
        self._needle = text
        self.page.findText(text)
        if not text:
            self.found.emit(0, 0, True)

    def find_next(self) -> None:
        """Show the next place."""
        self.page.findText(self._needle)

    def find_previous(self) -> None:
        """Show the place before."""
        self.page.findText(self._needle, QWebEnginePage.FindFlag.FindBackward)

    def set_zoom(self, factor: float) -> None:
        """Show the page larger or smaller; 1.0 is its own size."""
        self.page.setZoomFactor(factor)

    def kill(self) -> None:
        """End the page's process at once, whatever it is doing."""
        self._ended = True
        self._asking.stop()
        if (process := self.page.renderProcessPid()) > 0:
            os.kill(process, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

    async def close_page(self) -> None:
        """End what is served to the page; the widget may be destroyed afterwards."""
        self._ended = True
        self._asking.stop()
        await self._lifetime.close()

    def focusInEvent(self, event: QFocusEvent) -> None:
        self.view.setFocus(event.reason())

    def _loaded(self, ok: bool) -> None:
        if (inside := self.view.focusProxy()) is not None:
            inside.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # Tab comes in through this widget, which has its place
        self._host.loaded(ok)

    def _ask(self) -> None:
        """Ask the page's process whether it is busy: one that never returns answers nothing."""
        self._unanswered += 1
        if self._unanswered == PATIENCE:
            self._host.answers(False)
        self.page.runJavaScript("1", _World.ApplicationWorld, lambda _: self._answered())

    def _answered(self) -> None:
        if self._unanswered >= PATIENCE:
            self._host.answers(True)
        self._unanswered = 0

    def _terminated(self, status: QWebEnginePage.RenderProcessTerminationStatus, exit_code: int) -> None:
        self._asking.stop()
        if not self._ended:
            self._host.crashed()

    def _found(self, result: QWebEngineFindTextResult) -> None:
        self.found.emit(result.activeMatch(), result.numberOfMatches(), True)

    def _menu(self, place: QPoint) -> None:
        """Offer what concerns text, in the engine's own words; nothing that leaves the page or shows its source."""
        action = QWebEnginePage.WebAction
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for wanted in (action.Cut, action.Copy, action.Paste, action.SelectAll):
            menu.addAction(self.page.action(wanted))
        menu.popup(self.view.mapToGlobal(place))


def _script(name: str, text: str, world: QWebEngineScript.ScriptWorldId) -> QWebEngineScript:
    script = QWebEngineScript()
    script.setName(name)
    script.setSourceCode(text)
    script.setWorldId(world)
    script.setInjectionPoint(QWebEngineScript.InjectionPoint.DocumentCreation)
    script.setRunsOnSubFrames(False)
    return script


def _resource(name: str) -> str:
    file = QFile(name)
    file.open(QIODevice.OpenModeFlag.ReadOnly)
    return bytes(file.readAll().data()).decode()
