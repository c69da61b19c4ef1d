"""The Python children of this program: `notochord --child NAME`, so that an installed app has them too."""

import sys
from collections.abc import Sequence
from importlib import import_module

CHILDREN: dict[str, str] = {
    "local-model": "notochord.adapters.local_models.child",
    "extract": "notochord.adapters.extraction.child",
    "page-walls": "notochord.adapters.page_walls.child",
    "raw-database": "notochord.adapters.raw_databases.child",
}
"""Name of a child → module whose `main()` returns the exit status."""


def run_child(words: Sequence[str]) -> int:
    """Be the child of this name until it ends; for this program's own use."""
    if len(words) != 1 or words[0] not in CHILDREN:
        print(f"notochord: there is no child {' '.join(words)!r}", file=sys.stderr)
        return 2
    status: int = import_module(CHILDREN[words[0]]).main()
    return status
