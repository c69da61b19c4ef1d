"""Finds everything that is wrong with a draft, in the words and places of its own manifest."""

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.agent_declarations import read_agents
from notochord.services.gems.declarations import DataFaults, data_problems, declaration_problems
from notochord.services.gems.draft_files import DraftFiles, read_files
from notochord.services.gems.draft_manifest import form_problems, is_short, place_in_draft, shape_problems, to_package
from notochord.services.gems.manifest import JsonObject, read, validator, value_problems
from notochord.services.gems.packing import with_generated_parts, written_manifest
from notochord.services.gems.problems import line_of, schema_problems

MISSHAPEN = "notochord.json failed schema validation: "
"""Begins what is told of the form of a `data` section that is written as the package has it (DATA-103)."""

_STAND_INS: JsonObject = {
    "id": "draft",
    "name": "Draft",
    "version": "0.0.0",
    "author": {"name": "Author", "publisherId": "author"},
    "description": "Draft.",
}
"""What takes the place of a required field with a problem, so that the rest can be looked at too."""

_OF_SOPS = frozenset({"sop_target", "sop_calls_sop", "sop_unlisted"})

_FOLLOWING = {
    "network": frozenset({"permission_undeclared"}),
    "llm": frozenset({"permission_undeclared"}),
    "permissions": frozenset({"permission_undeclared"}),
    "exports": frozenset({"agent_tool", *_OF_SOPS}),
    "tools": frozenset({"agent_tool", "sop_target"}),
    "workflows": _OF_SOPS,
    "agents": frozenset({"agent_unlisted", "sop_target"}),
    "pages": frozenset({"page_undeclared"}),
}
"""Kinds of problems that may only follow from a field with problems, which is left out of the rest."""


def check_draft(draft: Path, faults: DataFaults) -> list[Problem]:
    """Return every problem of a draft, those of its files first; `faults` tells what is wrong with a `data` section.

    Raises NotochordError(FILE_MISSING) for what is no folder, and OSError.
    """
    found = read_files(draft)
    if found.problems:
        return found.problems
    written, problems = written_manifest(found)
    if problems and not written:
        return [replace(one, path=found.manifest_name) for one in problems]
    return problems + _manifest_problems(found, written, faults)


def _manifest_problems(found: DraftFiles, written: JsonObject, faults: DataFaults) -> list[Problem]:
    problems: list[Problem] = []
    given = {name: value for name, value in written.items() if name not in {"agents", "integrity"}}
    if found.is_draft:
        problems = shape_problems(given) or list(form_problems(given))
        if problems and is_short(given):
            return problems
    sound = _without(given, problems)
    package = to_package(sound) if found.is_draft else sound
    agents, agent_problems = read_agents(found.packed)
    problems = problems + agent_problems
    later = _package_problems(found, with_generated_parts(package, agents, found.packed), faults)
    if found.is_draft:
        later = [replace(one, path=place_in_draft(one.path, given)) for one in later]
    hidden = set().union(*(_FOLLOWING.get(_head(one.path), frozenset()) for one in problems))
    return problems + [one for one in later if one.kind not in hidden]


def _package_problems(found: DraftFiles, package: JsonObject, faults: DataFaults) -> list[Problem]:
    """Check the packed manifest as the installation does, the rest of it too where a part has problems."""
    problems = schema_problems(validator("notochord"), package)
    shape = [one for one in problems if _head(one.path) == "data"]
    problems = [one for one in problems if one not in shape]
    if found.is_draft or not shape:
        problems += data_problems(package.get("data", {}), found.packed, faults)
    else:
        problems += [replace(one, path="", detail=f"{MISSHAPEN}{line_of(one)}") for one in shape]
    sound = _without(package, problems)
    if not problems:
        problems = value_problems(sound)
        sound = _without(sound, problems)
    if "integrity" not in sound:
        return problems
    hidden = set().union(*(_FOLLOWING.get(_head(one.path), frozenset()) for one in problems))
    later = declaration_problems(read(sound), found.folder)
    return problems + [one for one in later if one.kind not in hidden]


def _without(manifest: JsonObject, problems: Iterable[Problem]) -> JsonObject:
    """Return a manifest without the fields and items that have problems, with stand-ins for those it must have."""
    left_out = {_field(one) for one in problems}
    kept: JsonObject = {}
    for name, value in manifest.items():
        if isinstance(value, list) and name not in left_out:
            kept[name] = _items(name, value, left_out)
        elif name not in left_out:
            kept[name] = value
    if left_out:
        kept |= {name: value for name, value in _STAND_INS.items() if name not in kept}
    return kept


def _items(name: str, items: list[Json], left_out: set[str]) -> list[Json]:
    return [item for number, item in enumerate(items) if f"{name}.{number}" not in left_out]


def _field(found: Problem) -> str:
    """Return what has to be left out because of a problem: an item of a list, or a whole field."""
    parts = found.path.split(".")
    if parts == [""]:
        return str(found.parameters.get("field", ""))
    if parts[0] in {"exports", "tools", "agents", "workflows", "connections", "pages"} and len(parts) > 1:
        return ".".join(parts[:2])
    return parts[0]


def _head(path: str) -> str:
    """Return the field that a place belongs to; a file belongs to what its folder is called after."""
    return re.split("[./]", path, maxsplit=1)[0]
