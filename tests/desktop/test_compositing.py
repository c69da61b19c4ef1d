"""Whether windows can be seen through is asked of the screen that they are on."""

import subprocess
import sys

from notochord.qt_adapters.compositing import windows_blend
from support.programs import ROOT
from support.screens import PATIENCE, Screen

PROGRAM = """
import ctypes
from PySide6.QtGui import QGuiApplication
from notochord.qt_adapters.compositing import windows_blend
application = QGuiApplication([])
print(windows_blend())
x = ctypes.CDLL("libX11.so.6")
x.XOpenDisplay.restype = ctypes.c_void_p
display = ctypes.c_void_p(x.XOpenDisplay(None))
x.XDefaultRootWindow.restype = x.XCreateSimpleWindow.restype = x.XInternAtom.restype = ctypes.c_ulong
window = x.XCreateSimpleWindow(display, ctypes.c_ulong(x.XDefaultRootWindow(display)), 0, 0, 1, 1, 0, 0, 0)
name = x.XInternAtom(display, b"_NET_WM_CM_S0", 0)
x.XSetSelectionOwner(display, ctypes.c_ulong(name), ctypes.c_ulong(window), 0)
x.XSync(display, 0)
print(windows_blend())
"""


def test_a_bare_x_server_blends_nothing_until_a_compositor_is_there(screen: Screen) -> None:
    environment = {**screen.environment, "PYTHONPATH": str(ROOT / "src"), "QT_QPA_PLATFORM": "xcb"}
    done = subprocess.run(
        (sys.executable, "-c", PROGRAM), env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    assert done.stdout.split() == ["False", "True"], done.stderr


def test_other_window_systems_blend() -> None:
    assert windows_blend()
