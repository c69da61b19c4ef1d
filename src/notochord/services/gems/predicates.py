"""The predicates that a gem declares, and what the hint that it gives for a fact means among them (KB-144)."""

import re
from collections.abc import Sequence

from notochord.core.strict_json import Json
from notochord.services.gems.api import KnowledgePredicate
from notochord.services.gems.knowledge_permissions import check_predicate
from notochord.services.gems.manifest import Manifest

MAX_NAME = 64

_NO_NAME = re.compile(r"[^a-z0-9]+")


def predicates_of(manifest: Manifest) -> tuple[KnowledgePredicate, ...]:
    """Return the predicates that a gem declares."""
    declared = knowledge_of(manifest).get("predicates", [])
    return tuple(
        KnowledgePredicate(
            predicate=str(entry["predicate"]),
            cardinality=str(entry["cardinality"]),
            description=str(entry["description"]),
            aliases=_texts(entry.get("aliases", [])),
        )
        for entry in (declared if isinstance(declared, list) else [])
        if isinstance(entry, dict)
    )


def knowledge_of(manifest: Manifest) -> dict[str, Json]:
    """Return `permissions.knowledge` of a manifest, empty without it."""
    permissions = manifest.raw.get("permissions", {})
    declared = permissions.get("knowledge", {}) if isinstance(permissions, dict) else {}
    return declared if isinstance(declared, dict) else {}


def _texts(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else ()


def predicate_for(hint: str, declared: Sequence[KnowledgePredicate]) -> str:
    """Return the predicate that a hint means; one that nothing matches is a name below `x.` (KB-147)."""
    wanted = hint.strip()
    try:
        check_predicate(wanted)
    except ValueError:
        folded = wanted.casefold()
        for entry in declared:
            if folded in {alias.casefold() for alias in entry.aliases}:
                return entry.predicate
        for entry in declared:
            if folded == entry.description.casefold():
                return entry.predicate
        return f"x.{_name(folded)}"
    return wanted


def _name(text: str) -> str:
    name = _NO_NAME.sub("_", text).strip("_")[:MAX_NAME].strip("_")
    return name if name[:1].isalpha() else f"fact_{name}".strip("_")
