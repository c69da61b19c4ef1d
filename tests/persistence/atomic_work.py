"""What the children of the atomic files' crash tests do."""

from pathlib import Path

from notochord.persistence.atomic_files import write_atomically
from support.faults import say

OLD, NEW = b"old" * 5000, b"new" * 9000


async def replace_file(folder: Path) -> None:
    try:
        write_atomically(folder / "file", NEW)
        say("replaced")
    except OSError as error:
        say(f"failed {error.errno}")
    say("closed")
