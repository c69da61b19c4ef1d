"""Prepares the browser engine once for this process, before any other module here is imported."""

import os
from collections.abc import MutableMapping
from functools import cache

from PySide6.QtCore import QByteArray, QCoreApplication, Qt
from PySide6.QtNetwork import QNetworkProxy
from PySide6.QtWebEngineCore import QWebEngineUrlScheme

from notochord.qt_adapters.web.refusing_proxy import RefusingProxy

SCHEME = "notochord-gem"
PROXY_NAME = "refusing.notochord"
"""The only name that the engine resolves. Addresses count as names: those of this computer, for which Chromium takes no
proxy whatever one says, lead nowhere too."""

FLAGS = (
    "--disable-gpu",  # pages are documents: one process and a large attack surface less
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--no-pings",
    "--dns-prefetch-disable",
    f"--host-resolver-rules=MAP {PROXY_NAME} 127.0.0.1 , MAP * ~NOTFOUND",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-blink-features=WebTransport,DirectSockets,Prerender2,SpeculationRulesPrefetchProxy",
    "--disable-features=WebRtcHideLocalIpsWithMdns,NetworkPrediction,PreconnectToSearch,WebOTP,WebUSB,WebBluetooth",
)
WEAKENING = ("QTWEBENGINE_DISABLE_SANDBOX", "QTWEBENGINE_REMOTE_DEBUGGING", "QTWEBENGINE_CHROMIUM_FLAGS")
"""What a shell may have set for other programs, and would take a barrier away here."""


@cache
def prepare() -> RefusingProxy:
    """Set the barriers that are the whole engine's; return the proxy that everything of it goes through.

    Raises OSError if no port can be had for it: without it the engine must not be started.
    """
    set_environment(os.environ)
    proxy = RefusingProxy()
    QNetworkProxy.setApplicationProxy(QNetworkProxy(QNetworkProxy.ProxyType.HttpProxy, PROXY_NAME, proxy.port))
    register_scheme()
    QCoreApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    return proxy


def set_environment(environment: MutableMapping[str, str], flags: tuple[str, ...] = FLAGS) -> None:
    """Say how the engine is to start; Chromium's own sandbox stays on whatever the user's shell says."""
    for name in WEAKENING:
        environment.pop(name, None)
    environment["QTWEBENGINE_CHROMIUM_FLAGS"] = " ".join(_quoted(flag) for flag in flags)
    environment["QT_QUICK_BACKEND"] = "software"


def register_scheme() -> None:
    """Make each gem's host an origin of its own; the scheme may not have service workers, and no fetch leads to it."""
    scheme = QWebEngineUrlScheme(QByteArray(SCHEME.encode()))
    scheme.setSyntax(QWebEngineUrlScheme.Syntax.Host)
    flag = QWebEngineUrlScheme.Flag
    scheme.setFlags(flag.SecureScheme | flag.CorsEnabled)
    QWebEngineUrlScheme.registerScheme(scheme)


def _quoted(flag: str) -> str:
    return f'"{flag}"' if " " in flag else flag
