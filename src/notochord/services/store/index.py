"""Reads the list of the store without trust: an entry counts that an official signature proves, others are left out."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from urllib.parse import urljoin

from jsonschema import Draft202012Validator

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.strict_json import Json, decode
from notochord.services.gems.api import Publication, Publications

FORMAT = 1
MAX_INDEX_BYTES = 16 * 1024 * 1024
MAX_GEMS = 2_000

JsonObject = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Entry:
    """A gem of the list. `address` is where its package lies: an https address, or a file that came along."""

    publication: Publication
    address: str
    size: int
    sha256: str
    texts: Mapping[str, tuple[str, str]]
    documents: Mapping[str, str]

    @property
    def gem(self) -> str:
        return self.publication.dossier.gem.id


@dataclass(frozen=True, slots=True)
class Index:
    """What a list holds, by gem, and how many of its entries were left out."""

    entries: Mapping[str, Entry]
    left_out: int = 0


def read_index(content: bytes, base: str, publications: Publications) -> Index:
    """Read a list that came from the https address `base`; without one, packages are files beside the program's own.

    Of several versions of a gem the latest counts. Blocks. Raises NotochordError(LISTING_INVALID) for what is no list.
    """
    entries: dict[str, Entry] = {}
    left_out = 0
    for raw in _gems(content):
        entry = _entry(raw, base, publications)
        if entry is None:
            left_out += 1
            continue
        before = entries.get(entry.gem)
        if before is None or publications.is_newer(entry.publication, before.publication):
            entries[entry.gem] = entry
    return Index(entries, left_out)


def _gems(content: bytes) -> list[Json]:
    if len(content) > MAX_INDEX_BYTES:
        raise invalid(f"the list is larger than {MAX_INDEX_BYTES} bytes")
    try:
        value = decode(content)
    except ValueError as error:
        raise invalid(f"the list is not JSON: {error}") from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise invalid(f"the list has no format {FORMAT}")
    gems = value.get("gems")
    if not isinstance(gems, list) or len(gems) > MAX_GEMS:
        raise invalid(f"the list names no gems, or more than {MAX_GEMS}")
    return gems


def _entry(raw: Json, base: str, publications: Publications) -> Entry | None:
    """Return an entry, None for one that nobody can be shown."""
    if not isinstance(raw, dict) or not _validator().is_valid(raw):
        return None
    address = _address(str(raw["package"]), base)
    if not address:
        return None
    try:
        publication = publications.read(raw["manifest"], raw["signature"])
    except NotochordError:
        return None
    size = raw["size"]
    assert isinstance(size, int | float)
    return Entry(
        publication=publication,
        address=address,
        size=int(size),
        sha256=str(raw["sha256"]),
        texts=_texts(raw.get("texts")),
        documents=_documents(raw.get("documents"), publication),
    )


def _address(package: str, base: str) -> str:
    """Return where a package lies, empty if it may not lie there."""
    if not base:
        return package if package.endswith(".gem") and "/" not in package and "\\" not in package else ""
    try:
        address = urljoin(base, package)
    except ValueError:
        return ""
    return address if address.startswith("https://") else ""


def _texts(raw: Json) -> dict[str, tuple[str, str]]:
    if not isinstance(raw, dict):
        return {}
    pairs = {language: one for language, one in raw.items() if isinstance(one, dict)}
    return {language: (str(one["name"]), str(one["description"])) for language, one in pairs.items()}


def _documents(raw: Json, publication: Publication) -> dict[str, str]:
    """Return those documents whose text is what the manifest says."""
    given = raw if isinstance(raw, dict) else {}
    return {
        path: text
        for path, text in given.items()
        if isinstance(text, str) and publication.digests.get(path) == _digest(text)
    }


def _digest(text: str) -> str:
    try:
        return hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError:
        return ""


@cache
def _validator() -> Draft202012Validator:
    """Return the check of one entry."""
    schema = json.loads((shipped("resources") / "schemas" / "store.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator({"$ref": "#/$defs/gem", "$defs": schema["$defs"]})


def invalid(detail: str) -> NotochordError:
    """Return the error for a list that cannot be read."""
    return NotochordError(Code.LISTING_INVALID, Fault.NETWORK, detail, reason=detail)
