"""Checks what a manifest declares against itself and against the files of the package (step 6)."""

from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.agent_declarations import is_platform_tool, prompt_of
from notochord.services.gems.db_declarations import db_problems
from notochord.services.gems.hosts import fault_of
from notochord.services.gems.input_schemas import compile_schema
from notochord.services.gems.knowledge_permissions import knowledge_problems
from notochord.services.gems.manifest import Manifest, ToolRecord
from notochord.services.gems.page_declarations import page_problems
from notochord.services.gems.problems import problem, refusal
from notochord.services.gems.resource_declarations import resource_problems
from notochord.services.gems.sop_declarations import sop_problems
from notochord.services.gems.wasm_declarations import wasm_fault

MAX_EXPOSED = 5
MAX_EXPOSED_DESCRIPTION = 200
MAX_SKILL_BYTES = 65_536
REFERENCE_SUFFIXES = frozenset({".md", ".txt", ".json", ".jsonl", ".csv", ".tsv", ".yaml", ".yml", ".xml"})
ENTRY_SUFFIXES = frozenset({".js", ".mjs", ".ts", ".wasm"})

DataFaults = Callable[[Json], tuple[str, ...]]


def check_declarations(manifest: Manifest, folder: Path, faults: DataFaults) -> None:
    """Raise NotochordError with a line for each declaration that cannot be accepted, the first first.

    Its code is the first one's: PERM_INVALID, or of an SOP WORKFLOW_INVALID or INPUT_INVALID.

    `folder` holds the files of the package, whose integrity is established already; `faults` tells what is wrong with
    a `data` section.
    """
    found = declaration_problems(manifest, folder)
    found += data_problems(manifest.raw.get("data", {}), manifest.files, faults)
    if found:
        raise refusal(found)


def declaration_problems(manifest: Manifest, folder: Path) -> list[Problem]:
    """Return everything that cannot be accepted but for the `data` section; `folder` holds the files of the package or
    the draft."""
    checks: tuple[Callable[[Manifest, Path], Iterator[Problem]], ...] = (
        _names,
        _tools,
        _agents,
        sop_problems,
        _exposed,
        _permissions,
        _knowledge,
        _network,
        _skill,
        db_problems,
        _docs,
        page_problems,
        resource_problems,
    )
    return [found for check in checks for found in check(manifest, folder)]


def data_problems(declared: Json, files: Collection[str], faults: DataFaults) -> list[Problem]:
    """Return what is wrong with the `data` section of a package with these files (DATA-104, DATA-378)."""
    found = list(faults(declared))
    collections = declared.get("collections") if isinstance(declared, dict) else None
    for name, value in collections.items() if isinstance(collections, dict) else ():
        module = value.get("migrations") if isinstance(value, dict) else None
        if isinstance(module, str) and module not in files:
            found.append(f"{name}.migrations: {module[:200]!r} is not a file of the package")
    return [problem("data", "data", line, reason=line) for line in found]


