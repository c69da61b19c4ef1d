"""The mark of each system for files that came from elsewhere."""

import ctypes
import ctypes.util
import os
import sys
from contextlib import suppress
from pathlib import Path

LINUX_ATTRIBUTE = "user.xdg.origin.url"
LINUX_ORIGIN = b"notochord:"
_MAC_ATTRIBUTE = b"com.apple.quarantine"
_MAC_ORIGIN = b"0083;00000000;Notochord;"
_ZONE = "[ZoneTransfer]\r\nZoneId=3\r\n"


class SystemOriginMark:
    """Marks files as this system's browsers do: zone identifier, quarantine, or freedesktop.org's attribute."""

    def mark(self, path: Path) -> None:
        """Mark a file; where the disk knows no such mark, do nothing. Blocks."""
        with suppress(OSError):
            if sys.platform == "win32":
                Path(f"{path}:Zone.Identifier").write_text(_ZONE, encoding="ascii", newline="")
            elif sys.platform == "darwin":
                _set_mac_attribute(path)
            else:
                os.setxattr(path, LINUX_ATTRIBUTE, LINUX_ORIGIN, follow_symlinks=False)


def _set_mac_attribute(path: Path) -> None:
    system = ctypes.CDLL(ctypes.util.find_library("c"), use_errno=True)
    system.setxattr(os.fsencode(path), _MAC_ATTRIBUTE, _MAC_ORIGIN, len(_MAC_ORIGIN), 0, 1)  # 1: do not follow a link
