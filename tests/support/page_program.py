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
from typing import Any, cast

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from notochord.app.desktop.loop import run_with_windows
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import ENGLISH, Sentences
from notochord.qt_adapters.web import engine
from notochord.ui.kit.theme.theme import Theme, ThemeChoice
from notochord.ui.kit.transcript.entries import Role, TextEntry
from notochord.ui.kit.transcript.style import TranscriptStyle, TranscriptTexts
from notochord.ui.kit.transcript.view import Transcript
from notochord.viewmodels.gem_page.incidents import PageIncidents
from support.eventually import until

PAGE_SECONDS = 0.5
"""How long each further page may try where it is to reach nothing: many times what the control needs."""

MEDIA_TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Order:
    """What to show. `without` names barriers to take away; `act` is done once the page is there.

    `answers` are what the gem's tools return, by target. `reaches` names what the page is to ask the server on `port`
    for before it is left: a control waits for it, and for what each page of `then` is named after.
    """

    files: dict[str, str]
    gem: str = "tester"
    without: tuple[str, ...] = ()
    surroundings: str = '{"colours": {"text": "#123456"}, "theme": "dark", "language": "en", "agents": [], "texts": {}}'
    act: str = ""
    then: tuple[str, ...] = ()
    seconds: float = 60.0
    port: int = 0
    reaches: tuple[str, ...] = ()
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


def conversation() -> QWidget:
    """Return a conversation, which the window of users holds as well; the keyboard passes it by."""
    theme = Theme(cast("QApplication", QApplication.instance()), ThemeChoice.LIGHT)
    found = Transcript(TranscriptStyle.of(theme), TranscriptTexts.of(Sentences.load(ENGLISH)))
    found.load([TextEntry("answer", Role.ASSISTANT, "An answer", who="A")])
    found.setFixedHeight(60)
    found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return found


async def show(order: Order, proxy: Any) -> Seen:
    host = Host(order)
    logging.getLogger("notochord").addHandler(Kept(host.seen.log))
    window = QWidget()
    column = QVBoxLayout(window)
    before, after = QLineEdit(), QLineEdit()
    view = view_for(order, host)
    host.answers = view.post
    for part in (conversation(), before, view, after):
        column.addWidget(part)
    window.resize(700, 560)
    window.show()
    view.load("pages/page.html", order.surroundings, "#ffffff")
    try:
        async with asyncio.timeout(order.seconds):
            await host.reported.wait()
            await host.over.wait()
            if order.act:
                host.seen.acted = await ACTS[order.act](view, host, before, after)
            await _until_reached(order, *order.reaches)
            for page in order.then:
                view.load(page, order.surroundings, "#ffffff")
                if order.reaches:
                    await _until_reached(order, PurePosixPath(page).stem)
                else:
                    await asyncio.sleep(PAGE_SECONDS)
    except TimeoutError:
        pass
    host.seen.walled = _is_walled(view.page.renderProcessPid())
    host.seen.refused_by_proxy = proxy.refused if proxy is not None else 0
    await view.close_page()
    window.close()
    window.deleteLater()
    await asyncio.sleep(0.1)
    return host.seen


async def _until_reached(order: Order, *names: str) -> None:
    """Ask the server itself until it was asked for all of these."""
    left = set(names)
    while left:
        reader, writer = await asyncio.open_connection("127.0.0.1", order.port)
        writer.write(b"GET /reached HTTP/1.1\r\n\r\n")
        left -= set(json.loads((await reader.read()).partition(b"\r\n\r\n")[2]))
        writer.close()
        await writer.wait_closed()
        await asyncio.sleep(0.02)


async def _is_in_a_field(view: Any) -> bool:
    """Tell whether the page itself has the keyboard in a field."""
    told: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    view.page.runJavaScript("document.activeElement.tagName", told.set_result)
    return bool(await told == "INPUT")


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
    for _ in range(3):
        left = QApplication.focusWidget()
        QTest.keyClick(before.window().windowHandle(), Qt.Key.Key_Tab)
        await until(lambda left=left: QApplication.focusWidget() not in (None, left))  # type: ignore[misc]
        focus = QApplication.focusWidget()
        walked.append("before" if focus is before else "after" if focus is after else "page")
        if walked[-1] == "page":
            await until(lambda: _is_in_a_field(view))
    return walked


async def _theme(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Tell of another theme, and return what the page says then."""
    view.post('{"colours": {"text": "#abcdef"}, "theme": "light", "language": "zh-CN", "agents": [], "texts": {}}')
    await until(lambda: host.seen.reported["theme"] == "light")
    return host.seen.reported


async def _bubble(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Press where the first bubble is."""
    x, y = host.seen.reported
    QTest.mouseClick(view.view.focusProxy() or view.view, Qt.MouseButton.LeftButton, pos=QPoint(int(x), int(y)))
    await until(lambda: any('"ask"' in message for message in host.seen.messages))


async def _find(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Find a text that stands there twice."""
    counts: list[tuple[int, int]] = []
    view.found.connect(lambda number, total, _: counts.append((number, total)))
    view.find_text("needle")
    await until(lambda: (1, 2) in counts)  # Chromium counts while it looks
    view.find_next()
    await until(lambda: (2, 2) in counts)
    return [(1, 2), counts[-1]]


async def _link(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Wait for a link that the page wants to be led out by."""
    await until(lambda: bool(host.seen.links))


async def _problem(view: Any, host: Host, before: QLineEdit, after: QLineEdit) -> Any:
    """Wait for what failed in the page."""
    await until(lambda: bool(host.seen.problems))


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
    "tab": _tab, "theme": _theme, "bubble": _bubble, "find": _find, "picture": _picture, "busy": _busy, "link": _link,
    "problem": _problem,
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
