"""References between the objects of a store: made by fields by themselves, or linked by the owner."""

import re
from collections.abc import Iterable

from notochord.core.strict_json import Json
from notochord.persistence.bare import BareConnection
from notochord.services.data.declaration import Field, FieldType
from notochord.services.data.nodes import Node, blob_path, node_of, record_path
from notochord.services.data.physical import records_of
from notochord.services.data.validation import invalid

FIELD = "field:"
_KIND = re.compile(r"[a-z][a-z0-9_.:-]{0,63}")


def check_kind(kind: str, *, reserved: bool = False) -> str:
    """Return a kind that an owner may use. Raises INPUT_INVALID; `reserved` allows `field:` too, for looking."""
    if _KIND.fullmatch(kind) is None:
        raise invalid("the kind of a reference matches ^[a-z][a-z0-9_.:-]{0,63}$")
    if kind.startswith(FIELD) and not reserved:
        raise invalid(f"kinds that begin with {FIELD} are made by fields themselves")
    return kind


def targets_of(fields: Iterable[Field], content: dict[str, Json]) -> dict[tuple[str, str], None]:
    """Return the pairs of kind and target that the fields of a record make, in their order."""
    found: dict[tuple[str, str], None] = {}
    for field in fields:
        value = content.get(field.name)
        for item in value if isinstance(value, list) else [] if value is None else [value]:
            is_ref = field.links is FieldType.REF
            found[f"{FIELD}{field.name}", record_path(field.to, str(item)) if is_ref else blob_path(str(item))] = None
    return found


def check_blobs(connection: BareConnection, targets: Iterable[tuple[str, str]]) -> None:
    """Raises INPUT_INVALID for a reference to a Blob that is not stored (DATA-090)."""
    for kind, target in targets:
        if target.startswith("blob/") and not is_there(connection, target):
            raise invalid(f"{kind.removeprefix(FIELD)}: no Blob with this hash is stored; put it first")


def maintain(
    connection: BareConnection,
    source: str,
    before: dict[tuple[str, str], None],
    after: dict[tuple[str, str], None],
    now: int,
) -> None:
    """Bring the references of a record's fields from what they were to what they are."""
    for kind, target in before:
        if (kind, target) not in after:
            unlink(connection, source, target, kind)
    for kind, target in after:
        if (kind, target) not in before:
            link(connection, source, target, kind, now)


def has(connection: BareConnection, source: str, target: str, kind: str) -> bool:
    found = (source, kind, target)
    row = connection.execute("SELECT 1 FROM links WHERE source = ? AND kind = ? AND target = ?", found).fetchone()
    return row is not None


def link(connection: BareConnection, source: str, target: str, kind: str, now: int) -> None:
    """Make a reference; one that is there already stays."""
    connection.execute(
        "INSERT INTO links (source, target, kind, created_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (source, target, kind, now),
    )


def unlink(connection: BareConnection, source: str, target: str, kind: str) -> bool:
    found = (source, kind, target)
    gone = connection.execute("DELETE FROM links WHERE source = ? AND kind = ? AND target = ?", found)
    return bool(gone.rowcount)


def listed(
    connection: BareConnection, end: str, path: str, *, kind: str | None, limit: int
) -> list[tuple[str, str, str, int]]:
    """Return the references whose `end` ("source" or "target") is `path`, newest first."""
    where, values = ("AND kind = ?", [kind]) if kind is not None else ("", [])
    rows = connection.execute(
        f"SELECT source, target, kind, created_at FROM links WHERE {end} = ? {where} ORDER BY n DESC LIMIT ?",
        [path, *values, limit],
    )
    return list(rows.fetchall())


def is_there(connection: BareConnection, path: str) -> bool:
    """Tell whether the object at a path exists now."""
    node = node_of(path)
    question = _question(connection, node)
    return question is not None and connection.execute(*question).fetchone() is not None


def _question(connection: BareConnection, node: Node) -> tuple[str, tuple[str | int, ...]] | None:
    if node.blob:
        return "SELECT 1 FROM blobs WHERE hash = ?", (node.blob,)
    if node.block:
        return (
            "SELECT 1 FROM documents JOIN document_blocks ON document = documents.id "
            "WHERE documents.id = ? AND NOT deleted AND document_blocks.id = ?"
        ), (node.document, node.block)
    if node.document:
        return "SELECT 1 FROM documents WHERE id = ? AND NOT deleted", (node.document,)
    kind, name = ("table", node.collection) if node.collection else ("log", node.log)
    found = connection.execute(
        "SELECT number FROM collections WHERE name = ? AND kind = ? AND declared", (name, kind)
    ).fetchone()
    if found is None:
        return None
    if kind == "log":
        return "SELECT 1 FROM log_entries WHERE id = ? AND collection = ?", (node.entry, found[0])
    return f"SELECT 1 FROM {records_of(found[0])} WHERE id = ?", (node.record,)
