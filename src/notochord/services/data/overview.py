"""Counts what is in a store, for people: collections, documents, Blobs, the last changes, the size of the folder."""

import os
from pathlib import Path

from notochord.persistence.bare import BareConnection
from notochord.services.data.api import ChangeOverview, CollectionOverview, Overview
from notochord.services.data.catalog import Stored, stored_collections
from notochord.services.data.changes import last_changes, word_of
from notochord.services.data.declaration import Table
from notochord.services.data.physical import records_of


def overview(connection: BareConnection, changes: int, folder_size: int) -> Overview:
    """Return what is in a store; `folder_size` was measured already."""
    collections = [_collection(connection, name, stored) for name, stored in stored_collections(connection).items()]
    documents = _one(connection, "SELECT count(*) FROM documents WHERE NOT deleted")
    blobs, size = connection.execute("SELECT count(*), coalesce(sum(size), 0) FROM blobs").fetchone()
    told = [
        ChangeOverview(row.at, row.actor, row.name, row.kind, row.subject, word_of(row))
        for row in last_changes(connection, changes)
    ]
    return Overview(
        collections=tuple(sorted(collections, key=lambda one: (not one.declared, one.name))),
        documents=documents,
        blobs=blobs,
        blob_size=size,
        keys=_one(connection, "SELECT count(*) FROM kv"),
        folder_size=folder_size,
        last_changes=tuple(told),
    )


def size_of_folder(folder: Path) -> int:
    """Return the bytes of all files in a folder; blocks, follows no links, and passes over what goes meanwhile."""
    total = 0
    for inner, _, names in os.walk(folder):
        for name in names:
            try:
                total += os.lstat(os.path.join(inner, name)).st_size  # noqa: PTH118 - ten times faster than Path
            except OSError:
                continue
    return total


def _collection(connection: BareConnection, name: str, stored: Stored) -> CollectionOverview:
    is_table = isinstance(stored.collection, Table)
    source = f"{records_of(stored.number)}" if is_table else f"log_entries WHERE collection = {stored.number}"
    count, size = connection.execute(f"SELECT count(*), coalesce(sum(octet_length(data)), 0) FROM {source}").fetchone()
    version = stored.collection.version if isinstance(stored.collection, Table) else 1
    return CollectionOverview(name, "table" if is_table else "log", version, stored.declared, count, size)


def _one(connection: BareConnection, question: str) -> int:
    return int(connection.execute(question).fetchone()[0])
