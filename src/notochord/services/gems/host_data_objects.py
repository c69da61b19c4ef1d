"""`ctx.data` on this side: documents, Blobs, references and node ids of the gem's own store."""

import json

from notochord.core.caller import Caller
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import DEFAULT_LIMIT, Blob, Document, LinkTo, OwnerStore, Reference, Unlink
from notochord.services.gems.guest_arguments import GuestArguments, refused
from notochord.services.sandbox.api import HostAnswer, HostRequest

_LINK = frozenset({"from", "to", "kind"})


class GuestObjects:
    """Everything of a gem's data that is neither a table nor a Log."""

    def __init__(self, store: OwnerStore, caller: Caller) -> None:
        self._store = store
        self._caller = caller
        self._targets = {
            "data.nodeId": self._node_id,
            "data.refs.link": self._link,
            "data.refs.unlink": self._unlink,
            "data.refs.backlinks": self._backlinks,
            "data.refs.outgoing": self._outgoing,
            "data.blobs.put": self._put,
            "data.blobs.get": self._get_blob,
            "data.blobs.stat": self._stat,
            "data.docs.create": self._create,
            "data.docs.get": self._get,
            "data.docs.list": self._list,
            "data.docs.update": self._update,
            "data.docs.insertAfter": self._insert_after,
            "data.docs.replaceBlock": self._replace_block,
            "data.docs.deleteBlock": self._delete_block,
            "data.docs.delete": self._delete,
        }

    async def answer(self, request: HostRequest) -> HostAnswer | None:
        """Do what is asked; None for a target that there is not."""
        known = self._targets.get(request.target)
        return None if known is None else await known(request)

    async def _node_id(self, request: HostRequest) -> HostAnswer:
        names = frozenset({"kind", "collection", "id", "docId", "blockId", "hash", "name", "eventId"})
        arguments = GuestArguments(request.target, request.arguments, names)
        match arguments.text("kind"):
            case "rec":
                path = f"rec/{arguments.text('collection')}/{arguments.text('id')}"
            case "doc":
                block = arguments.text_or_none("blockId")
                path = f"doc/{arguments.text('docId')}" + ("" if block is None else f"#{block}")
            case "blob":
                path = f"blob/{arguments.text('hash')}"
            case "log":
                path = f"log/{arguments.text('name')}/{arguments.text('eventId')}"
            case _:
                raise refused("the kind of a node is 'rec', 'doc', 'blob' or 'log'")
        return HostAnswer(self._store.node_id(path))

    async def _link(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, _LINK)
        write = LinkTo(arguments.text("from"), arguments.text("to"), arguments.text("kind"))
        return HostAnswer({"linked": await self._store.references.link(write, self._caller)})

    async def _unlink(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, _LINK)
        write = Unlink(arguments.text("from"), arguments.text("to"), arguments.text("kind"))
        return HostAnswer({"unlinked": await self._store.references.unlink(write, self._caller)})

    async def _backlinks(self, request: HostRequest) -> HostAnswer:
        node, kind, limit = _listing(request)
        return _references(await self._store.references.backlinks(node, kind=kind, limit=limit))

    async def _outgoing(self, request: HostRequest) -> HostAnswer:
        node, kind, limit = _listing(request)
        return _references(await self._store.references.outgoing(node, kind=kind, limit=limit))

    async def _put(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"mime", "name"}))
        if request.attachment is None:
            raise refused("data.blobs.put: the content is missing")
        mime, name = arguments.text_or_none("mime"), arguments.text_or_none("name")
        blob = await self._store.blobs.put(request.attachment, self._caller, mime=mime, name=name)
        node = self._store.node_id(f"blob/{blob.hash}")
        return HostAnswer({"hash": blob.hash, "size": blob.size, "nodeId": node})

    async def _get_blob(self, request: HostRequest) -> HostAnswer:
        found = await self._store.blobs.get(_hash(request))
        if found is None:
            return HostAnswer(None)
        blob, content = found
        return HostAnswer({"mime": blob.mime, "name": blob.name, "size": blob.size}, content)

    async def _stat(self, request: HostRequest) -> HostAnswer:
        blob = await self._store.blobs.stat(_hash(request))
        return HostAnswer(None if blob is None else _stat(blob))

    async def _create(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"id", "title"}))
        made = await self._store.documents.create(
            _markdown(request),
            self._caller,
            identifier=arguments.text_or_none("id"),
            title=arguments.text_or_none("title") or "",
        )
        blocks: list[Json] = [block.id for block in made.blocks]
        return HostAnswer({"id": made.id, "nodeId": self._store.node_id(f"doc/{made.id}"), "blockIds": blocks})

    async def _get(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"id"}))
        document = await self._store.documents.get(arguments.text("id"))
        return HostAnswer(None, json.dumps(_document(document), ensure_ascii=False).encode())

    async def _list(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"limit", "startAfter"}))
        limit = arguments.whole_or_none("limit")
        page = await self._store.documents.page(
            limit=DEFAULT_LIMIT if limit is None else limit, after=arguments.text_or_none("startAfter") or ""
        )
        items: list[Json] = [{"id": one.id, "title": one.title, "updatedAt": one.updated_at} for one in page.items]
        return HostAnswer({"items": items, **({"nextCursor": page.next_cursor} if page.next_cursor else {})})

    async def _update(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"id", "title"}))
        return _blocks(
            await self._store.documents.update(
                arguments.text("id"), _markdown(request), self._caller, title=arguments.text_or_none("title")
            )
        )

    async def _insert_after(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"docId", "blockId"}))
        identifier, block = arguments.text("docId"), arguments.text_or_none("blockId")
        return _blocks(await self._store.documents.insert_after(identifier, block, _markdown(request), self._caller))

    async def _replace_block(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"docId", "blockId"}))
        identifier, block = arguments.text("docId"), arguments.text("blockId")
        return _blocks(await self._store.documents.replace_block(identifier, block, _markdown(request), self._caller))

    async def _delete_block(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"docId", "blockId"}))
        await self._store.documents.delete_block(arguments.text("docId"), arguments.text("blockId"), self._caller)
        return HostAnswer({"deleted": True})

    async def _delete(self, request: HostRequest) -> HostAnswer:
        arguments = GuestArguments(request.target, request.arguments, frozenset({"id"}))
        return HostAnswer({"deleted": await self._store.documents.delete(arguments.text("id"), self._caller)})


