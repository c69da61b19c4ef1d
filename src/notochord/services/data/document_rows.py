"""What the store knows of its documents: title, times, the digest of the file, and the ids of the blocks."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass

from notochord.core.strict_json import Json
from notochord.persistence.bare import BareConnection
from notochord.services.data.api import Block, Document
from notochord.services.data.validation import dumped

_COLUMNS = "id, title, created_at, updated_at, deleted, digest, pending"


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """A document; `pending` is the name of a prepared text that may still have to be put in place."""

    id: str
    title: str
    created_at: int
    updated_at: int
    deleted: bool
    digest: str
    pending: str


def row_of(connection: BareConnection, identifier: str) -> DocumentRow | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM documents WHERE id = ?", (identifier,)).fetchone()
    return None if row is None else DocumentRow(*row)


def holder_of(connection: BareConnection, identifier: str) -> str:
    """Return the id that is taken already by the same letters in any case; empty for none."""
    row = connection.execute("SELECT id FROM documents WHERE folded = ?", (identifier.casefold(),)).fetchone()
    return "" if row is None else str(row[0])


def rows_after(connection: BareConnection, after: str, limit: int) -> list[DocumentRow]:
    """Return documents that are not deleted, by id."""
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM documents WHERE id > ? AND NOT deleted ORDER BY id LIMIT ?", (after, limit)
    )
    return [DocumentRow(*row) for row in rows]


def put_row(connection: BareConnection, row: DocumentRow, blocks: Sequence[Block]) -> None:
    """Keep a document and its blocks."""
    connection.execute(
        f"INSERT INTO documents ({_COLUMNS}, folded) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
        "title = excluded.title, created_at = excluded.created_at, updated_at = excluded.updated_at, "
        "deleted = excluded.deleted, digest = excluded.digest, pending = excluded.pending",
        (row.id, row.title, row.created_at, row.updated_at, row.deleted, row.digest, row.pending, row.id.casefold()),
    )
    connection.execute("DELETE FROM document_blocks WHERE document = ?", (row.id,))
    connection.executemany(
        "INSERT INTO document_blocks (document, position, id, digest) VALUES (?, ?, ?, ?)",
        [(row.id, position, block.id, digest_of(block)) for position, block in enumerate(blocks)],
    )


def known_blocks(connection: BareConnection, identifier: str) -> list[tuple[str, str]]:
    """Return the id and the digest of each block as the store last saw it."""
    rows = connection.execute("SELECT id, digest FROM document_blocks WHERE document = ? ORDER BY position",
                              (identifier,))  # fmt: skip
    return list(rows.fetchall())


def digest_of(block: Block) -> str:
    return hashlib.sha256(block.markdown.encode()).hexdigest()[:32]


def difference(before: Document | None, after: Document | None) -> tuple[str | None, str | None]:
    """Return what a change record holds of a document's two states: title, order, and the blocks that differ."""
    old = {block.id: block for block in before.blocks} if before else {}
    new = {block.id: block for block in after.blocks} if after else {}

    def told(document: Document | None, blocks: dict[str, Block], others: dict[str, Block]) -> str | None:
        if document is None:
            return None
        changed: dict[str, Json] = {
            identifier: block.markdown for identifier, block in blocks.items() if others.get(identifier) != block
        }
        return dumped({"title": document.title, "order": [block.id for block in document.blocks], "blocks": changed})

    return told(before, old, new), told(after, new, old)


def restored(current: Document, after: str, before: str) -> tuple[str, list[Block]] | None:
    """Return title and blocks as they were before a change; None if the document is not what the change made."""
    made, was = json.loads(after), json.loads(before)
    blocks = {block.id: block.markdown for block in current.blocks}
    if current.title != made["title"] or list(blocks) != made["order"]:
        return None
    if any(blocks.get(identifier) != text for identifier, text in made["blocks"].items()):
        return None
    texts = {**blocks, **was["blocks"]}
    return was["title"], [Block(identifier, "", texts[identifier]) for identifier in was["order"]]
