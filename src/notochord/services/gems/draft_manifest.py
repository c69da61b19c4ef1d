"""Turns the manifest of a draft, `manifest.json`, into that of a package, `notochord.json`, and its places back."""

import re
from collections.abc import Iterator

from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.manifest import JsonObject, validator
from notochord.services.gems.problems import problem, schema_problems

DRAFT_MANIFEST = "manifest.json"

_SAME = ("id", "name", "version", "author", "license", "description", "data", "resources", "pages")
_ITEM = {
    "name": "name",
    "entry": "entry",
    "description": "description",
    "input_schema": "inputSchema",
    "output_schema": "outputSchema",
    "side_effect": "sideEffect",
    "expose": "expose",
    "trigger": "trigger",
    "limits": "limits",
}
_DRAFT_NAMES = {package: field for field, package in _ITEM.items()} | {"allowLocalNetwork": "allow_local_network"}
_SHORT = ("name", "entry", "description", "input_schema", "output_schema", "side_effect", "expose", "permissions")
_SHORT_ONLY = ("kind", "entry", "input_schema", "output_schema", "side_effect", "expose", "permissions")
_ITEM_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_SWITCHES: dict[str, Json] = {"network": True, "llm": True, "knowledge": True, "email": {"read": True}}


def shape_problems(draft: JsonObject) -> list[Problem]:
    """Return what the schema of drafts refuses, but for `data`: its own parser tells that, in its words (DECL-117)."""
    rest = {field: value for field, value in draft.items() if field != "data"}
    return schema_problems(validator("manifest"), rest)


def form_problems(draft: JsonObject) -> Iterator[Problem]:
    """Find what the schema of drafts cannot tell: the short form mixed with the long one, or incomplete."""
    if not is_short(draft):
        return
    if "exports" in draft:
        yield problem("short_form_mixed", "exports", "a draft has either exports or the fields of its one tool")
    if "entry" not in draft:
        yield problem("missing_field", "", "'entry' is a required property", field="entry")
    if not _ITEM_NAME.fullmatch(str(draft["name"])):
        yield problem("form_item", "name", f"{draft['name']!r} is the tool's name too, and none that a tool may have")


def is_short(draft: JsonObject) -> bool:
    """Tell whether a draft is its one tool itself (STUDIO-022)."""
    return any(field in draft for field in _SHORT_ONLY)


def to_package(draft: JsonObject) -> JsonObject:
    """Return the package's manifest without its generated parts, from a draft that the schema accepted."""
    manifest = {field: draft[field] for field in _SAME if field in draft}
    tools: list[Json] = []
    workflows: list[Json] = []
    for entry in _exports(draft):
        item = {_ITEM[field]: value for field, value in entry.items() if field in _ITEM}
        item.setdefault("inputSchema", {"type": "object"})
        if entry.get("kind") == "sop":
            workflows.append(item)
            continue
        if switches := _switches(entry, draft):
            item["permissions"] = switches
        tools.append(item)
    if tools:
        manifest["tools"] = tools
    if workflows:
        manifest["workflows"] = workflows
    if permissions := _permissions(draft):
        manifest["permissions"] = permissions
    return manifest


def from_package(manifest: JsonObject) -> JsonObject:
    """Return the draft's manifest that packs to a package's again, from one that the schema accepted (GEMOPEN-086)."""
    draft = {field: manifest[field] for field in _SAME if field in manifest}
    permissions = _object(manifest.get("permissions"))
    if exports := [*_as_exports(manifest, "tools", bool(permissions)), *_as_exports(manifest, "workflows", False)]:
        draft["exports"] = exports
    if "network" in permissions:
        network = _object(permissions["network"])
        draft["network"] = {_draft_name(name): value for name, value in network.items()}
    if _object(permissions.get("providers")).get("llm") is True:
        draft["llm"] = True
    draft |= {name: permissions[name] for name in ("connections", "knowledge") if name in permissions}
    if _object(permissions.get("email")).get("read") is True:
        draft["email"] = True
    return draft


def _as_exports(manifest: JsonObject, kind: str, with_list: bool) -> Iterator[Json]:
    """Return the items of a kind; with a list of permissions where the gem has some that a tool may not have."""
    items = manifest.get(kind, [])
    for item in items if isinstance(items, list) else []:
        fields = _object(item)
        entry: JsonObject = {"name": fields.get("name"), "kind": "tool" if kind == "tools" else "sop"}
        entry |= {_draft_name(name): value for name, value in fields.items() if name != "permissions"}
        if with_list:
            given = _object(fields.get("permissions"))
            entry["permissions"] = [name for name, switch in _SWITCHES.items() if given.get(name) == switch]
        yield entry


def _draft_name(field: str) -> str:
    return _DRAFT_NAMES.get(field, field)


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def place_in_draft(path: str, draft: JsonObject) -> str:
    """Return where in the draft stands what lies at `path` in the package's manifest."""
    head, _, rest = path.partition(".")
    if head in {"tools", "workflows"} and not rest:
        return "exports"
    if head in {"tools", "workflows"}:
        name, _, rest = rest.partition(".")
        return _joined(_export_named(name, head, draft), _snake(rest))
    if head == "permissions":
        name, _, rest = rest.partition(".")
        return _joined("llm" if name == "providers" else name, "" if name == "providers" else _snake(rest))
    return path


def _exports(draft: JsonObject) -> list[JsonObject]:
    if is_short(draft):
        return [{field: draft[field] for field in _SHORT if field in draft}]
    exports = draft.get("exports", [])
    return [entry for entry in exports if isinstance(entry, dict)] if isinstance(exports, list) else []


def _permissions(draft: JsonObject) -> JsonObject:
    permissions: JsonObject = {}
    if isinstance(network := draft.get("network"), dict):
        permissions["network"] = {_network_field(name): value for name, value in network.items()}
    if draft.get("llm") is True:
        permissions["providers"] = {"llm": True}
    if "connections" in draft:
        permissions["connections"] = draft["connections"]
    if "knowledge" in draft:
        permissions["knowledge"] = draft["knowledge"]
    if draft.get("email") is True:
        permissions["email"] = {"read": True}
    return permissions


def _network_field(name: str) -> str:
    return "allowLocalNetwork" if name == "allow_local_network" else name


def _switches(entry: JsonObject, draft: JsonObject) -> JsonObject:
    """Return a tool's switches: those of its own list, else all that the gem asks for (GEMOPEN-026)."""
    asked = [name for name in _SWITCHES if draft.get(name) not in (None, False)]
    names = entry.get("permissions", list(asked))
    return {str(name): _SWITCHES[str(name)] for name in names} if isinstance(names, list) else {}


def _export_named(name: str, kind: str, draft: JsonObject) -> str:
    """Return the place of an item given by its name, or by its number among the items of its kind."""
    if is_short(draft):
        return ""
    sops = kind == "workflows"
    places = [(index, entry) for index, entry in enumerate(_exports(draft)) if (entry.get("kind") == "sop") is sops]
    for number, (index, entry) in enumerate(places):
        if name in {str(number), entry.get("name")}:
            return f"exports.{index}"
    return f"exports.{name}"


def _snake(path: str) -> str:
    """Write the first part of a path as drafts do; what lies deeper belongs to the author."""
    first, dot, rest = path.partition(".")
    if first == "permissions":  # a list of names in drafts
        return first
    return _draft_name(first) + dot + rest


def _joined(first: str, rest: str) -> str:
    return ".".join(part for part in (first, rest) if part)
