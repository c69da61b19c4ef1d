"""Puts monitors on an X server that nobody sees, and takes them away: a program that is run once for each change.

    python monitors.py put NAME X Y WIDTH HEIGHT | drop NAME

It is a process of its own, since Xlib ends the process that it makes a mistake in.
"""

import ctypes
import sys
from ctypes import POINTER, Structure, c_char_p, c_int, c_ulong, c_void_p


class MonitorInfo(Structure):
    """XRRMonitorInfo of libXrandr."""

    _fields_ = (
        ("name", c_ulong), ("primary", c_int), ("automatic", c_int), ("noutput", c_int), ("x", c_int), ("y", c_int),
        ("width", c_int), ("height", c_int), ("mwidth", c_int), ("mheight", c_int), ("outputs", POINTER(c_ulong)),
    )  # fmt: skip


class Resources(Structure):
    """The beginning of XRRScreenResources."""

    _fields_ = (
        ("timestamp", c_ulong), ("configured", c_ulong), ("ncrtc", c_int), ("crtcs", POINTER(c_ulong)),
        ("noutput", c_int), ("outputs", POINTER(c_ulong)),
    )  # fmt: skip


def main(act: str, name: str, *place: str) -> None:
    """Change the monitors of the display in the environment."""
    x11, randr = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXrandr.so.2")
    x11.XOpenDisplay.restype = c_void_p
    x11.XDefaultRootWindow.restype = x11.XInternAtom.restype = c_ulong
    x11.XDefaultRootWindow.argtypes = (c_void_p,)
    x11.XInternAtom.argtypes = (c_void_p, c_char_p, c_int)
    x11.XSync.argtypes = (c_void_p, c_int)
    randr.XRRAllocateMonitor.restype = POINTER(MonitorInfo)
    randr.XRRAllocateMonitor.argtypes = (c_void_p, c_int)
    randr.XRRSetMonitor.argtypes = (c_void_p, c_ulong, POINTER(MonitorInfo))
    randr.XRRDeleteMonitor.argtypes = (c_void_p, c_ulong, c_ulong)
    randr.XRRGetScreenResourcesCurrent.restype = POINTER(Resources)
    randr.XRRGetScreenResourcesCurrent.argtypes = (c_void_p, c_ulong)
    display = x11.XOpenDisplay(None)
    root, known = x11.XDefaultRootWindow(display), x11.XInternAtom(display, name.encode(), 0)
    if act == "drop":
        randr.XRRDeleteMonitor(display, root, known)
    else:
        x, y, width, height = map(int, place)
        first = (x, y) == (0, 0)  # it gets the server's only output, whose own monitor goes away then
        info = randr.XRRAllocateMonitor(display, int(first))
        info.contents.name, info.contents.primary, info.contents.automatic = known, int(first), 0
        info.contents.x, info.contents.y, info.contents.width, info.contents.height = x, y, width, height
        info.contents.mwidth, info.contents.mheight = width // 4, height // 4
        if first:
            info.contents.outputs[0] = randr.XRRGetScreenResourcesCurrent(display, root).contents.outputs[0]
        randr.XRRSetMonitor(display, root, info)
    x11.XSync(display, 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
