"""Asks the screen whether what is behind a window can be seen through it."""

import ctypes

from PySide6.QtGui import QGuiApplication


def windows_blend() -> bool:
    """Tell whether a transparent part of a window shows what is behind it; on a bare X server it is black.

    There, a compositor is what owns the selection of its name. Everywhere else windows have always blended.
    """
    if QGuiApplication.platformName() != "xcb":
        return True
    try:
        server = ctypes.CDLL("libX11.so.6")
    except OSError:
        return True
    server.XOpenDisplay.restype = server.XInternAtom.restype = server.XGetSelectionOwner.restype = ctypes.c_void_p
    server.XDefaultScreen.argtypes = server.XCloseDisplay.argtypes = (ctypes.c_void_p,)
    server.XInternAtom.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)
    server.XGetSelectionOwner.argtypes = (ctypes.c_void_p, ctypes.c_void_p)
    display = server.XOpenDisplay(None)
    if not display:
        return True
    try:
        name = f"_NET_WM_CM_S{server.XDefaultScreen(display)}".encode()
        return bool(server.XGetSelectionOwner(display, server.XInternAtom(display, name, 0)))
    finally:
        server.XCloseDisplay(display)
