"""The agents of a gem: read from the headers of their files when it is packed, from `agents` of the manifest later."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import yaml

from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.problems import problem

JsonObject = dict[str, Json]

MAX_HEADER_CHARACTERS = 65_536

_FOLDER = "agents/"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_HEADER = re.compile(r"\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*(?:\r?\n(.*))?\Z", re.DOTALL | re.MULTILINE)
PLATFORM_TOOLS = frozenset({
    *("fs.cat", "fs.delete", "fs.edit", "fs.list", "fs.make_folder", "fs.move", "fs.search", "fs.write"),
    "http.request",
})  # fmt: skip
"""The tools of the program that an agent of a gem may ask for; none of another gem, none that finds or starts others
(AGENT-019 to AGENT-023), and none that this version does not have (GEMOPEN-047)."""

MAIN = "main"
"""The model that an agent converses with; it is there even when it is not written (AGENT-025)."""

_KEYS: Mapping[str, type] = {
    "description": str,
    "tools": list,
    "platform_tools": list,
    "models": dict,
    "expose": bool,
}
_EMPTY: Mapping[str, Json] = {"tools": [], "platform_tools": [], "models": {}, "expose": False}


@dataclass(frozen=True, slots=True)
class AgentRecord:
    """One entry of `agents` of a packaged manifest; nothing else decides what the agent may use (AGENT-032)."""

    name: str
    entry: str
    description: str
    tools: tuple[str, ...]
    platform_tools: tuple[str, ...]
    exposed: bool
    requires: tuple[str, ...] = ()
    """What the model `main` has to be able to do, without repeats."""


def agents_of(raw: JsonObject) -> tuple[AgentRecord, ...]:
    """Return the agents of a manifest that the schema accepted."""
    entries = raw.get("agents", [])
    return tuple(_record(entry) for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()


def is_platform_tool(name: str) -> bool:
    """Tell whether an agent of a gem may ask for a tool."""
    return name in PLATFORM_TOOLS


def read_agents(files: Mapping[str, bytes]) -> tuple[list[Json], list[Problem]]:
    """Return the `agents` that a package's manifest gets, and what is wrong with their files (AGENT-001 to 031)."""
    agents: list[Json] = []
    problems: list[Problem] = []
    for path in sorted(path for path in files if path.startswith(_FOLDER)):
        found = list(_place_problems(path))
        header: JsonObject = {}
        if not found:
            header, found = _header(path, files[path])
        problems += found
        if not found:
            agents.append(_entry(path, header))
    return agents, problems


def _record(entry: JsonObject) -> AgentRecord:
    return AgentRecord(
        name=str(entry["name"]),
        entry=str(entry["entry"]),
        description=str(entry["description"]),
        tools=_texts(entry["tools"]),
        platform_tools=_texts(entry["platformTools"]),
        exposed=entry["expose"] is True,
        requires=_requires(entry["models"]),
    )


def _requires(models: Json) -> tuple[str, ...]:
    main = models.get(MAIN) if isinstance(models, dict) else None
    return tuple(dict.fromkeys(_texts(main.get("requires", [])))) if isinstance(main, dict) else ()


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(str(item) for item in value) if isinstance(value, list) else ()


def _place_problems(path: str) -> Iterator[Problem]:
    name = path.removeprefix(_FOLDER)
    if "/" in name:
        yield problem("agent_folder", path, "an agent's file lies directly in agents/")
    elif not name.endswith(".md"):
        yield problem("agent_kind", path, "agents/ holds only .md files")
    elif not _NAME.fullmatch(name.removesuffix(".md")):
        yield problem("agent_name", path, "the name has to be lower-case letters, digits and underscores")


def _header(path: str, content: bytes) -> tuple[JsonObject, list[Problem]]:
    """Return the header of an agent's file as JSON, and what is wrong with the file."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return {}, [problem("not_utf8", path, "not UTF-8 text")]
    parts = _HEADER.match(text)
    if parts is None or len(parts[1]) > MAX_HEADER_CHARACTERS:
        return {}, [problem("agent_header", path, "the file has to begin with a header between two lines ---")]
    try:
        header = _yaml(parts[1])
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:300]
        return {}, [problem("agent_yaml", path, f"the header cannot be read: {reason}", reason=reason)]
    found = list(_field_problems(path, header))
    if not (parts[2] or "").strip():
        found.append(problem("agent_body", path, "the text after the header, the system prompt, is missing"))
    return header, found


def prompt_of(text: str) -> str:
    """Return the system prompt that an agent's file holds: what follows its header (AGENT-033)."""
    parts = _HEADER.match(text)
    return (parts[2] or "").strip() if parts is not None else ""


def _yaml(text: str) -> JsonObject:
    """Read a header. Raises YAMLError, ValueError for anything but plain values."""
    if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(text, Loader=yaml.SafeLoader)):
        raise ValueError("references to other places (*name) are not supported")
    value: object = yaml.safe_load(text)
    if not isinstance(value, dict):
        raise ValueError("it has to be a list of names and values")
    return {_key(key): _plain(item) for key, item in value.items()}


def _plain(value: object) -> Json:
    """Return a value as JSON. Raises ValueError for what the header has no use for: dates, fractions, sets."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_key(key): _plain(item) for key, item in value.items()}
    raise ValueError(f"{value!r} has to be written in quotation marks")


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise ValueError(f"the name {key!r} has to be written in quotation marks")
    return key


def _field_problems(path: str, header: JsonObject) -> Iterator[Problem]:
    for key in sorted(header.keys() - _KEYS.keys()):
        yield problem("agent_key", path, f"{key!r} may not stand in the header", field=key[:100])
    if "description" not in header:
        yield problem("missing_field", path, "'description' is missing in the header", field="description")
    for key, kind in _KEYS.items():
        if key in header and not isinstance(header[key], kind):
            yield problem("agent_value", path, f"{key} has to be a {kind.__name__}", field=key)
    for name in _listed(header, "platform_tools"):
        if not isinstance(name, str) or not is_platform_tool(name):
            yield problem("agent_platform_tool", path, f"{name!r} may not be used", name=str(name)[:100])
    for name in _listed(header, "tools"):
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            yield problem("agent_tool", path, f"there is no tool {name!r}", name=str(name)[:100])


def _listed(header: JsonObject, key: str) -> Sequence[Json]:
    value = header.get(key, [])
    return value if isinstance(value, list) else []


def _entry(path: str, header: JsonObject) -> JsonObject:
    filled = {**_EMPTY, **header}
    models = filled["models"]
    return {
        "name": path.removeprefix(_FOLDER).removesuffix(".md"),
        "entry": path,
        "description": filled["description"],
        "tools": filled["tools"],
        "platformTools": filled["platform_tools"],
        "models": {name: value or {} for name, value in models.items()} if isinstance(models, dict) else {},
        "expose": filled["expose"],
    }
