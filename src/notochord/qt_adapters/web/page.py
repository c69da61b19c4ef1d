"""The engine's page: it goes nowhere, opens nothing, asks for nothing; scripts that fail are told of."""

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
from notochord.qt_adapters.web.policy import violated

LEADS_OUT = frozenset({"http", "https", "mailto"})


class GemWebPage(QWebEnginePage):
    """Stays with one origin."""

    def __init__(self, profile: QWebEngineProfile, host: PageHost, origin: str, parent: QObject | None = None) -> None:
        super().__init__(profile, parent)
        self._host = host
        self._origin = origin
        self.newWindowRequested.connect(self._no_window)
        self.permissionRequested.connect(self._deny)
        self.fullScreenRequested.connect(self._no_full_screen)
        self.fileSystemAccessRequested.connect(self._no_file_system)
        self.registerProtocolHandlerRequested.connect(self._no_protocol)
        self.desktopMediaRequested.connect(self._no_screen)
        self.certificateError.connect(QWebEngineCertificateError.rejectCertificate)

    def acceptNavigationRequest(self, url: QUrl | str, type: QWebEnginePage.NavigationType, isMainFrame: bool) -> bool:
        url = QUrl(url)
        if isMainFrame and is_own(url, SCHEME, self._origin):
            return True
        if isMainFrame and type is QWebEnginePage.NavigationType.NavigationTypeLinkClicked:
            self._lead_out(url)
        else:
            self._host.refused(f"going to {url.host() or url.scheme()}")
        return False

    def javaScriptConsoleMessage(
        self, level: QWebEnginePage.JavaScriptConsoleMessageLevel, message: str, lineNumber: int, sourceID: str
    ) -> None:
        if level is QWebEnginePage.JavaScriptConsoleMessageLevel.ErrorMessageLevel:
            if (directive := violated(message)) is not None:
                self._host.refused(f"something by its policy: {directive}")
            place = QUrl(sourceID).path().removeprefix("/")
            self._host.problem(f"{place}:{lineNumber}: {message[:2000]}" if place else message[:2000])

    def chooseFiles(
        self, mode: QWebEnginePage.FileSelectionMode, oldFiles: Sequence[str], acceptedMimeTypes: Sequence[str]
    ) -> list[str]:
        """Let no page see a file of the user's; it has tools for what it needs."""
        self._host.refused("choosing files")
        return []

    def javaScriptAlert(self, securityOrigin: QUrl | str, msg: str) -> None:
        """Show nothing: a page says what it has to say in itself."""
        self._host.refused("a dialog")

    def javaScriptConfirm(self, securityOrigin: QUrl | str, msg: str) -> bool:
        """Agree to nothing that the user was not asked."""
        self._host.refused("a dialog")
        return False

    def javaScriptPrompt(self, securityOrigin: QUrl | str, msg: str, defaultValue: str) -> tuple[bool, str]:
        """Ask nothing."""
        self._host.refused("a dialog")
        return False, ""

    def _lead_out(self, url: QUrl) -> None:
        if url.scheme() in LEADS_OUT:
            self._host.wants_link(bytes(url.toEncoded().data()).decode())

    def _no_window(self, request: QWebEngineNewWindowRequest) -> None:
        if request.isUserInitiated():
            self._lead_out(request.requestedUrl())
        else:
            self._host.refused("a window")

    def _deny(self, permission: QWebEnginePermission) -> None:
        self._host.refused(f"the permission {permission.permissionType().name}")
        permission.deny()

    def _no_full_screen(self, request: QWebEngineFullScreenRequest) -> None:
        self._host.refused("the full screen")
        request.reject()

    def _no_file_system(self, request: QWebEngineFileSystemAccessRequest) -> None:
        self._host.refused("the user's files")
        request.reject()

    def _no_protocol(self, request: QWebEngineRegisterProtocolHandlerRequest) -> None:
        self._host.refused("taking over a kind of links")
        request.reject()

    def _no_screen(self, request: QWebEngineDesktopMediaRequest) -> None:
        self._host.refused("pictures of the screen")
        request.cancel()
