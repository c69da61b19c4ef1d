"""What a recorded manifest asks for and brings beside its tools: assistants, SOPs, accounts, mail, knowledge."""

from collections.abc import Iterator
from dataclasses import dataclass

from notochord.core.strict_json import Json
from notochord.services.gems.agent_declarations import agents_of
from notochord.services.gems.api import AskedAccount, GemAgent, GemProcedure
from notochord.services.gems.manifest import Manifest

JsonObject = dict[str, Json]


@dataclass(frozen=True, slots=True)
class Asked:
    """What only the user can grant; nothing of it is open after the installation (GEMUI-014)."""

    accounts: tuple[AskedAccount, ...]
    reads_mail: bool
    knowledge: tuple[str, ...]
    knowledge_reason: str


def asked_by(manifest: Manifest) -> Asked:
    """Return what a manifest asks for; a part that this version does not know counts as not asked for."""
    permissions = _object(manifest.raw.get("permissions"))
    knowledge = _object(permissions.get("knowledge"))
    return Asked(
        accounts=tuple(
            AskedAccount(_text(entry, "id"), _text(entry, "reason")) for entry in _objects(permissions, "connections")
        ),
        reads_mail=_object(permissions.get("email")).get("read") is True,
        knowledge=tuple(dict.fromkeys(one for one in _list(knowledge, "permissions") if isinstance(one, str))),
        knowledge_reason=_text(knowledge, "reason"),
    )


def agents_in(manifest: Manifest) -> tuple[GemAgent, ...]:
    """Return the assistants, each with everything that any of its models has to be able to do."""
    required = {_text(entry, "name"): tuple(_required(entry)) for entry in _objects(manifest.raw, "agents")}
    return tuple(
        GemAgent(one.name, one.description, one.exposed, tuple(dict.fromkeys(required.get(one.name, ()))))
        for one in agents_of(manifest.raw)
    )


def procedures_in(manifest: Manifest) -> tuple[GemProcedure, ...]:
    """Return the SOPs with what starts them (GEMUI-045)."""
    found = []
    for entry in _objects(manifest.raw, "workflows"):
        trigger = _object(entry.get("trigger"))
        kind = _text(trigger, "type") or "manual"
        event = ".".join(filter(None, (_text(trigger, "source"), _text(trigger, "name"))))
        when = _text(trigger, "expr") if kind == "cron" else event
        found.append(GemProcedure(_text(entry, "name"), _text(entry, "description"), kind, when))
    return tuple(found)


def pages_in(manifest: Manifest) -> tuple[str, ...]:
    """Return the names of the gem's own pages."""
    entries = _list(manifest.raw, "pages")
    return tuple(
        name
        for entry in entries
        if (name := _text(entry, "title") or _text(entry, "name") if isinstance(entry, dict) else str(entry))
    )


def _required(agent: JsonObject) -> Iterator[str]:
    for model in _object(agent.get("models")).values():
        for ability in _list(_object(model), "requires"):
            if isinstance(ability, str):
                yield ability


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _list(holder: JsonObject, name: str) -> list[Json]:
    value = holder.get(name)
    return value if isinstance(value, list) else []


def _objects(holder: JsonObject, name: str) -> list[JsonObject]:
    return [entry for entry in _list(holder, name) if isinstance(entry, dict)]


def _text(holder: JsonObject, name: str) -> str:
    value = holder.get(name)
    return value if isinstance(value, str) else ""
