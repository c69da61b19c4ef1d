"""Advice on a draft: what keeps it from nothing, and whoever installs the gem will miss (DOCS-012, GEMOPEN-051/052)."""

from pathlib import Path

from notochord.services.gem_authoring.api import Advice
from notochord.services.gems.draft_files import read_files
from notochord.services.gems.introductions import FOLDER, document_of

README = "docs/README.en.md"


def advice_on(draft: Path) -> list[Advice]:
    """Return what a draft should have; one whose files cannot be packed gets none. Blocks. Raises as `check_draft`."""
    found = read_files(draft)
    if found.problems:
        return []
    unseen = [
        Advice(path, "document_unseen")
        for path in sorted(found.packed)
        if path.startswith(FOLDER) and document_of(path) is None
    ]
    return ([] if README in found.packed else [Advice(README, "readme_missing")]) + unseen
