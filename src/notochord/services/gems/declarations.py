"""Checks what a manifest declares against itself and against the files of the package (step 6)."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from notochord.core.strict_json import Json
from notochord.services.gems.hosts import fault_of
from notochord.services.gems.input_schemas import compile_schema
from notochord.services.gems.manifest import MAX_REPORTED, Manifest, ToolRecord, invalid

MAX_EXPOSED = 5
MAX_EXPOSED_DESCRIPTION = 200
MAX_SKILL_BYTES = 65_536
REFERENCE_SUFFIXES = frozenset({".md", ".txt", ".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml", ".xml"})
ENTRY_SUFFIXES = frozenset({".js", ".mjs", ".ts"})

DataFaults = Callable[[Json], tuple[str, ...]]

_LATER_FIELDS = ("agents", "workflows", "pages", "resources")
_LATER_PERMISSIONS = ("knowledge", "email")
_LATER_FOLDERS = ("agents", "workflows", "pages", "db")
_CANNOT = "this version of Notochord cannot run it, so the gem is not installed"


def check_declarations(manifest: Manifest, folder: Path, faults: DataFaults) -> None:
    """Raise NotochordError(PERM_INVALID) with a line for each declaration that cannot be accepted, the first first.

    `folder` holds the files of the package, whose integrity is established already; `faults` tells what is wrong with
    a `data` section.
    """
    checks: tuple[Callable[[Manifest, Path], Iterator[str]], ...] = (
        _later,
        _tools,
        _exposed,
        _permissions,
        _network,
        _skill,
        _docs,
    )
    lines = [line for check in checks for line in check(manifest, folder)]
    lines += data_faults(manifest.raw.get("data"), manifest.files, faults)
    if lines:
        raise invalid("\n".join(lines[:MAX_REPORTED]))


def data_faults(declared: Json, files: Collection[str], faults: DataFaults) -> list[str]:
    """Return what is wrong with the `data` section of a package with these files (DATA-104, DATA-378)."""
    found = list(faults(declared))
    collections = declared.get("collections") if isinstance(declared, dict) else None
    for name, value in collections.items() if isinstance(collections, dict) else ():
        module = value.get("migrations") if isinstance(value, dict) else None
        if isinstance(module, str) and module not in files:
            found.append(f"{name}.migrations: {module[:200]!r} is no file of the package")
    return [f"data: {line}" for line in found]


def _later(manifest: Manifest, folder: Path) -> Iterator[str]:
    """Refuse what a later version will run: a gem is never installed with a part of it silently missing."""
    for field in _LATER_FIELDS:
        if manifest.raw.get(field):
            yield f"{field}: {_CANNOT}"
    permissions = manifest.raw.get("permissions", {})
    for field in _LATER_PERMISSIONS:
        if isinstance(permissions, dict) and field in permissions:
            yield f"permissions.{field}: {_CANNOT}"
    for name in _LATER_FOLDERS:
        if any(path.startswith(f"{name}/") for path in manifest.files):
            yield f"{name}/: {_CANNOT}"


def _tools(manifest: Manifest, folder: Path) -> Iterator[str]:
    seen: set[str] = set()
    for tool in manifest.tools:
        if tool.name in seen:
            yield f"expose: two items are named {tool.name}"
        seen.add(tool.name)
        if tool.entry.endswith(".wasm"):
            yield f"tools.{tool.name}.entry: a .wasm tool: {_CANNOT}"
        elif tool.entry not in manifest.files or Path(tool.entry).suffix not in ENTRY_SUFFIXES:
            yield f"tools.{tool.name}.entry: {tool.entry!r} is no .js, .mjs or .ts file of the package"
        try:
            compile_schema(tool.schema)
        except ValueError as error:
            yield f"tools.{tool.name}.inputSchema: {error}"


def _exposed(manifest: Manifest, folder: Path) -> Iterator[str]:
    if len(manifest.exposed) > MAX_EXPOSED:
        yield f"expose: {len(manifest.exposed)} items are exposed, at most {MAX_EXPOSED} may be"
    for tool in manifest.exposed:
        if len(tool.description) > MAX_EXPOSED_DESCRIPTION:
            yield (
                f"tools.{tool.name}.description: an exposed item's description has at most "
                f"{MAX_EXPOSED_DESCRIPTION} characters"
            )


def _permissions(manifest: Manifest, folder: Path) -> Iterator[str]:
    if len(set(manifest.connections)) != len(manifest.connections):
        yield "permissions.connections: an id is given twice"
    for tool in manifest.tools:
        yield from _permissions_of(tool, manifest)


def _permissions_of(tool: ToolRecord, manifest: Manifest) -> Iterator[str]:
    where = f"tools.{tool.name}.permissions"
    if tool.network and manifest.network is None:
        yield f"{where}.network: permissions.network of the gem is missing"
    if tool.llm:
        yield f"{where}.llm: {_CANNOT}"
    raw = next(entry for entry in _raw_tools(manifest) if entry.get("name") == tool.name).get("permissions", {})
    for field in _LATER_PERMISSIONS:
        if isinstance(raw, dict) and raw.get(field):
            yield f"{where}.{field}: {_CANNOT}"


def _raw_tools(manifest: Manifest) -> Iterator[dict[str, object]]:
    tools = manifest.raw.get("tools", [])
    for entry in tools if isinstance(tools, list) else []:
        if isinstance(entry, dict):
            yield dict(entry)


def _network(manifest: Manifest, folder: Path) -> Iterator[str]:
    network = manifest.network
    if network is None:
        return
    if not network.hosts and not network.local:
        yield "permissions.network.hosts: empty, which only allowLocalNetwork permits"
    for host in network.hosts:
        if fault := fault_of(host, local=network.local):
            yield f"permissions.network.hosts: {host!r} has to be {fault}"


def _skill(manifest: Manifest, folder: Path) -> Iterator[str]:
    paths = sorted(path for path in manifest.files if path.startswith("skill/"))
    if paths and "skill/SKILL.md" not in paths:
        yield "skill/: SKILL.md is missing"
    for path in paths:
        if path != "skill/SKILL.md" and not path.startswith("skill/references/"):
            yield f"{path}: skill/ holds nothing but SKILL.md and references/"
        elif path != "skill/SKILL.md" and Path(path).suffix.lower() not in REFERENCE_SUFFIXES:
            yield f"{path}: a reference is a text file ({', '.join(sorted(REFERENCE_SUFFIXES))})"
        elif manifest.files[path].size > MAX_SKILL_BYTES:
            yield f"{path}: over {MAX_SKILL_BYTES} bytes"
        elif not _is_utf8(folder / path):
            yield f"{path}: not UTF-8 text"


def _docs(manifest: Manifest, folder: Path) -> Iterator[str]:
    for path in sorted(manifest.files):
        if path.startswith("docs/") and not path.endswith(".md"):
            yield f"{path}: docs/ holds only .md files"


def _is_utf8(path: Path) -> bool:
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True
