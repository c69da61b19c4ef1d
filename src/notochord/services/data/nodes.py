"""Node ids: the names of records, documents, blocks, Blobs and Log entries, as `gem:<gem id>/rec/notes/<id>`.

Inside the store a node is known by its path, which is the id without the owner.
"""

import re
from dataclasses import dataclass

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.data.validation import invalid

_ID = r"[A-Za-z0-9_-]{1,128}"
_NAME = r"[a-z][a-z0-9_]{0,63}"
_PATH = re.compile(
    rf"rec/(?P<collection>{_NAME})/(?P<record>{_ID})|doc/(?P<document>{_ID})(#(?P<block>b_[A-Za-z0-9]{{1,64}}))?"
    rf"|blob/(?P<blob>[0-9a-f]{{64}})|log/(?P<log>{_NAME})/(?P<entry>{_ID})"
)
_OWNED = re.compile(r"[a-z]+:[^/]{1,200}/")
MAX_NODE = 600


@dataclass(frozen=True, slots=True)
class Node:
    """What a path leads to; the parts that its kind does not have are empty."""

    path: str
    collection: str = ""
    record: str = ""
    document: str = ""
    block: str = ""
    blob: str = ""
    log: str = ""
    entry: str = ""


def record_path(collection: str, identifier: str) -> str:
    return f"rec/{collection}/{identifier}"


def entry_path(log: str, identifier: str) -> str:
    return f"log/{log}/{identifier}"


def blob_path(digest: str) -> str:
    return f"blob/{digest}"


def node_of(path: str) -> Node:
    """Read a path. Raises INPUT_INVALID."""
    found = _PATH.fullmatch(path)
    if found is None:
        raise invalid(f"{path[:120]!r} is not a node id")
    return Node(path, **{name: value or "" for name, value in found.groupdict().items()})


def owned(owner: str, node_id: str) -> Node:
    """Read a node id of this owner. Raises PERM_DENIED for another owner's, INPUT_INVALID for what is none."""
    if len(node_id) > MAX_NODE:
        raise invalid("a node id is too long")
    if not node_id.startswith(f"{owner}/"):
        if _OWNED.match(node_id):
            raise NotochordError(Code.PERM_DENIED, Fault.GUEST, f"{node_id[:120]!r} belongs to another gem")
        raise invalid(f"{node_id[:120]!r} is not a node id")
    return node_of(node_id[len(owner) + 1 :])
