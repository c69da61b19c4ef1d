"""The surroundings of one opened page: a profile that keeps nothing, serves one origin, and asks for nothing else."""

from collections.abc import Callable

from PySide6.QtCore import QByteArray, QObject
from PySide6.QtWebEngineCore import (
    QWebEngineDownloadRequest,
    QWebEngineProfile,
    QWebEngineSettings,
    QWebEngineUrlRequestInfo,
    QWebEngineUrlRequestInterceptor,
    QWebEngineUrlSchemeHandler,
)

from notochord.qt_adapters.web.engine import SCHEME
from notochord.qt_adapters.web.host import is_own

Refused = Callable[[str], None]
"""Hears what was refused, as `PageHost.refused`."""

_Attribute = QWebEngineSettings.WebAttribute

ON = (_Attribute.JavascriptEnabled, _Attribute.AutoLoadImages, _Attribute.WebRTCPublicInterfacesOnly,
      _Attribute.LinksIncludedInFocusChain)  # fmt: skip
OFF = (
    _Attribute.Accelerated2dCanvasEnabled, _Attribute.AllowGeolocationOnInsecureOrigins,
    _Attribute.AllowRunningInsecureContent, _Attribute.AllowWindowActivationFromJavaScript,
    _Attribute.AutoLoadIconsForPage, _Attribute.DnsPrefetchEnabled, _Attribute.ErrorPageEnabled,
    _Attribute.FocusOnNavigationEnabled, _Attribute.FullScreenSupportEnabled, _Attribute.HyperlinkAuditingEnabled,
    _Attribute.JavascriptCanAccessClipboard, _Attribute.JavascriptCanOpenWindows, _Attribute.JavascriptCanPaste,
    _Attribute.LocalContentCanAccessFileUrls, _Attribute.LocalContentCanAccessRemoteUrls,
    _Attribute.LocalStorageEnabled, _Attribute.NavigateOnDropEnabled, _Attribute.PdfViewerEnabled,
    _Attribute.PluginsEnabled,
    _Attribute.ScreenCaptureEnabled, _Attribute.TouchIconsEnabled, _Attribute.WebGLEnabled,
)  # fmt: skip


class OwnOriginOnly(QWebEngineUrlRequestInterceptor):
    """Blocks every request that does not stay with the page's own origin."""

    def __init__(self, origin: str, refused: Refused, parent: QObject) -> None:
        super().__init__(parent)
        self._origin = origin
        self._refused = refused

    def interceptRequest(self, info: QWebEngineUrlRequestInfo) -> None:
        url = info.requestUrl()
        if url.scheme() in ("data", "blob") and info.resourceType() in (
            QWebEngineUrlRequestInfo.ResourceType.ResourceTypeImage,
            QWebEngineUrlRequestInfo.ResourceType.ResourceTypeMedia,
        ):
            return
        if not is_own(url, SCHEME, self._origin):
            self._refused(f"a request to {url.host() or url.scheme()}")
            info.block(True)


def make_profile(refused: Refused) -> QWebEngineProfile:
    """Return a profile without a place on disk; it ends with the page that was opened in it."""
    profile = QWebEngineProfile()
    profile.setHttpCacheType(QWebEngineProfile.HttpCacheType.NoCache)
    profile.setPersistentCookiesPolicy(QWebEngineProfile.PersistentCookiesPolicy.NoPersistentCookies)
    profile.setPersistentPermissionsPolicy(QWebEngineProfile.PersistentPermissionsPolicy.AskEveryTime)
    profile.setSpellCheckEnabled(False)
    profile.setPushServiceEnabled(False)
    profile.cookieStore().setCookieFilter(lambda _: False)
    profile.downloadRequested.connect(lambda download: _refuse_download(download, refused))
    settings = profile.settings()
    for attribute in ON:
        settings.setAttribute(attribute, True)
    for attribute in OFF:
        settings.setAttribute(attribute, False)
    settings.setUnknownUrlSchemePolicy(QWebEngineSettings.UnknownUrlSchemePolicy.DisallowUnknownUrlSchemes)
    return profile


def serve(profile: QWebEngineProfile, handler: QWebEngineUrlSchemeHandler) -> None:
    """Let the profile take its files from here."""
    profile.installUrlSchemeHandler(QByteArray(SCHEME.encode()), handler)


def _refuse_download(download: QWebEngineDownloadRequest, refused: Refused) -> None:
    refused("saving a file")
    download.cancel()
