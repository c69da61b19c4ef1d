"""`ctx.knowledge` on this side: every method of the interface, each held against what the user allows at that moment.

There is no knowledge base in this version. Reading finds nothing, as in one that is empty; a write is refused as one
that is not permitted is, and its message says why.
"""

from collections.abc import Awaitable, Callable

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode
from notochord.services.gems.grants.store import GrantStore
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.gems.knowledge_permissions import (
    KINDS,
    SELF,
    TARGETS,
    USER_SELECTED,
    KnowledgePermission,
    granted,
    parse,
)
from notochord.services.gems.knowledge_reach import reached
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.ports import Knowledge
from notochord.services.gems.predicates import predicate_for, predicates_of
from notochord.services.sandbox.api import HostAnswer, HostRequest

MAX_CONTENT = 20 * 1024 * 1024

_FACT = frozenset({
    *("subject", "predicateHint", "value", "object", "description", "sourceRef", "runId", "origin", "source"),
})  # fmt: skip
_DOCUMENT = frozenset({
    *("collection", "key", "ref", "title", "body", "text", "sourceUri", "meta", "runId", "origin", "source"),
})  # fmt: skip
_IDENTIFIERS = frozenset({"email", "phone", "domain", "url", "handle", "name"})
_NOTHING: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("profile.get", ("prefix",)),
    ("facts.lookup", ("subject", "prefix")),
    ("search", ("query", "collections", "timeRange", "entities", "limit")),
    ("collections.list", ()),
    ("changes.list", ("since", "status", "limit")),
)
"""The methods that leave out what is not open to the gem: nothing of an empty knowledge base is (KB-110 to KB-114)."""

_Answer = Callable[[HostRequest], Awaitable[Json]]


