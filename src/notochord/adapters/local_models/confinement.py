"""What a local-model child gives up before it reads a byte of the model file."""

import contextlib
import sys
from pathlib import Path

MOST_FILES = 64
BESIDE_THE_MODEL = 8 * 1024 * 1024 * 1024
"""Bytes of address space for libraries, context and work; the file itself comes on top, twice."""


def confine(model: Path) -> None:
    """Write no file, dump no core, open few files, take no more memory than the model can need, gain no rights."""
    if sys.platform == "win32":
        return
    import resource

    size = model.stat().st_size if model.is_file() else 0
    wanted = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: MOST_FILES,
        resource.RLIMIT_AS: 2 * size + BESIDE_THE_MODEL,
    }
    for kind, limit in wanted.items():
        hard = resource.getrlimit(kind)[1]
        limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (limit, limit))
    if sys.platform == "linux":
        _gain_no_rights()


def _gain_no_rights() -> None:
    import ctypes
    import signal

    set_death_signal, set_no_new_privileges = 1, 38  # PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS
    library = ctypes.CDLL(None)
    library.prctl(set_no_new_privileges, 1, 0, 0, 0)
    library.prctl(set_death_signal, signal.SIGKILL, 0, 0, 0)
