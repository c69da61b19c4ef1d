"""What a local-model child gives up before it reads a byte of the model file."""

import sys
from pathlib import Path

from notochord.adapters.children.confinement import limit, wall_in

MOST_FILES = 64
BESIDE_THE_MODEL = 8 * 1024 * 1024 * 1024
"""Bytes of address space for libraries, context and work; the file itself comes on top, twice."""


def confine(model: Path) -> None:
    """Write no file, dump no core, open few files, take no more memory than the model can need.

    On Linux also: gain no rights, end with the parent, open no socket, start no process, read the program, its
    libraries and this model only, as far as the kernel can see to it. Call it before the first thread is started.
    """
    if sys.platform == "win32":
        return
    import resource

    size = model.stat().st_size if model.is_file() else 0
    limit({
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: MOST_FILES,
        resource.RLIMIT_AS: 2 * size + BESIDE_THE_MODEL,
    })  # fmt: skip
    if sys.platform == "linux":
        wall_in([model])
