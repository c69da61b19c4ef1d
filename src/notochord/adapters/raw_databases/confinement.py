"""What a raw-database child gives up before it opens the database."""

import sys
from pathlib import Path

from notochord.adapters.children.confinement import limit, wall_in

MOST_FILES = 32
BESIDE_THE_HEAP = 640 * 1024 * 1024
"""Bytes of address space for the program, its libraries, and a result on its way."""


def confine(database: Path, database_bytes: int, heap_bytes: int) -> None:
    """Dump no core, open few files, take no more memory and disk than a database of this size can need.

    On Linux also: read and write the database and its log only, make and delete no file, open no socket, start no
    process, end with the parent, as far as the kernel can see to it.
    """
    log = database.with_name(f"{database.name}-wal")
    log.touch(mode=0o600)  # made before: no file can be made afterwards
    if sys.platform == "win32":
        return
    import resource

    limit({
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 2 * database_bytes,
        resource.RLIMIT_NOFILE: MOST_FILES,
        resource.RLIMIT_AS: heap_bytes + BESIDE_THE_HEAP,
    })  # fmt: skip
    if sys.platform == "linux":
        wall_in([], writable=[database, log])
