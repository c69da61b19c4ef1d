"""The manifest of a gem as a value, and the check of its format against the shipped JSON Schema."""

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from jsonschema import Draft202012Validator

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import shipped
from notochord.core.strict_json import Json, decode
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.agent_declarations import AgentRecord, agents_of
from notochord.services.gems.names import fault_of
from notochord.services.gems.problems import problem, refusal, schema_problems
from notochord.services.gems.sop_records import NEW_MAIL, SopRecord, TriggerKind, sops_of
from notochord.services.tools.api import SideEffect

RESERVED_PREFIX = "draft-test."
MAX_EXACT = 2**53 - 1

JsonObject = dict[str, Json]


@dataclass(frozen=True, slots=True)
class FileRecord:
    """What a file of the package has to be."""

    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class ToolRecord:
    """One entry of `tools`."""

    name: str
    entry: str
    description: str
    schema: JsonObject
    side_effect: SideEffect
    exposed: bool
    network: bool
    llm: bool
    knowledge: bool = False
    email: bool = False


@dataclass(frozen=True, slots=True)
class NetworkRecord:
    hosts: tuple[str, ...]
    local: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """The manifest as it was at installation; nothing else decides what the gem may do (PERM-010, PKG-088)."""

    id: str
    name: str
    version: str
    publisher: str
    description: str
    tools: tuple[ToolRecord, ...]
    network: NetworkRecord | None
    llm: bool
    connections: tuple[str, ...]
    agents: tuple[AgentRecord, ...]
    sops: tuple[SopRecord, ...]
    knowledge: tuple[str, ...]
    email: bool
    files: dict[str, FileRecord]
    raw: JsonObject

    def tool(self, name: str) -> ToolRecord | None:
        return next((tool for tool in self.tools if tool.name == name), None)

    def agent(self, name: str) -> AgentRecord | None:
        return next((agent for agent in self.agents if agent.name == name), None)

    @property
    def exposed(self) -> tuple[ToolRecord, ...]:
        return tuple(tool for tool in self.tools if tool.exposed)

    @property
    def exposed_agents(self) -> tuple[AgentRecord, ...]:
        return tuple(agent for agent in self.agents if agent.exposed)

    @property
    def exposed_sops(self) -> tuple[SopRecord, ...]:
        return tuple(sop for sop in self.sops if sop.exposed)

    @property
    def asks_for_mail(self) -> bool:
        """Whether the user has mailboxes to choose for it: its tools read mail, or an SOP hears of each new one."""
        return self.email or any((sop.trigger.source, sop.trigger.event) == NEW_MAIL for sop in self.sops)

    @property
    def works_alone(self) -> bool:
        """Whether an SOP of it starts by a schedule or an event, without a conversation (PERM-113)."""
        return any(sop.trigger.kind is not TriggerKind.MANUAL for sop in self.sops)

    @property
    def has_skill(self) -> bool:
        return "skill/SKILL.md" in self.files

    @property
    def references(self) -> tuple[str, ...]:
        return tuple(sorted(path for path in self.files if path.startswith("skill/references/")))


def check_format(content: bytes) -> JsonObject:
    """Return the manifest's JSON if it has the form of one (step 3). Raises NotochordError(PERM_INVALID)."""
    try:
        value = decode(content)
    except ValueError as error:
        raise invalid(f"notochord.json is not JSON: {error}") from error
    if found := schema_problems(validator("notochord"), value):
        raise refusal(found, "notochord.json failed schema validation: ")
    assert isinstance(value, dict)
    if found := value_problems(value):
        raise refusal(found)
    return value


def value_problems(value: JsonObject) -> list[Problem]:
    """Return what is wrong with a manifest of the right form that no schema can tell."""
    found = list(_inexact(value, ""))
    identifier = str(value["id"])
    if identifier.startswith(RESERVED_PREFIX):
        detail = f"the prefix {RESERVED_PREFIX} belongs to tests of drafts"
        found.append(problem("id_reserved", "id", detail, prefix=RESERVED_PREFIX))
    elif fault := fault_of(identifier):
        found.append(problem("id_name", "id", fault))
    return found


