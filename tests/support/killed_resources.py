"""Downloads a file, for children in which a system call fails or which are killed there."""

from pathlib import Path

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.services.gems.resource_declarations import ResourceRecord, resources_of
from notochord.services.gems.resource_files import ResourceFiles
from notochord.services.gems.resources import GemResources
from support.faults import say
from support.shelves import CONTENT, pieces, resource, shelf


def record() -> ResourceRecord:
    (found,) = resources_of({"resources": [resource()]})
    return found


async def store(folder: Path) -> None:
    """Put the file in its place in one thread, as a download does in several."""
    files = ResourceFiles(folder)
    file = files.begin(record())
    for piece in pieces(CONTENT):
        file.write(piece)
    _ = files.keep(record(), file)
    say("kept")


async def download(folder: Path) -> None:
    """Download the file twice, and say how each attempt ended."""
    _, gateway = await shelf()
    made = GemResources(gateway=gateway.egress, store_folder=lambda gem: folder / gem, bus=EventBus())
    for _ in range(2):
        try:
            say(str((await made.path("g", record())).read_bytes() == CONTENT))
        except NotochordError as error:
            say(str(error.code))
    await made.close()
