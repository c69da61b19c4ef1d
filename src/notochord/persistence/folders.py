"""Removes a folder with everything in it, whatever that is."""

import os
import shutil
import stat
from collections.abc import Callable
from itertools import count
from pathlib import Path
from types import TracebackType

_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def remove_folder(folder: Path) -> None:
    """Delete a folder: read-only ones in it too, nested as deeply as may be; links are deleted, not followed.

    One that is not there is no error. Raises OSError if something stays; it can be called again then.
    """
    if not os.path.lexists(folder):
        return
    if os.name == "nt":
        shutil.rmtree(folder, onerror=_open_and_retry)
        return
    if not folder.is_symlink():
        folder.chmod(stat.S_IRWXU)
    descriptor = os.open(folder, _FOLDER)
    try:
        _empty(descriptor)
    finally:
        os.close(descriptor)
    folder.rmdir()


def _empty(top: int) -> None:
    """Delete what is in the folder `top`. Inner folders are lifted into it first, so that no depth is too deep."""
    numbers = count()
    while names := os.listdir(top):
        for name in names:
            if not stat.S_ISDIR(os.stat(name, dir_fd=top, follow_symlinks=False).st_mode):
                os.unlink(name, dir_fd=top)
                continue
            os.chmod(name, stat.S_IRWXU, dir_fd=top)
            _lift(name, top, numbers)
            os.rmdir(name, dir_fd=top)


def _lift(name: str, top: int, numbers: "count[int]") -> None:
    """Delete the files of the folder `name` and move its folders up into `top`."""
    descriptor = os.open(name, _FOLDER, dir_fd=top)
    try:
        for inner in os.listdir(descriptor):  # noqa: PTH208 - a descriptor
            if stat.S_ISDIR(os.stat(inner, dir_fd=descriptor, follow_symlinks=False).st_mode):
                os.chmod(inner, stat.S_IRWXU, dir_fd=descriptor)  # a folder that is read-only cannot be moved
                os.rename(inner, _free(top, numbers), src_dir_fd=descriptor, dst_dir_fd=top)
            else:
                os.unlink(inner, dir_fd=descriptor)
    finally:
        os.close(descriptor)


def _free(top: int, numbers: "count[int]") -> str:
    taken = set(os.listdir(top))
    return next(name for number in numbers if (name := f"{number}.lifted") not in taken)


def _open_and_retry(
    action: Callable[[str], object],
    path: str,
    failure: tuple[type[BaseException], BaseException, TracebackType],
) -> None:
    """Delete a read-only file, which Windows refuses until it may be written."""
    if not isinstance(failure[1], PermissionError):
        raise failure[1]
    Path(path).chmod(stat.S_IWRITE | stat.S_IREAD)
    action(path)
