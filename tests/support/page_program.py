"""A program that shows one page and tells what became of it: the engine runs apart from the tests, walled in.

It reads what to show as JSON from standard input and writes what it saw to standard output.
"""

import asyncio
import json
import logging
import os
import sys
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from notochord.app.desktop.loop import run_with_windows
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.qt_adapters.web import engine
from notochord.viewmodels.gem_page.incidents import PageIncidents

PAGE_SECONDS = 0.8
"""How long each further page may try."""

MEDIA_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Order:
    """What to show. `without` names barriers to take away; `act` is done once the page is there.

    `answers` are what the gem's tools return, by target.
    """

    files: dict[str, str]
    gem: str = "tester"
    without: tuple[str, ...] = ()
    surroundings: str = '{"colours": {"text": "#123456"}, "theme": "dark", "language": "en", "agents": [], "texts": {}}'
    act: str = ""
    then: tuple[str, ...] = ()
    seconds: float = 20.0
    port: int = 0
    answers: dict[str, Any] = field(default_factory=dict)


@dataclass
class Seen:
    """What the page did and what became of it."""

    reported: Any = None
    messages: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    asked_files: list[str] = field(default_factory=list)
    loaded: bool | None = None
    crashed: bool = False
    walled: bool = True
    refused_by_proxy: int = 0
    log: list[str] = field(default_factory=list)
    acted: Any = None


@dataclass(frozen=True)
class File:
    content: bytes
    media_type: str


class Host:
    """The program's side of the page: files from the order; what the page reports ends the program."""

    def __init__(self, order: Order) -> None:
        self.order = order
        self.seen = Seen()
        self.incidents = PageIncidents(order.gem, "page")
        self.reported = asyncio.Event()
        self.over = asyncio.Event()
        self.answers: Any = None

    async def file(self, path: str) -> File:
        self.seen.asked_files.append(path)
        if path not in self.order.files:
            raise NotochordError(Code.NOT_FOUND, Fault.GUEST, path)
        text = self.order.files[path].replace("__PORT__", str(self.order.port))
        return File(text.encode(), MEDIA_TYPES[PurePosixPath(path).suffix])

    def receive(self, text: str) -> None:
        if len(self.seen.messages) < 5000:
            self.seen.messages.append(text[:2000])
        message = json.loads(text)
        if message.get("target") == "tool.report":
            self.seen.reported = message["arguments"]
            self.reported.set()
        elif message.get("target") in self.order.answers:
            value = self.order.answers[message["target"]]
            self.answers(json.dumps({"number": message["number"], "value": value}))
        elif message.get("target") == "tool.echo":
            self.answers(json.dumps({"number": message["number"], "value": message["arguments"]}))
        elif message.get("target") == "tool.fail":
            error = {"code": "E_TOOL_FAILED", "message": "it failed"}
            self.answers(json.dumps({"number": message["number"], "error": error}))

    def loaded(self, ok: bool) -> None:
        self.seen.loaded = ok
        self.over.set()

    def problem(self, text: str) -> None:
        self.seen.problems.append(text)

    def refused(self, what: str) -> None:
        self.incidents.refused(what)

    def wants_link(self, address: str) -> None:
        self.seen.links.append(address)

    def crashed(self) -> None:
        self.seen.crashed = True
        self.reported.set()


class Kept(logging.Handler):
    """Keeps what is logged."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__()
        self.lines = lines

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record.getMessage())


def prepare(order: Order) -> Any:
    """Start the engine as the program does, but for the barriers that are taken away."""
    if "proxy" in order.without:
        flags = [flag for flag in engine.FLAGS if "host-resolver" not in flag and "webrtc" not in flag]
        engine.set_environment(os.environ, tuple(flags))
        engine.register_scheme()
        QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
        return None
    return engine.prepare()


def view_for(order: Order, host: Host) -> Any:
    """Return the view, with the barriers of one page that are not taken away."""
    from notochord.qt_adapters.web.page import GemWebPage
    from notochord.qt_adapters.web.policy import HEADERS
    from notochord.qt_adapters.web.profile import OwnOriginOnly
    from notochord.qt_adapters.web.serving import GemFiles
    from notochord.qt_adapters.web.view import GemWebView

    class View(GemWebView):
        def files(self) -> GemFiles:
            headers = {} if "policy" in order.without else HEADERS
            return GemFiles(self._host, self._origin, self._lifetime, self.profile, headers)

        def interceptor(self) -> OwnOriginOnly | None:
            return None if "interceptor" in order.without else super().interceptor()

    if "navigation" in order.without:
        GemWebPage.acceptNavigationRequest = lambda *_: True  # type: ignore[method-assign]
    return View(order.gem, host)


async def show(order: Order, proxy: Any) -> Seen:
    host = Host(order)
    logging.getLogger("notochord").addHandler(Kept(host.seen.log))
    window = QWidget()
    column = QVBoxLayout(window)
    before, after = QLineEdit(), QLineEdit()
    view = view_for(order, host)
    host.answers = view.post
    for part in (before, view, after):
        column.addWidget(part)
    window.resize(700, 500)
    window.show()
    view.load("pages/page.html", order.surroundings, "#ffffff")
    try:
        async with asyncio.timeout(order.seconds):
            await host.reported.wait()
            await host.over.wait()
            if order.act:
                host.seen.acted = await ACTS[order.act](view, host, before, after)
    except TimeoutError:
        pass
    for page in order.then:
        view.load(page, order.surroundings, "#ffffff")
        await asyncio.sleep(PAGE_SECONDS)
    host.seen.walled = _is_walled(view.page.renderProcessPid())
    host.seen.refused_by_proxy = proxy.refused if proxy is not None else 0
    await view.close_page()
    window.close()
    window.deleteLater()
    await asyncio.sleep(0.1)
    return host.seen


def _is_walled(process: int) -> bool:
    """Tell whether the page's process is in namespaces of its own and behind a filter of system calls."""
    try:
        filtered = "Seccomp:\t2" in Path(f"/proc/{process}/status").read_text()
        return filtered and Path(f"/proc/{process}/ns/user").readlink() != Path("/proc/self/ns/user").readlink()
    except PermissionError:
        return True  # a process that its parent may not look into is one that is walled in
    except OSError:
        return False


async def _tab(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Walk with Tab from before the page through it to what comes after."""
    before.window().activateWindow()
    before.setFocus()
    walked = []
    for _ in range(6):
        QTest.keyClick(before.window().windowHandle(), Qt.Key.Key_Tab)
        await asyncio.sleep(0.2)
        focus = QApplication.focusWidget()
        walked.append("before" if focus is before else "after" if focus is after else "page")
    return walked


async def _theme(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Tell of another theme, and return what the page says then."""
    host.reported.clear()
    view.post('{"colours": {"text": "#abcdef"}, "theme": "light", "language": "zh-CN", "agents": [], "texts": {}}')
    await host.reported.wait()
    return host.seen.reported


async def _bubble(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Press where the first bubble is."""
    await asyncio.sleep(0.5)
    x, y = host.seen.reported
    QTest.mouseClick(view.view.focusProxy() or view.view, Qt.MouseButton.LeftButton, pos=QPoint(int(x), int(y)))
    await asyncio.sleep(0.7)
    return None


async def _find(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Find a text."""
    counts: list[tuple[int, int]] = []
    view.found.connect(lambda number, total, _: counts.append((number, total)))
    view.find_text("needle")
    await asyncio.sleep(0.7)
    del counts[:-1]  # Chromium counts while it looks
    view.find_next()
    await asyncio.sleep(0.7)
    return [counts[0], counts[-1]]


async def _picture(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Keep a picture of the page."""
    await asyncio.sleep(1)
    view.grab().save(os.environ["PAGE_PICTURE"])
    return None


async def _busy(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Count how often the program's own loop comes round while the page never returns, then end the page."""
    rounds = 0
    for _ in range(50):
        await asyncio.sleep(0.01)
        rounds += 1
    host.reported.clear()
    view._ended = False
    view.page.renderProcessTerminated.connect(lambda *_: host.reported.set())
    view.kill()
    await host.reported.wait()
    return rounds


ACTS = {
    "tab": _tab, "theme": _theme, "bubble": _bubble, "find": _find, "picture": _picture, "busy": _busy
}  # fmt: skip


def main() -> int:
    order = Order(**json.loads(sys.stdin.read()))
    application = QApplication(["pages"])
    application.setQuitOnLastWindowClosed(False)
    seen = run_with_windows(application, show(order, prepare(order)))
    print(json.dumps(asdict(seen)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
