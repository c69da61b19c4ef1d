"""Kills a file service before the n-th thing it does to the disk: `python -m support.killed_files FOLDER WORK`.

It forks a child for each n, says n when the child was killed, waits for a line, and goes on with the next; it says
"end" when a child got to the end of its work. So each moment between two changes of the disk is met once.
"""

import asyncio
import errno
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from notochord.core.caller import Cause
from notochord.persistence.database import Database
from notochord.services.files import content
from support.file_services import Workshop, workshop_in

CAUSE = Cause(conversation="c", turn="t")
EVENTS = {"os.link", "os.mkdir", "os.remove", "os.rename", "os.rmdir", "shutil.rmtree"}


async def write(shop: Workshop) -> None:
    await shop.files.write(shop.root, "new/deep/file.txt", b"new", CAUSE)


async def overwrite(shop: Workshop) -> None:
    await shop.files.write(shop.root, "a.txt", b"first", CAUSE)
    await shop.files.write(shop.root, "a.txt", b"second", CAUSE)


async def move(shop: Workshop) -> None:
    await shop.files.write(shop.root, "a.txt", b"changed", CAUSE)
    await shop.files.delete(shop.root, "b.txt", CAUSE)
    await shop.files.move(shop.root, "a.txt", shop.root, "b.txt", CAUSE)
    await shop.files.move(shop.root, "sub", shop.root, "new/place/sub", CAUSE)


async def delete(shop: Workshop) -> None:
    await shop.files.make_folder(shop.root, "made/deep", CAUSE)
    await shop.files.write(shop.root, "sub/new.txt", b"new", CAUSE)
    await shop.files.delete(shop.root, "sub", CAUSE)
    await shop.files.delete(shop.root, "a.txt", CAUSE)


async def change_much(shop: Workshop) -> None:
    await move(shop)
    await shop.files.delete(shop.root, "new/place/sub", CAUSE)
    await shop.files.make_folder(shop.root, "made/deep", CAUSE)


async def revert(shop: Workshop) -> None:
    await shop.files.revert(CAUSE)


async def move_between_disks(shop: Workshop) -> None:
    """Move where the system refuses to rename, as it does from one disk to another."""
    refuse(errno.EXDEV)
    await move(shop)


async def move_without_links(shop: Workshop) -> None:
    """Move where a file cannot have two names."""
    refuse(errno.EPERM)
    await move(shop)


WORKS: dict[str, Callable[[Workshop], Awaitable[None]]] = {
    work.__name__: work for work in (write, overwrite, move, delete, revert, move_between_disks, move_without_links)
}

PREPARED: dict[str, Callable[[Workshop], Awaitable[None]]] = {"revert": change_much}


def refuse(error: int) -> None:
    """Let every move fail as on a disk that cannot do it; a file's way from its unfinished name is another matter."""
    link, rename = os.link, os.rename

    def link_or_refuse(source: str, target: str, **options: Any) -> None:
        if error == errno.EXDEV and content.UNFINISHED.fullmatch(source):
            link(source, target, **options)
        else:
            raise OSError(error, os.strerror(error))

    def rename_or_refuse(source: str, target: str, **options: Any) -> None:
        if error == errno.EXDEV:
            raise OSError(error, os.strerror(error))
        rename(source, target, **options)

    os.link = link_or_refuse  # type: ignore[assignment]
    os.rename = rename_or_refuse  # type: ignore[assignment]


class Moments:
    """Counts what is done to the disk from `begin` on, and kills this process before number `last`."""

    def __init__(self, last: int) -> None:
        self._left = last
        self._begun = False

    def begin(self) -> None:
        self._begun = True

    def hear(self, event: str, arguments: tuple[object, ...]) -> None:
        writes = event == "open" and isinstance(arguments[2], int) and arguments[2] & (os.O_WRONLY | os.O_RDWR)
        if event in EVENTS or writes:
            self.pass_by()

    def pass_by(self) -> None:
        if self._begun:
            self._left -= 1
            if self._left == 0:
                os.kill(os.getpid(), signal.SIGKILL)


async def work(folder: Path, name: str, last: int) -> None:
    """Do one work on a fresh service, and die at its moment number `last`."""
    moments = Moments(last)
    sys.addaudithook(moments.hear)
    written = Database.write

    async def write_and_count(self: Database, work: Callable[[Connection], Any]) -> Any:
        moments.pass_by()
        done: Any = await written(self, work)
        moments.pass_by()
        return done

    Database.write = write_and_count  # type: ignore[method-assign]
    async with workshop_in(folder) as shop:
        if name in PREPARED:
            await PREPARED[name](shop)
        moments.begin()
        await WORKS[name](shop)
    os._exit(0)


def main(folder: Path, name: str) -> None:
    number = 1
    while True:
        child = os.fork()
        if child == 0:
            try:
                asyncio.run(work(folder, name, number))
            finally:
                os._exit(1)
        _, status = os.waitpid(child, 0)
        if os.waitstatus_to_exitcode(status) != -signal.SIGKILL:
            print("end" if status == 0 else "failed", flush=True)
            return
        print(number, flush=True)
        sys.stdin.readline()
        number += 1


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
