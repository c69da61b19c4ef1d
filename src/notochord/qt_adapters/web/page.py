"""The engine's page: it goes nowhere, opens nothing, asks for nothing; scripts that fail are told of."""

import logging
from collections.abc import Sequence

from PySide6.QtCore import QObject, QUrl
from PySide6.QtWebEngineCore import (
    QWebEngineCertificateError,
    QWebEngineDesktopMediaRequest,
    QWebEngineFileSystemAccessRequest,
    QWebEngineFullScreenRequest,
    QWebEngineNewWindowRequest,
    QWebEnginePage,
    QWebEnginePermission,
    QWebEngineProfile,
    QWebEngineRegisterProtocolHandlerRequest,
)

from notochord.qt_adapters.web.engine import SCHEME
from notochord.qt_adapters.web.host import PageHost, is_own

LEADS_OUT = frozenset({"http", "https", "mailto"})
_log = logging.getLogger(__name__)


class GemWebPage(QWebEnginePage):
    """Stays with one origin."""

    def __init__(self, profile: QWebEngineProfile, host: PageHost, origin: str, parent: QObject | None = None) -> None:
        super().__init__(profile, parent)
        self._host = host
        self._origin = origin
        self.newWindowRequested.connect(self._no_window)
        self.permissionRequested.connect(_deny)
        self.fullScreenRequested.connect(QWebEngineFullScreenRequest.reject)
        self.fileSystemAccessRequested.connect(QWebEngineFileSystemAccessRequest.reject)
        self.registerProtocolHandlerRequested.connect(QWebEngineRegisterProtocolHandlerRequest.reject)
        self.desktopMediaRequested.connect(QWebEngineDesktopMediaRequest.cancel)
        self.certificateError.connect(QWebEngineCertificateError.rejectCertificate)

    def acceptNavigationRequest(self, url: QUrl | str, type: QWebEnginePage.NavigationType, isMainFrame: bool) -> bool:
        url = QUrl(url)
        if isMainFrame and is_own(url, SCHEME, self._origin):
            return True
        if isMainFrame and type is QWebEnginePage.NavigationType.NavigationTypeLinkClicked:
            self._lead_out(url)
        else:
            _log.warning("a page at %s wanted to go to %s and was refused", self._origin, url.host() or url.scheme())
        return False

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, lineNumber: int, sourceID: str
    ) -> None:
        if level is QWebEnginePage.JavaScriptConsoleMessageLevel.ErrorMessageLevel:
            place = QUrl(sourceID).path().removeprefix("/")
            self._host.problem(f"{place}:{lineNumber}: {message[:2000]}" if place else message[:2000])

    def chooseFiles(
        self, mode: QWebEnginePage.FileSelectionMode, oldFiles: Sequence[str], acceptedMimeTypes: Sequence[str]
    ) -> list[str]:
        """Let no page see a file of the user's; it has tools for what it needs."""
        return []

    def javaScriptAlert(self, securityOrigin: QUrl | str, msg: str) -> None:
        """Show nothing: a page says what it has to say in itself."""

    def javaScriptConfirm(self, securityOrigin: QUrl | str, msg: str) -> bool:
        """Agree to nothing that the user was not asked."""
        return False

    def javaScriptPrompt(self, securityOrigin: QUrl | str, msg: str, defaultValue: str) -> tuple[bool, str]:
        """Ask nothing."""
        return False, ""

    def _lead_out(self, url: QUrl) -> None:
        if url.scheme() in LEADS_OUT:
            self._host.wants_link(bytes(url.toEncoded().data()).decode())

    def _no_window(self, request: QWebEngineNewWindowRequest) -> None:
        if request.isUserInitiated():
            self._lead_out(request.requestedUrl())


def _deny(permission: QWebEnginePermission) -> None:
    permission.deny()
