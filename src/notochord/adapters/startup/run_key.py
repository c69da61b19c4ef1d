"""Starts the program at login with a value under Windows' Run key."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

KEY = r"Software\Microsoft\Windows\CurrentVersion\Run"
NAME = "Notochord"


class RunKey:
    """A `StartAtLogin` in the user's registry."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = subprocess.list2cmdline(command)

    async def enabled(self) -> bool:
        return await asyncio.to_thread(self._enabled)

    async def change(self, enabled: bool) -> None:
        try:
            await asyncio.to_thread(self._change, enabled)
        except OSError as error:
            raise NotochordError(Code.DISK_IO, Fault.SYSTEM, str(error), path=KEY) from error

    if sys.platform == "win32":

        def _enabled(self) -> bool:
            import winreg

            try:
                with winreg.OpenKey(winreg.HKEY_CURRENT_USER, KEY) as key:
                    winreg.QueryValueEx(key, NAME)
            except FileNotFoundError:
                return False
            return True

        def _change(self, enabled: bool) -> None:
            import winreg

            with winreg.CreateKey(winreg.HKEY_CURRENT_USER, KEY) as key:
                if enabled:
                    winreg.SetValueEx(key, NAME, 0, winreg.REG_SZ, self._command)
                    return
                try:
                    winreg.DeleteValue(key, NAME)
                except FileNotFoundError:
                    return

    else:

        def _enabled(self) -> bool:
            return False

        def _change(self, enabled: bool) -> None:
            raise OSError("this system has no registry")