def _names(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    """Find names that two items have: all items of a gem share one name space (GEM-093)."""
    seen: set[str] = set()
    names = [tool.name for tool in manifest.tools]
    names += [agent.name for agent in manifest.agents]
    names += [sop.name for sop in manifest.sops]
    for name in names:
        if name in seen:
            yield problem("item_repeated", "expose", f"two items are named {name}", name=name)
        seen.add(name)


def _tools(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    for tool in manifest.tools:
        where = f"tools.{tool.name}"
        if tool.entry not in manifest.files or Path(tool.entry).suffix not in ENTRY_SUFFIXES:
            detail = f"{tool.entry!r} is no .js, .mjs, .ts or .wasm file of the package"
            yield problem("entry", f"{where}.entry", detail, entry=tool.entry)
        elif tool.entry.endswith(".wasm") and (fault := wasm_fault((folder / tool.entry).read_bytes())):
            yield problem("wasm", f"{where}.entry", f"{tool.entry!r} has to be {fault}", entry=tool.entry, reason=fault)
        try:
            compile_schema(tool.schema)
        except ValueError as error:
            yield problem("input_schema", f"{where}.inputSchema", str(error), reason=str(error))


def _agents(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    """Check that what agents name exists (PKG-038); their form is the schema's affair."""
    tools = {tool.name for tool in manifest.tools}
    for agent in manifest.agents:
        where = f"agents.{agent.name}"
        if agent.entry != f"agents/{agent.name}.md" or agent.entry not in manifest.files:
            yield problem("entry", f"{where}.entry", f"{agent.entry!r} is not its file", entry=agent.entry)
        elif not _is_utf8(folder / agent.entry):
            yield problem("not_utf8", agent.entry, "not UTF-8 text")
        elif not prompt_of((folder / agent.entry).read_text(encoding="utf-8")):
            yield problem("agent_body", agent.entry, "the text after the header, the system prompt, is missing")
        for name in agent.tools:
            if name not in tools:
                yield problem("agent_tool", f"{where}.tools", f"there is no tool {name}", name=name)
        for name in agent.platform_tools:
            if not is_platform_tool(name):
                yield problem("agent_platform_tool", f"{where}.platformTools", f"{name!r} may not be used", name=name)
    entries = {agent.entry for agent in manifest.agents}
    for path in sorted(path for path in manifest.files if path.startswith("agents/") and path not in entries):
        yield problem("agent_unlisted", path, "the file of no agent of the manifest")


def _exposed(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    agents, sops = manifest.exposed_agents, manifest.exposed_sops
    count = len(manifest.exposed) + len(agents) + len(sops)
    if count > MAX_EXPOSED:
        detail = f"{count} items are exposed, at most {MAX_EXPOSED} may be"
        yield problem("exposed_too_many", "expose", detail, count=count, limit=MAX_EXPOSED)
    described = [(f"tools.{tool.name}", tool.description) for tool in manifest.exposed]
    described += [(f"agents.{agent.name}", agent.description) for agent in agents]
    described += [(f"workflows.{sop.name}", sop.description) for sop in sops]
    for where, description in described:
        if len(description) > MAX_EXPOSED_DESCRIPTION:
            detail = f"an exposed item's description has at most {MAX_EXPOSED_DESCRIPTION} characters"
            yield problem("exposed_too_long", f"{where}.description", detail, limit=MAX_EXPOSED_DESCRIPTION)


def _permissions(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    if len(set(manifest.connections)) != len(manifest.connections):
        yield problem("connection_repeated", "permissions.connections", "an id is given twice")
    for tool in manifest.tools:
        yield from _permissions_of(tool, manifest)


def _permissions_of(tool: ToolRecord, manifest: Manifest) -> Iterator[Problem]:
    permissions = manifest.raw.get("permissions")
    declared = permissions if isinstance(permissions, dict) else {}
    wanted = (
        (tool.network, "network", manifest.network is not None, "permissions.network"),
        (tool.llm, "llm", manifest.llm, "permissions.providers.llm"),
        (tool.knowledge, "knowledge", "knowledge" in declared, "permissions.knowledge"),
        (tool.email, "email", manifest.email, "permissions.email.read"),
    )
    for asked, name, has, field in wanted:
        if asked and not has:
            where = f"tools.{tool.name}.permissions.{name}"
            yield problem("permission_undeclared", where, f"{field} of the gem is missing", name=name)


def _knowledge(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    permissions = manifest.raw.get("permissions")
    return knowledge_problems(permissions.get("knowledge") if isinstance(permissions, dict) else None)


def _network(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    network = manifest.network
    if network is None:
        return
    where = "permissions.network.hosts"
    if not network.hosts and not network.local:
        yield problem("hosts_empty", where, "empty, which only allowLocalNetwork permits")
    for host in network.hosts:
        if fault := fault_of(host, local=network.local):
            yield problem("host", where, f"{host!r} has to be {fault}", host=host)


def _skill(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    paths = sorted(path for path in manifest.files if path.startswith("skill/"))
    if paths and "skill/SKILL.md" not in paths:
        yield problem("skill_missing", "skill/", "SKILL.md is missing")
    for path in paths:
        if path != "skill/SKILL.md" and not path.startswith("skill/references/"):
            yield problem("skill_only", path, "skill/ holds nothing but SKILL.md and references/")
        elif path != "skill/SKILL.md" and Path(path).suffix.lower() not in REFERENCE_SUFFIXES:
            kinds = ", ".join(sorted(REFERENCE_SUFFIXES))
            yield problem("skill_kind", path, f"a reference is a text file ({kinds})", kinds=kinds)
        elif manifest.files[path].size > MAX_SKILL_BYTES:
            yield problem("skill_size", path, f"over {MAX_SKILL_BYTES} bytes", limit=MAX_SKILL_BYTES)
        elif not _is_utf8(folder / path):
            yield problem("not_utf8", path, "not UTF-8 text")


def _docs(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    for path in sorted(manifest.files):
        if path.startswith("docs/") and not path.endswith(".md"):
            yield problem("docs_kind", path, "docs/ holds only .md files")


def _is_utf8(path: Path) -> bool:
    try:
        path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return False
    return True
