"""A process that changes files, to be killed or starved by a test: `python -m support.file_program FOLDER WORK`."""

import asyncio
import resource
import sys
from pathlib import Path

from notochord.core.caller import Cause
from notochord.core.errors import NotochordError
from support.file_services import Workshop, workshop_in

CAUSE = Cause(conversation="c", turn="t")
SIZE = 300_000
LIMIT = 2_000_000
FAILED = 3


async def write_for_ever(shop: Workshop) -> None:
    """Write, delete and move without end, saying each number when it is done."""
    number = 0
    while True:
        letter = bytes([65 + number % 26])
        await shop.files.write(shop.root, "a.txt", letter * SIZE, CAUSE)
        await shop.files.delete(shop.root, "b.txt", CAUSE)
        await shop.files.move(shop.root, "c.txt", shop.root, "b.txt", CAUSE)
        await shop.files.write(shop.root, "c.txt", letter, CAUSE)
        print(number, flush=True)
        number += 1


async def fill_the_disk(shop: Workshop) -> None:
    """Write what the disk cannot hold, and overwrite what the history cannot hold; say the codes."""
    (shop.folder / "large.txt").write_bytes(b"old" * LIMIT)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
    for path, content in (("a.txt", b"x" * (LIMIT + 1)), ("large.txt", b"small")):
        try:
            await shop.files.write(shop.root, path, content, CAUSE)
        except NotochordError as error:
            print(path, error.code, flush=True)


async def overwrite_once(shop: Workshop) -> None:
    """Overwrite one file."""
    await shop.files.write(shop.root, "a.txt", b"new", CAUSE)


async def main() -> None:
    works = {"write": write_for_ever, "fill": fill_the_disk, "once": overwrite_once}
    async with workshop_in(Path(sys.argv[1])) as shop:
        await works[sys.argv[2]](shop)


if __name__ == "__main__":
    try:
        asyncio.run(main())
    except NotochordError:
        sys.exit(FAILED)
