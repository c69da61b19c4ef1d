"""What a recorded manifest brings beside its tools and agents: SOPs with what starts them, pages, asked accounts,
files to be downloaded."""

from notochord.core.strict_json import Json
from notochord.services.gems.api import AskedAccount, ExtraFile, GemProcedure
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.resource_declarations import resources_of
from notochord.services.gems.sop_calls import SopCalls

JsonObject = dict[str, Json]


def accounts_in(manifest: Manifest) -> tuple[AskedAccount, ...]:
    """Return the accounts that a gem asks for, none of them chosen yet."""
    permissions = _object(manifest.raw.get("permissions"))
    return tuple(
        AskedAccount(_text(entry, "id"), _text(entry, "reason")) for entry in _objects(permissions, "connections")
    )


def procedures_in(manifest: Manifest, calls: SopCalls) -> tuple[GemProcedure, ...]:
    """Return the SOPs with what starts them and what they call (GEMUI-045, SOP-143 to SOP-147)."""
    return tuple(
        GemProcedure(sop.name, sop.description, sop.trigger.kind.value, sop.trigger.when, calls.get(sop.name, ()))
        for sop in manifest.sops
    )


def pages_in(manifest: Manifest) -> tuple[tuple[str, str], ...]:
    """Return name and title of the gem's own pages; one without a title is called by its name."""
    entries = [(_text(entry, "name"), _text(entry, "title")) for entry in _objects(manifest.raw, "pages")]
    return tuple((name, title or name) for name, title in entries if name)


def files_in(manifest: Manifest) -> tuple[ExtraFile, ...]:
    """Return the files that are downloaded for a gem, each by its description or id (RES-013, RES-014)."""
    return tuple(
        ExtraFile(one.description or one.id, one.size, one.hosts, one.required) for one in resources_of(manifest.raw)
    )


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}


def _objects(holder: JsonObject, name: str) -> list[JsonObject]:
    value = holder.get(name)
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _text(holder: JsonObject, name: str) -> str:
    value = holder.get(name)
    return value if isinstance(value, str) else ""
