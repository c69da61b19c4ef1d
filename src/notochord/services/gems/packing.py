"""Packs the folder of a gem into a package: the same content gives the same bytes, whenever and wherever."""

import hashlib
import io
import json
import stat
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from nacl.signing import SigningKey

from notochord.core.strict_json import Json, decode
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.agent_declarations import read_agents
from notochord.services.gems.draft_files import DraftFiles, read_files
from notochord.services.gems.draft_manifest import shape_problems, to_package
from notochord.services.gems.manifest import JsonObject, invalid
from notochord.services.gems.names import GENERATED, MANIFEST, SIGNATURE
from notochord.services.gems.problems import problem, refusal
from notochord.services.gems.signatures import sign

GENERATED_PARTS = ("agents", "integrity")

_MOMENT = (1980, 1, 1, 0, 0, 0)
_UNIX = 3


@dataclass(frozen=True, slots=True)
class Assembled:
    """What a package is made of: its manifest with the generated parts, and all other files; beside it the tests."""

    manifest: JsonObject
    files: Mapping[str, bytes]
    tests: Mapping[str, bytes]


def pack(draft: Path, *, key: SigningKey | None = None) -> bytes:
    """Return the package of the gem in `draft`, signed if a key is given. Raises NotochordError as `assemble` does."""
    assembled = assemble(draft)
    return zipped(content_of(assembled.manifest), assembled.files, key)


def assemble(draft: Path) -> Assembled:
    """Return what the package of a draft holds, from a draft's manifest or one written as the package's.

    The manifest gets its generated parts, `agents` and `integrity`; the rest of the files go in as they are. Whether
    the gem can be installed is for `draft_checks` and the checks at installation to say. Raises NotochordError:
    PERM_INVALID (no readable manifest, or one that holds a generated part; an agent's file), PATH_TRAVERSAL (a name or
    kind of file that no package may hold), SIZE_MISMATCH (too large).
    """
    found = read_files(draft)
    if found.problems:
        raise refusal(found.problems)
    written, problems = written_manifest(found)
    if not problems and found.is_draft:
        problems = shape_problems(written)
    if problems:
        raise refusal(problems, "" if written else f"{found.manifest_name} ")
    agents, problems = read_agents(found.packed)
    if problems:
        raise refusal(problems)
    manifest = to_package(written) if found.is_draft else written
    return Assembled(with_generated_parts(manifest, agents, found.packed), found.packed, found.tests)


def written_manifest(found: DraftFiles) -> tuple[JsonObject, list[Problem]]:
    """Return the manifest as its author wrote it, and what keeps it from being one at all."""
    if found.manifest is None:
        return {}, [problem("no_manifest", "", "is missing")]
    try:
        manifest = decode(found.manifest)
    except ValueError as error:
        return {}, [problem("no_json", "", f"is no JSON: {error}", reason=str(error))]
    if not isinstance(manifest, dict):
        return {}, [problem("no_json", "", "is no JSON object", reason="{}")]
    parts = [part for part in GENERATED_PARTS if part in manifest]
    detail = "is generated and may not be written by hand"
    return manifest, [problem("generated_part", part, detail, field=part) for part in parts]


def with_generated_parts(manifest: JsonObject, agents: list[Json], files: Mapping[str, bytes]) -> JsonObject:
    """Return the manifest of the package that has these agents and files."""
    integrity: JsonObject = {
        path: {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}
        for path, content in sorted(files.items())
    }
    return {**manifest, "agents": agents, "integrity": {"files": integrity}}


def content_of(manifest: JsonObject) -> bytes:
    """Return the bytes of a manifest in a package."""
    return json.dumps(manifest, ensure_ascii=False, allow_nan=False, indent=2).encode() + b"\n"


def zipped(manifest: bytes, files: Mapping[str, bytes], key: SigningKey | None) -> bytes:
    """Return the package of a manifest and its files, signed if a key is given. Raises PERM_INVALID, no publisher."""
    entries = {MANIFEST: manifest}
    if key is not None:
        entries[SIGNATURE] = sign(manifest, key, _publisher(decode(manifest)))
    return _zip({**entries, **files})


def _publisher(manifest: Json) -> str:
    author = manifest.get("author") if isinstance(manifest, dict) else None
    publisher = author.get("publisherId") if isinstance(author, dict) else None
    if not isinstance(publisher, str):
        raise invalid("author.publisherId: is missing")
    return publisher


def _zip(entries: Mapping[str, bytes]) -> bytes:
    """Return a zip without times, owners or anything else that differs from one run to the next."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for path in sorted(entries, key=lambda path: (path not in GENERATED, path)):
            entry = zipfile.ZipInfo(path, _MOMENT)
            entry.create_system = _UNIX
            entry.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(entry, entries[path])
    return buffer.getvalue()
