"""Makes drafts from the templates that come with the program."""

import json
from collections.abc import Sequence
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.strict_json import Json, decode
from notochord.services.gems.api import DraftIdentity
from notochord.services.gems.draft_manifest import DRAFT_MANIFEST
from notochord.services.gems.manifest import JsonObject, validator
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
    files = _files(template, identity)
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
    resources = shipped("resources")
    for kind, name in (("types", "notochord.d.ts"), ("schemas", "manifest.schema.json")):
        contents[f"{EDITOR_FOLDER}/{name}"] = (resources / kind / name).read_bytes()
    return contents


def _manifest(content: bytes, identity: DraftIdentity) -> bytes:
    written = decode(content)
    assert isinstance(written, dict)
    author: JsonObject = {"name": identity.publisher, "publisherId": identity.publisher}
    filled: dict[str, Json] = {
        "$schema": f"./{EDITOR_FOLDER}/manifest.schema.json",
        **written,
        "id": identity.id,
        "name": identity.name,
        "author": author,
    }
    if problems := schema_problems(validator("manifest"), filled):
        raise refusal(problems)
    return json.dumps(filled, ensure_ascii=False, indent=2).encode() + b"\n"


def _templates() -> Path:
    return shipped("resources") / "templates"
