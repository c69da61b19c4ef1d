"""Landlock: which files the process may touch at all, no TCP, no signals and no abstract sockets to the outside."""

import ctypes
import os
import struct
from collections.abc import Iterable

from notochord.adapters.deno.wall.libc import system_call

EXECUTE, WRITE_FILE, READ_FILE, READ_FOLDER = 1, 2, 4, 8
REMOVE_AND_MAKE = sum(1 << bit for bit in range(4, 14))  # remove, make, refer (from version 2)
TRUNCATE, DEVICE_CONTROL = 1 << 14, 1 << 15
READ = READ_FILE | READ_FOLDER
WRITE = READ | WRITE_FILE | REMOVE_AND_MAKE | TRUNCATE

_CREATE, _ADD_RULE, _RESTRICT = 444, 445, 446
_VERSION_FLAG, _PATH_BENEATH = 1, 1
_FOLDER_ONLY = READ_FOLDER | REMOVE_AND_MAKE


def version() -> int:
    """Return the kernel's Landlock version, 0 when it has none."""
    try:
        return system_call(_CREATE, 0, 0, _VERSION_FLAG)
    except OSError:
        return 0


def restrict(rules: Iterable[tuple[str, int]], version: int) -> None:
    """Deny this process and its children every file but those of `rules` (path, rights); paths that are missing too.

    Raises OSError.
    """
    files = (1 << 13) - 1 | (1 << 13 if version >= 2 else 0)
    files |= (TRUNCATE if version >= 3 else 0) | (DEVICE_CONTROL if version >= 5 else 0)
    network = 3 if version >= 4 else 0
    scopes = 3 if version >= 6 else 0
    attributes = struct.pack("<QQQ", files, network, scopes)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = system_call(_CREATE, attributes, len(attributes), 0)
    for path, rights in rules:
        _allow(ruleset, path, rights & files)
    system_call(_RESTRICT, ruleset, 0)
    os.close(ruleset)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):  # noqa: PTH112 - pathlib would double the time of a start
        rights &= ~_FOLDER_ONLY
    packed = struct.pack("<Qi", rights, descriptor)
    system_call(_ADD_RULE, ruleset, _PATH_BENEATH, ctypes.create_string_buffer(packed, len(packed)), 0)
    os.close(descriptor)