def _listing(request: HostRequest) -> tuple[str, str | None, int]:
    arguments = GuestArguments(request.target, request.arguments, frozenset({"node", "kind", "limit"}))
    limit = arguments.whole_or_none("limit")
    return arguments.text("node"), arguments.text_or_none("kind"), DEFAULT_LIMIT if limit is None else limit


def _hash(request: HostRequest) -> str:
    return GuestArguments(request.target, request.arguments, frozenset({"hash"})).text("hash")


def _markdown(request: HostRequest) -> str:
    if request.attachment is None:
        raise refused(f"{request.target}: markdown is missing")
    if len(request.attachment) > 4 * 1_048_576:
        detail = "a document has at most 2097152 bytes"
        raise NotochordError(Code.PAYLOAD_TOO_LARGE, Fault.GUEST, detail, limit=2 * 1_048_576)
    try:
        return request.attachment.decode()
    except UnicodeDecodeError:
        raise refused(f"{request.target}: markdown is not UTF-8 text") from None


def _references(found: list[Reference]) -> HostAnswer:
    items = [
        {"from": one.source, "to": one.target, "kind": one.kind, "detached": one.detached, "createdAt": one.created_at}
        for one in found
    ]
    return HostAnswer(None, json.dumps(items).encode())


def _stat(blob: Blob) -> Json:
    return {"mime": blob.mime, "name": blob.name, "size": blob.size, "createdAt": blob.created_at}


def _document(document: Document | None) -> Json:
    if document is None:
        return None
    blocks: list[Json] = [{"id": one.id, "type": one.type, "markdown": one.markdown} for one in document.blocks]
    return {
        "id": document.id,
        "title": document.title,
        "markdown": document.markdown,
        "blocks": blocks,
        "createdAt": document.created_at,
        "updatedAt": document.updated_at,
    }


def _blocks(identifiers: tuple[str, ...]) -> HostAnswer:
    found: list[Json] = list(identifiers)
    return HostAnswer({"blockIds": found})