def read(raw: JsonObject) -> Manifest:
    """Make the value from JSON that `check_format` accepted, now or at installation."""
    permissions = _object(raw.get("permissions", {}))
    return Manifest(
        id=str(raw["id"]),
        name=str(raw["name"]),
        version=str(raw["version"]),
        publisher=str(_object(raw["author"])["publisherId"]),
        description=str(raw["description"]),
        tools=tuple(_tool(_object(entry)) for entry in _array(raw.get("tools", []))),
        network=_network(_object(permissions["network"])) if "network" in permissions else None,
        llm=_object(permissions.get("providers", {})).get("llm") is True,
        connections=tuple(str(_object(entry)["id"]) for entry in _array(permissions.get("connections", []))),
        agents=agents_of(raw),
        sops=sops_of(raw),
        knowledge=tuple(map(str, _array(_object(permissions.get("knowledge", {})).get("permissions", [])))),
        email=_object(permissions.get("email", {})).get("read") is True,
        files={path: _file(_object(entry)) for path, entry in _object(_object(raw["integrity"])["files"]).items()},
        raw=raw,
    )


def invalid(detail: str) -> NotochordError:
    """Return the error for a manifest or a declaration that cannot be accepted; `detail` names the field."""
    return NotochordError(Code.PERM_INVALID, Fault.USER, detail, reason=detail)


@cache
def validator(name: str) -> Draft202012Validator:
    """Return the check of a shipped schema: "notochord" for packages, "manifest" for drafts."""
    schema = json.loads((shipped("resources") / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema)


def _inexact(item: Json, path: str) -> Iterator[Problem]:
    """Find numbers and texts without a canonical form, so that every manifest can be signed and recorded."""
    if isinstance(item, int | float) and not (abs(item) <= MAX_EXACT or _is_large_float(item)):
        yield problem("inexact_number", path, "a number is too large to be kept exactly")
    if isinstance(item, str) and not _is_text(item):
        yield problem("half_character", path, "a text with a lone surrogate")
    parts = item.items() if isinstance(item, dict) else enumerate(item) if isinstance(item, list) else ()
    for key, inner in parts:
        if isinstance(key, str) and not _is_text(key):
            yield problem("half_character", path, "a name with a lone surrogate")
        else:
            yield from _inexact(inner, f"{path}.{key}" if path else str(key))


def _is_large_float(item: float) -> bool:
    return isinstance(item, float) and math.isfinite(item)


def _is_text(text: str) -> bool:
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _tool(entry: JsonObject) -> ToolRecord:
    permissions = _object(entry.get("permissions", {}))
    return ToolRecord(
        name=str(entry["name"]),
        entry=str(entry["entry"]),
        description=str(entry["description"]),
        schema=_object(entry["inputSchema"]),
        side_effect=SideEffect(str(entry.get("sideEffect", SideEffect.WRITE.value))),
        exposed=entry.get("expose") is True,
        network=permissions.get("network") is True,
        llm=permissions.get("llm") is True,
        knowledge=permissions.get("knowledge") is True,
        email=_object(permissions.get("email", {})).get("read") is True,
    )


def _network(entry: JsonObject) -> NetworkRecord:
    return NetworkRecord(
        hosts=tuple(str(host) for host in _array(entry["hosts"])),
        local=entry.get("allowLocalNetwork") is True,
        reason=str(entry["reason"]),
    )


def _file(entry: JsonObject) -> FileRecord:
    size = entry["size"]
    assert isinstance(size, int | float)
    return FileRecord(str(entry["sha256"]), int(size))


def _object(value: Json) -> JsonObject:
    assert isinstance(value, dict)
    return value


def _array(value: Json) -> list[Json]:
    assert isinstance(value, list)
    return value
