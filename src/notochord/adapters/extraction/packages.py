"""Zip packages of office documents, opened with limits, and their XML, parsed without entities."""

import io
import zipfile
import zlib
from collections.abc import Iterator
from typing import Any

from lxml import etree

from notochord.adapters.extraction.failures import Unreadable, Why

MAX_FILES = 20_000
MAX_UNPACKED = 400 * 1024 * 1024
"""Bytes of all files of a package together, as they are declared; none gives more than it declares."""

MAX_PART = 100 * 1024 * 1024
"""Bytes of one XML file that is read as a whole."""

MAX_RATIO = 200
RATIO_FROM = 20 * 1024 * 1024
"""Below this much unpacked a high ratio is no matter: repeated text packs well."""

CORE = "docProps/core.xml"
_TITLE = "{http://purl.org/dc/elements/1.1/}title"
_AUTHOR = "{http://purl.org/dc/elements/1.1/}creator"
_OF_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, KeyError, NotImplementedError, ValueError, OSError)


def opened(content: bytes) -> zipfile.ZipFile:
    """Open a package. Raises Unreadable for a damaged one and for one that unpacks to too much."""
    try:
        package = zipfile.ZipFile(io.BytesIO(content))
    except _OF_DAMAGE as error:
        raise Unreadable(Why.DAMAGED, f"the package cannot be opened: {error}") from error
    files = package.infolist()
    total = sum(file.file_size for file in files)
    if len(files) > MAX_FILES:
        raise Unreadable(Why.LIMIT, f"the package has {len(files)} files")
    if total > MAX_UNPACKED or (total > RATIO_FROM and total > MAX_RATIO * len(content)):
        raise Unreadable(Why.LIMIT, f"the package unpacks to {total} bytes")
    if any(file.flag_bits & 1 for file in files):
        raise Unreadable(Why.ENCRYPTED, "the package is encrypted")
    return package


def read(package: zipfile.ZipFile, name: str) -> bytes:
    """Return a file of a package, at most MAX_PART. Raises Unreadable."""
    try:
        if package.getinfo(name).file_size > MAX_PART:
            raise Unreadable(Why.LIMIT, f"{name} unpacks to {package.getinfo(name).file_size} bytes")
        return package.read(name)
    except _OF_DAMAGE as error:
        raise Unreadable(Why.DAMAGED, f"{name} cannot be read: {error}") from error


def parsed(content: bytes) -> Any:
    """Return the root of an XML file; entities are not resolved and nothing else is loaded. Raises Unreadable."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False, recover=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        text = str(error)
        bound = any(word in text.lower() for word in ("excessive", "huge", "amplification", "loop", "limit", "memory"))
        raise Unreadable(Why.LIMIT if bound else Why.DAMAGED, f"its XML cannot be read: {text[:200]}") from error
    if root.getroottree().docinfo.internalDTD is not None:
        raise Unreadable(Why.DAMAGED, "its XML declares a document type, which office documents do not have")
    return root


def relations(package: zipfile.ZipFile, part: str) -> Iterator[tuple[str, str, str]]:
    """Yield id, kind and target of what a part refers to inside of the package, if that is there."""
    folder, _, name = part.rpartition("/")
    place = f"{folder}/_rels/{name}.rels"
    names = set(package.namelist())
    if place not in names:
        return
    for entry in parsed(read(package, place)):
        target = entry.get("Target") if isinstance(entry.tag, str) else None
        if not target or entry.get("TargetMode") == "External":
            continue
        path = target.removeprefix("/") if target.startswith("/") else _joined(folder, target)
        if path in names:
            yield entry.get("Id", ""), entry.get("Type", "").rpartition("/")[2], path


def core_properties(package: zipfile.ZipFile) -> tuple[str, str]:
    """Return title and author, empty where there are none; a damaged record of them is as good as none."""
    if CORE not in package.namelist():
        return "", ""
    try:
        root = parsed(read(package, CORE))
    except Unreadable:
        return "", ""
    return root.findtext(_TITLE) or "", root.findtext(_AUTHOR) or ""


def _joined(folder: str, target: str) -> str:
    parts = folder.split("/") if folder else []
    for part in target.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
