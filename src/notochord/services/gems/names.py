"""Which names a file of a package may have: the same on every system, and never outside its folder."""

import re
import unicodedata

IGNORED = frozenset({".DS_Store", "Thumbs.db", "desktop.ini"})
"""Files that systems put into folders by themselves; they are neither packed nor counted nor compared."""

MANIFEST = "notochord.json"
SIGNATURE = "SIGNATURE.json"
GENERATED = frozenset({MANIFEST, SIGNATURE})
"""What `integrity` does not list."""

MAX_PATH_CHARACTERS = 1_024
MAX_COMPONENT_BYTES = 255
MAX_DEPTH = 32

_JOINERS = frozenset("\u200c\u200d")  # scripts and emoji need them
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*\\]')
_RESERVED = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])(\..*)?", re.IGNORECASE)


def fault_of(path: str) -> str:
    """Return what is wrong with the path of a file inside a package; empty if nothing is (PKG-016, PKG-017)."""
    if len(path) > MAX_PATH_CHARACTERS:
        return "the path is too long"
    if path.startswith("/"):
        return "an absolute path"
    if "\\" in path:
        return "a backslash in the path"
    components = path.split("/")
    if len(components) > MAX_DEPTH:
        return "folders nested too deeply"
    return next((fault for component in components if (fault := _fault_of_component(component))), "")


def folded(path: str) -> str:
    """Return the spelling under which two names count as the same one (PKG-019)."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def is_ignored(path: str) -> bool:
    return path.rpartition("/")[2] in IGNORED


def _fault_of_component(name: str) -> str:
    if name in {"", ".", ".."}:
        return "an empty, . or .. component"
    if _FORBIDDEN.search(name) or any(_is_invisible(letter) for letter in name):
        return "a character that no file name may have"
    if name.endswith((".", " ")) or name.startswith(" "):
        return "a blank at an end of a name, or a final dot"
    if _RESERVED.fullmatch(name.rstrip(" ")) or _RESERVED.fullmatch(name.partition(".")[0].rstrip(" ")):
        return "a name that Windows reserves"
    try:
        size = len(name.encode())
    except UnicodeEncodeError:
        return "a name that is not Unicode text"
    if size > MAX_COMPONENT_BYTES:
        return "a name over 255 bytes"
    if unicodedata.normalize("NFC", name) != name:
        return "a name that is not in Unicode normal form C"
    return ""


def _is_invisible(letter: str) -> bool:
    """Tell characters that could make a name look like another one, or break the line that it stands in."""
    return unicodedata.category(letter) in {"Zl", "Zp", "Cf", "Co"} and letter not in _JOINERS
