"""Permissions on the knowledge base as manifests write them: `<data type>.<action>:<scope>` (PERM-145 to PERM-172)."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.problems import problem

SELF = "self"
KINDS = ("person", "org", "place", "product", "event", "other")
"""The kinds of entities that there are."""

FIRST_LEVELS = ("identity", "contact", "location", "relation", "pref", "schedule", "work", "health", "finance", "x")
USER_SELECTED = "user-selected"
TARGETS = ("diary", "keep", USER_SELECTED)
UNSCOPED = frozenset({"collections.create", "collections.bulk", "changes.manage", "origin.override"})
MAX_CHARACTERS = 256

_FACTS = frozenset({"facts.read", "facts.write"})
_ENTITIES = frozenset({"entities.resolve", "entities.read", "entities.write"})
_COLLECTIONS = frozenset({"collections.read", "collections.write"})
_LEVEL = re.compile(r"[a-z][a-z0-9_]*")
_WHERE = "permissions.knowledge"


@dataclass(frozen=True, slots=True)
class KnowledgePermission:
    """One permission. `scope` is the subject of facts, the kind of entities or the target of collections.

    `predicate` is that of facts; with `below` everything under it counts as well.
    """

    action: str
    scope: str = ""
    predicate: str = ""
    below: bool = False

    def __str__(self) -> str:
        predicate = f"{self.predicate}.*" if self.below else self.predicate
        return ":".join(part for part in (self.action, self.scope, predicate) if part)

    def covers(self, needed: "KnowledgePermission") -> bool:
        """Tell whether whoever has this may do what needs the other; whole levels only (PERM-148, PERM-157)."""
        same = self.action == needed.action
        looking_up = (self.action, needed.action) == ("entities.write", "entities.resolve")
        if not (same or looking_up) or self.scope != needed.scope:
            return False
        if self.predicate == needed.predicate:
            return self.below or not needed.below
        return self.below and needed.predicate.startswith(f"{self.predicate}.")


def parse(text: str) -> KnowledgePermission:
    """Read a permission. Raises ValueError whose text says what it has to be."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"at most {MAX_CHARACTERS} characters")
    action, colon, scope = text.partition(":")
    if action in UNSCOPED:
        if colon:
            raise ValueError(f"{action} has no scope")
        return KnowledgePermission(action)
    if action in _FACTS:
        return _of_facts(action, scope)
    if action in _ENTITIES:
        return KnowledgePermission(action, _one_of(scope, KINDS, "the kind of entities"))
    if action in _COLLECTIONS:
        return KnowledgePermission(action, _one_of(scope, TARGETS, "the target"))
    known = ", ".join(sorted(_FACTS | _ENTITIES | _COLLECTIONS | UNSCOPED))
    raise ValueError(f"it begins with one of {known}")


def check_predicate(text: str) -> None:
    """Raise ValueError unless a text is a full predicate: one of the fixed first levels and at least one more."""
    levels = text.split(".")
    if len(text) > MAX_CHARACTERS or not all(_LEVEL.fullmatch(level) for level in levels):
        raise ValueError("a predicate is words of lower-case letters, digits and underscores, with dots between them")
    if levels[0] not in FIRST_LEVELS:
        raise ValueError(f"a predicate begins with one of {', '.join(FIRST_LEVELS)}")
    if len(levels) < 2:
        raise ValueError("a predicate has at least two levels")


def granted(permissions: Iterable[str], needed: KnowledgePermission) -> bool:
    """Tell whether one of the permissions, all sound, covers what is needed."""
    return any(parse(permission).covers(needed) for permission in permissions)


def knowledge_problems(declared: Json) -> Iterator[Problem]:
    """Find what is wrong with a `permissions.knowledge` that the schema accepted."""
    if not isinstance(declared, dict):
        return
    permissions: list[tuple[str, KnowledgePermission]] = []
    for text in _listed(declared, "permissions"):
        try:
            permissions.append((f"{_WHERE}.permissions", parse(str(text))))
        except ValueError as fault:
            yield _malformed(str(text), str(fault))
    readable = [permission for _, permission in permissions if permission.action == "facts.read"]
    for where, permission in permissions:
        wanted = KnowledgePermission("facts.read", permission.scope, permission.predicate, permission.below)
        if permission.action == "facts.write" and not any(found.covers(wanted) for found in readable):
            detail = f"{permission} needs {wanted} or a facts.read that covers it"
            yield problem("knowledge_uncovered", where, detail, name=str(permission), wanted=str(wanted))
    yield from _predicate_problems(_listed(declared, "predicates"))


def _predicate_problems(predicates: list[Json]) -> Iterator[Problem]:
    seen: set[str] = set()
    for number, entry in enumerate(predicates):
        predicate = str(entry.get("predicate", "")) if isinstance(entry, dict) else ""
        where = f"{_WHERE}.predicates.{number}.predicate"
        try:
            check_predicate(predicate)
        except ValueError as fault:
            yield problem("knowledge_predicate", where, f"{predicate[:100]!r}: {fault}", name=predicate[:100])
        if predicate in seen:
            yield problem("knowledge_repeated", where, f"{predicate!r} is declared twice", name=predicate[:100])
        seen.add(predicate)


def _of_facts(action: str, scope: str) -> KnowledgePermission:
    subject, colon, prefix = scope.partition(":")
    _one_of(subject, (SELF, *KINDS), "the subject")
    if not colon:
        raise ValueError(f"a prefix follows the subject, such as {action}:{subject}:pref.food.*")
    predicate = prefix.removesuffix(".*")
    below = predicate != prefix
    try:
        check_predicate(predicate)
    except ValueError as fault:
        raise ValueError(f"{fault}; at least two stand before .*" if below or prefix == "*" else str(fault)) from fault
    return KnowledgePermission(action, subject, predicate, below)


def _one_of(value: str, choices: Iterable[str], what: str) -> str:
    if value not in choices:
        raise ValueError(f"{what} is one of {', '.join(choices)}")
    return value


def _malformed(text: str, reason: str) -> Problem:
    shown = text[:100]
    detail = f"{shown!r} is not a knowledge permission: {reason}"
    return problem("knowledge_permission", f"{_WHERE}.permissions", detail, name=shown, reason=reason)


def _listed(declared: dict[str, Json], key: str) -> list[Json]:
    value = declared.get(key, [])
    return value if isinstance(value, list) else []
