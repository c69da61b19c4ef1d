"""Reads relative paths without trust, and makes names that every system accepts."""

import hashlib
import re
import unicodedata

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 4_096
SAFE_NAME_BYTES = 200
MAX_DEPTH = 100

_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)
_DRIVE = re.compile(r"[A-Za-z]:")
_FORBIDDEN = re.compile(r'[<>:"/\\|?*]')


def parse(path: str, *, hide_dots: bool = False) -> tuple[str, ...]:
    """Return the components of a relative path with forward slashes; "" and "." are the root itself.

    Raises NotochordError: PATH_OUTSIDE (absolute, a drive, `..`), PATH_INVALID (a component that no system or not
    every system can hold, or, with `hide_dots`, one that begins with a dot).
    """
    if path.startswith(("/", "\\")) or _DRIVE.match(path):
        raise _refused(Code.PATH_OUTSIDE, "the path must be relative, such as notes/todo.md; start at the folder", path)
    try:
        too_long = len(path.encode("utf-8")) > MAX_PATH_BYTES
    except UnicodeEncodeError as error:
        raise _refused(Code.PATH_INVALID, "the path holds half a character", path) from error
    parts = tuple(part for part in path.split("/") if part not in ("", "."))
    if too_long or len(parts) > MAX_DEPTH:
        raise _refused(Code.PATH_INVALID, "the path is too long", path)
    for part in parts:
        _check(part, path, hide_dots)
    return parts


def safe_name(name: str, *, hide_dots: bool = False) -> str:
    """Return a name near `name` that `parse` accepts as one component on every system; never empty.

    What cannot stay becomes "_"; a long name is shortened and gets a part of its hash, its extension kept.
    """
    text = unicodedata.normalize("NFC", name.encode("utf-8", "replace").decode("utf-8"))
    text = "".join("_" if _is_control(letter) else letter for letter in _FORBIDDEN.sub("_", text))
    text = text.rstrip(". ") or "_"
    if _is_reserved(text) or (hide_dots and text.startswith(".")):
        text = f"_{text}"
    return text if len(text.encode("utf-8")) <= SAFE_NAME_BYTES else _shortened(text)


def numbered(name: str, number: int, *, folder: bool = False) -> str:
    """Return `report (2).pdf` for `report.pdf` and 2; for a folder the number stands at the end (OPEN-047)."""
    stem, dot, extension = name.rpartition(".")
    if folder or not stem:
        return f"{name} ({number})"
    return f"{stem} ({number}){dot}{extension}"


def _check(part: str, path: str, hide_dots: bool) -> None:
    if part == "..":
        raise _refused(Code.PATH_OUTSIDE, "the path must not contain ..", path)
    if "\\" in part or ":" in part:
        raise _refused(Code.PATH_INVALID, "use / between folders; \\ and : cannot stand in a name", path)
    if any(map(_is_control, part)):
        raise _refused(Code.PATH_INVALID, "a name holds a control character", path)
    if part.endswith((".", " ")):
        raise _refused(Code.PATH_INVALID, "a name must not end in a dot or a space", path)
    if _is_reserved(part):
        raise _refused(Code.PATH_INVALID, f"{part} is a name that Windows reserves", path)
    if len(part.encode("utf-8")) > MAX_NAME_BYTES:
        raise _refused(Code.PATH_INVALID, "a name is too long", path)
    if hide_dots and part.startswith("."):
        raise _refused(Code.PATH_INVALID, "names that begin with a dot are closed here", path)


def _is_control(letter: str) -> bool:
    return unicodedata.category(letter) in ("Cc", "Zl", "Zp")


def _is_reserved(name: str) -> bool:
    return _RESERVED.fullmatch(name.partition(".")[0].rstrip(" ")) is not None


def _shortened(text: str) -> str:
    mark = hashlib.sha256(text.encode("utf-8")).hexdigest()[:12]
    stem, dot, extension = text.rpartition(".")
    if not stem or len(extension.encode("utf-8")) > 16:
        stem, dot, extension = text, "", ""
    room = SAFE_NAME_BYTES - len(f"-{mark}{dot}{extension}".encode())
    return f"{stem.encode('utf-8')[:room].decode('utf-8', 'ignore').rstrip('. ')}-{mark}{dot}{extension}"


def _refused(code: Code, detail: str, path: str) -> NotochordError:
    shown = "".join("?" if _is_control(letter) or "\ud800" <= letter <= "\udfff" else letter for letter in path[:200])
    return NotochordError(code, Fault.USER, detail, path=shown)