class GuestKnowledge:
    """What one call may do with the user's knowledge."""

    namespace = "knowledge"

    def __init__(self, grants: GrantStore, manifest: Manifest, knowledge: Knowledge) -> None:
        self._grants = grants
        self._knowledge = knowledge
        self._manifest = manifest
        self._queries = {f"knowledge.{name}": frozenset(names) for name, names in _NOTHING}
        self._targets: dict[str, _Answer] = {
            "knowledge.facts.put": self._put_fact,
            "knowledge.facts.retract": self._retract,
            "knowledge.entities.resolve": self._resolve,
            "knowledge.entities.get": self._get_entity,
            "knowledge.entities.list": self._list_entities,
            "knowledge.entities.addIdentifier": self._add_identifier,
            "knowledge.documents.upsert": self._put_document,
            "knowledge.documents.get": self._get_document,
            "knowledge.documents.getByKey": self._get_by_key,
            "knowledge.documents.list": self._list_documents,
            "knowledge.documents.delete": self._delete_document,
            "knowledge.collections.create": self._create_collection,
            "knowledge.changes.revert": self._revert,
        }

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that is not about knowledge.

        Raises NotochordError: INPUT_INVALID, PERM_DENIED (`lacks knowledge permission …`), NOT_FOUND.
        """
        if request.target in self._queries:
            GuestArguments(request.target, request.arguments, self._queries[request.target])
            return HostAnswer([])
        known = self._targets.get(request.target)
        return None if known is None else HostAnswer(await known(request))

    async def _put_fact(self, request: HostRequest) -> Json:
        fact = GuestArguments(request.target, _content(request), _FACT)
        hint = fact.text("predicateHint", limit=1_000)
        subject = fact.text_or_none("subject") or SELF
        await self._need_origin(fact)
        predicate = predicate_for(hint, predicates_of(self._manifest))
        if subject != SELF:
            await self._need_any("facts.write")
            raise _missing("entity", subject)
        return await self._write(KnowledgePermission("facts.write", SELF, predicate))

    async def _retract(self, request: HostRequest) -> Json:
        fact = GuestArguments(request.target, request.arguments, frozenset({"fact"})).text("fact")
        await self._need_any("facts.write")
        raise _missing("fact", fact)

    async def _resolve(self, request: HostRequest) -> Json:
        names = frozenset({"identifier", "kind", "create"})
        arguments = GuestArguments(request.target, request.arguments, names)
        identifier = request.arguments.get("identifier") if isinstance(request.arguments, dict) else None
        if not GuestArguments(f"{request.target}: the identifier", identifier, _IDENTIFIERS).named():
            raise refused(f"{request.target}: the identifier is one of {', '.join(sorted(_IDENTIFIERS))}")
        kind = _kind(request.target, arguments.text_or_none("kind") or "person")
        if arguments.flag("create"):
            return await self._write(KnowledgePermission("entities.write", kind))
        await self._need(KnowledgePermission("entities.resolve", kind))
        return None

    async def _get_entity(self, request: HostRequest) -> Json:
        entity = GuestArguments(request.target, request.arguments, frozenset({"entity"})).text("entity")
        await self._need_any("entities.read")
        raise _missing("entity", entity)

    async def _list_entities(self, request: HostRequest) -> Json:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"kind", "query", "limit"}))
        await self._need(KnowledgePermission("entities.read", _kind(request.target, arguments.text("kind"))))
        return []

    async def _add_identifier(self, request: HostRequest) -> Json:
        names = frozenset({"entity", "type", "value"})
        entity = GuestArguments(request.target, request.arguments, names).text("entity")
        await self._need_any("entities.write")
        raise _missing("entity", entity)

    async def _put_document(self, request: HostRequest) -> Json:
        document = GuestArguments(request.target, _content(request), _DOCUMENT)
        collection = document.text("collection")
        await self._need_origin(document)
        return await self._write(await self._need_in("collections.write", collection))

    async def _get_document(self, request: HostRequest) -> Json:
        document = GuestArguments(request.target, request.arguments, frozenset({"document", "range"})).text("document")
        await self._need_any("collections.read")
        raise _missing("document", document)

    async def _get_by_key(self, request: HostRequest) -> Json:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"collection", "key"}))
        arguments.text("key")
        await self._need_in("collections.read", arguments.text("collection"))
        return None

    async def _list_documents(self, request: HostRequest) -> Json:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"collection", "timeRange", "limit"}))
        await self._need_in("collections.read", arguments.text("collection"))
        return []

    async def _delete_document(self, request: HostRequest) -> Json:
        document = GuestArguments(request.target, request.arguments, frozenset({"document"})).text("document")
        await self._need_any("collections.write")
        raise _missing("document", document)

    async def _create_collection(self, request: HostRequest) -> Json:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"name", "parent"}))
        arguments.text("name", limit=1_000)
        parent = arguments.text_or_none("parent")
        if parent is not None:
            await self._need_in("collections.write", parent)
        return await self._write(KnowledgePermission("collections.create"))

    async def _revert(self, request: HostRequest) -> Json:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"change", "runId"}))
        named = arguments.text_or_none("change") or arguments.text("runId")
        await self._need(KnowledgePermission("changes.manage"))
        raise _missing("change", named)

    async def _need_origin(self, arguments: GuestArguments) -> None:
        if arguments.text_or_none("origin") is not None or arguments.text_or_none("source") is not None:
            await self._need(KnowledgePermission("origin.override"))

    async def _need(self, needed: KnowledgePermission) -> None:
        """Raise PERM_DENIED unless the user allows what is needed now, and the manifest asks for it (PERM-173)."""
        if not granted(await self._open(), needed):
            raise _lacks(str(needed))

    async def _need_in(self, action: str, collection: str) -> KnowledgePermission:
        """Return the permission that a collection needs. Raises PERM_DENIED without it.

        Among those that the user chooses only the chosen ones count, and what lies in them now (GEMUI-032 to 034).
        """
        needed = _collection(action, collection)
        await self._need(needed)
        if needed.scope == USER_SELECTED:
            chosen = (await self._grants.of(self._manifest.id)).collections.get(str(needed), ())
            if collection not in reached(chosen, await self._knowledge.folders()):
                raise _lacks(f"{needed}: the user has not chosen this folder")
        return needed

    async def _need_any(self, action: str) -> None:
        """Raise PERM_DENIED unless the action is allowed for anything at all."""
        if not any(parse(text).action == action for text in await self._open()):
            raise _lacks(action)

    async def _write(self, needed: KnowledgePermission) -> Json:
        await self._need(needed)
        raise _lacks(f"{needed}: this version of Notochord has no knowledge base yet")

    async def _open(self) -> frozenset[str]:
        return (await self._grants.of(self._manifest.id)).knowledge & frozenset(self._manifest.knowledge)


def _content(request: HostRequest) -> Json:
    """Return what was sent beside the request."""
    if request.attachment is None or len(request.attachment) > MAX_CONTENT:
        raise refused(f"{request.target}: the content is missing or over {MAX_CONTENT} bytes")
    try:
        return decode(request.attachment)
    except ValueError as error:
        raise refused(f"{request.target}: no JSON: {error}") from error


def _kind(target: str, kind: str) -> str:
    if kind not in KINDS:
        raise refused(f"{target}: the kind is one of {', '.join(KINDS)}")
    return kind


def _collection(action: str, collection: str) -> KnowledgePermission:
    """Return what a collection needs: a built-in one is named, any other is among those that the user selected."""
    return KnowledgePermission(action, collection if collection in TARGETS[:2] else USER_SELECTED)


def _lacks(what: str) -> NotochordError:
    return NotochordError(Code.PERM_DENIED, Fault.POLICY, f"lacks knowledge permission {what}")


def _missing(what: str, ref: str) -> NotochordError:
    return NotochordError(Code.NOT_FOUND, Fault.GUEST, f"no {what} {ref[:100]!r}")
