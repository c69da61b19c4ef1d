"""Drafts for tests: manifests as authors write them, and their folders."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

TOOL = {"tools/greet.ts": "export default (input) => ({ hello: input.who });\n"}


def export(name: str = "greet", **changes: Any) -> dict[str, Any]:
    """Return an entry of `exports`."""
    plain = {"name": name, "kind": "tool", "entry": "tools/greet.ts", "description": f"Does {name}."}
    return {**plain, **changes}


def draft_manifest(**changes: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "id": "greeter",
        "name": "Greeter",
        "version": "1.0.0",
        "author": {"name": "Anna", "publisherId": "anna"},
        "description": "Greets people.",
        "exports": [export()],
    }
    return {**plain, **changes}


def written_draft(
    folder: Path, content: Mapping[str, Any] | None = None, files: Mapping[str, str] | None = None
) -> Path:
    """Write a draft with one tool into a folder."""
    manifest = json.dumps(content if content is not None else draft_manifest())
    for path, text in {"manifest.json": manifest, **TOOL, **(files or {})}.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder
