"""Turns the hint that a gem gives for a fact into a predicate: a complete one, an alias, a description (KB-144)."""

import re
from collections.abc import Sequence

from notochord.services.gems.api import KnowledgePredicate
from notochord.services.gems.knowledge_permissions import check_predicate

MAX_NAME = 64

_NO_NAME = re.compile(r"[^a-z0-9]+")


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
