"""The settings that the window itself follows."""

from enum import StrEnum

from notochord.services.settings.api import Setting


class Closing(StrEnum):
    """What closing the window does; without a tray it always ends the program."""

    QUIT = "quit"
    KEEP_RUNNING = "keep_running"


CLOSING = Setting("window.closing", Closing.KEEP_RUNNING.value)
"""A value of `Closing`: schedules and answers go on in the tray (OPEN-033)."""

TOLD_OF_TRAY = Setting("window.told_of_tray", False)
"""Whether the user heard that a closed window stays in the tray."""

THEME = Setting("window.theme", "system")
"""system, light or dark."""

TEXT_SIZE = Setting("window.text_size", 100)
"""Size of all text in per cent of the system's; one of `TEXT_SIZES`."""

TEXT_SIZES = (80, 90, 100, 110, 125, 150, 175, 200)

REDUCED_MOTION = Setting("window.reduced_motion", False)
"""Whether nothing moves by itself."""

NOTIFY = Setting("window.notify", True)
"""Whether the system's notifications tell what ended out of sight or waits."""

LAST_FOLDERS = Setting("window.last_folders", "{}")
"""Where the dialogs for files ended last: an object of folders by purpose, as JSON."""

UNREAD = Setting("window.unread", "")
"""The ids of the chats with an answer that nobody has seen yet, with blanks between."""


def next_text_size(now: int, steps: int) -> int:
    """Return the size that is `steps` larger (or smaller) than the one now in force, within `TEXT_SIZES`."""
    nearest = min(range(len(TEXT_SIZES)), key=lambda at: abs(TEXT_SIZES[at] - now))
    return TEXT_SIZES[max(0, min(len(TEXT_SIZES) - 1, nearest + steps))]
