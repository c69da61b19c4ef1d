"""Gives a page the files of its own gem, each read and compared anew, with the headers that bind it."""

from collections.abc import Mapping

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, QUrl
from PySide6.QtWebEngineCore import QWebEngineUrlRequestJob, QWebEngineUrlSchemeHandler

from notochord.core.errors import NotochordError
from notochord.core.paths import shipped
from notochord.core.tasks import Lifetime
from notochord.qt_adapters.web.engine import SCHEME
from notochord.qt_adapters.web.host import PageHost, is_own
from notochord.qt_adapters.web.policy import HEADERS

LOOK = "notochord.css"
"""The one file that is the program's: the look of its controls."""


class GemFiles(QWebEngineUrlSchemeHandler):
    """Serves one origin. `headers` bind every answer."""

    def __init__(
        self, host: PageHost, origin: str, lifetime: Lifetime, parent: QObject, headers: Mapping[bytes, bytes] = HEADERS
    ) -> None:
        super().__init__(parent)
        self._host = host
        self._origin = origin
        self._lifetime = lifetime
        self._headers = {QByteArray(name): [QByteArray(value)] for name, value in headers.items()}

    def requestStarted(self, job: QWebEngineUrlRequestJob) -> None:
        url, initiator = job.requestUrl(), job.initiator()
        foreign = not initiator.isEmpty() and initiator != QUrl("null") and not is_own(initiator, SCHEME, self._origin)
        if job.requestMethod() != QByteArray(b"GET") or not is_own(url, SCHEME, self._origin) or foreign:
            self._host.refused(f"a request to {url.host()} that is not for a file of its own")
            job.fail(QWebEngineUrlRequestJob.Error.RequestDenied)
            return
        path = url.path(QUrl.ComponentFormattingOption.FullyDecoded).removeprefix("/")
        if path == LOOK:
            self._reply(job, (shipped("resources") / "pages" / LOOK).read_bytes(), "text/css")
            return
        task = self._lifetime.start("serve a file of a page", self._serve(job, path))
        job.destroyed.connect(lambda: task.cancel())

    async def _serve(self, job: QWebEngineUrlRequestJob, path: str) -> None:
        try:
            file = await self._host.file(path)
        except NotochordError as error:
            self._host.refused(f"a file with {error.code}")
            job.fail(QWebEngineUrlRequestJob.Error.UrlNotFound)
            return
        self._reply(job, file.content, file.media_type)

    def _reply(self, job: QWebEngineUrlRequestJob, content: bytes, media_type: str) -> None:
        body = QBuffer(job)
        body.setData(QByteArray(content))
        body.open(QIODevice.OpenModeFlag.ReadOnly)
        job.setAdditionalResponseHeaders(self._headers)  # type: ignore[arg-type] # several values a name
        is_text = media_type.startswith("text/") or media_type == "application/json"
        job.reply(QByteArray((f"{media_type}; charset=utf-8" if is_text else media_type).encode()), body)
