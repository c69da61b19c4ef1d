"""Chooses the way in which this system starts programs at login."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from notochord.adapters.startup.entry_files import launch_agent, xdg_entry
from notochord.adapters.startup.run_key import RunKey
from notochord.services.startup.ports import StartAtLogin


def start_at_login(command: Sequence[str], environment: Mapping[str, str], home: Path) -> StartAtLogin:
    """Return the entry for `command`, the program and its arguments; `home` is the user's folder."""
    if sys.platform == "win32":
        return RunKey(command)
    if sys.platform == "darwin":
        return launch_agent(command, home)
    return xdg_entry(command, environment, home)
