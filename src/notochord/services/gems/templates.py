"""Makes drafts: from the templates that come with the program, and from packages."""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.strict_json import decode
from notochord.services.gem_authoring.api import DraftIdentity
from notochord.services.gems.archive import unpack
from notochord.services.gems.draft_manifest import DRAFT_MANIFEST, from_package
from notochord.services.gems.manifest import JsonObject, check_format, validator
from notochord.services.gems.problems import refusal, schema_problems

EDITOR_FOLDER = ".notochord"
"""What helps an editor: the types of `ctx` and the schema of the manifest. It is not packed."""

_NAME = "{{name}}"
_FIRST = "tool"


def template_names() -> tuple[str, ...]:
    """Return the templates, the simplest first."""
    names = sorted(path.name for path in _templates().iterdir() if path.is_dir())
    return tuple(sorted(names, key=lambda name: name != _FIRST))


def make_draft(folder: Path, template: str, identity: DraftIdentity) -> Sequence[str]:
    """Fill `folder`, new or empty, and return the paths of the files that were written.

    Raises NotochordError: NOT_FOUND, FILE_EXISTS, PERM_INVALID (an id or name that no gem may have); OSError.
    """
    if template not in template_names():
        detail = f"there is no template {template[:64]!r}"
        known = ", ".join(template_names())
        raise NotochordError(
            Code.NOT_FOUND, Fault.USER, detail, name=template[:64], names=known, why="why.gem_template"
        )
    return _written(folder, _files(template, identity))


def draft_of_package(package: Path, folder: Path) -> Sequence[str]:
    """Fill `folder`, new or empty, with the draft that packs to a package's content again.

    Whose the package was is not asked: its signature is gone with the first change. Raises NotochordError as
    `archive.unpack` does, PERM_INVALID, FILE_EXISTS; OSError.
    """
    with tempfile.TemporaryDirectory(prefix="notochord-") as scratch:
        unpacked = unpack(package, Path(scratch))
        manifest = from_package(check_format(unpacked.manifest))
        files = {path: (unpacked.folder / path).read_bytes() for path in sorted(unpacked.files)}
    return _written(folder, {**files, DRAFT_MANIFEST: _manifest_text(manifest), **_for_editors()})


def _written(folder: Path, files: Mapping[str, bytes]) -> Sequence[str]:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise NotochordError(Code.FILE_EXISTS, Fault.USER, f"{folder} is not empty", path=str(folder))
    for path, content in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content)
    return tuple(files)


def _files(template: str, identity: DraftIdentity) -> dict[str, bytes]:
    source = _templates() / template
    files = {path.relative_to(source).as_posix(): path for path in sorted(source.rglob("*")) if path.is_file()}
    contents = {
        name: path.read_text(encoding="utf-8").replace(_NAME, identity.name).encode() for name, path in files.items()
    }
    contents[DRAFT_MANIFEST] = _manifest((source / DRAFT_MANIFEST).read_bytes(), identity)
    return {**contents, **_for_editors()}


def _for_editors() -> dict[str, bytes]:
    resources = shipped("resources")
    files = (("types", "notochord.d.ts"), ("types", "notochord-page.d.ts"), ("schemas", "manifest.schema.json"))
    return {f"{EDITOR_FOLDER}/{name}": (resources / kind / name).read_bytes() for kind, name in files}


def _manifest(content: bytes, identity: DraftIdentity) -> bytes:
    written = decode(content)
    assert isinstance(written, dict)
    author: JsonObject = {"name": identity.publisher, "publisherId": identity.publisher}
    filled: JsonObject = {**written, "id": identity.id, "name": identity.name, "author": author}
    if problems := schema_problems(validator("manifest"), filled):
        raise refusal(problems)
    return _manifest_text(filled)


def _manifest_text(manifest: JsonObject) -> bytes:
    with_schema: JsonObject = {"$schema": f"./{EDITOR_FOLDER}/manifest.schema.json", **manifest}
    return json.dumps(with_schema, ensure_ascii=False, indent=2).encode() + b"\n"


def _templates() -> Path:
    return shipped("resources") / "templates"
