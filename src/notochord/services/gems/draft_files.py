"""Reads the folder of a draft: what goes into the package, what is for its author only, what no package may hold."""

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.archive import MAX_FILE_BYTES, MAX_FILES, MAX_TOTAL_BYTES
from notochord.services.gems.draft_manifest import DRAFT_MANIFEST
from notochord.services.gems.names import GENERATED, MANIFEST, SIGNATURE, fault_of, folded, is_ignored
from notochord.services.gems.problems import problem

TESTS = "tests/"
"""The folder of a gem's own tests; it is not packed."""


@dataclass
class DraftFiles:
    """The files of a draft by path, without its manifest; `problems` are of names, kinds and sizes."""

    folder: Path
    manifest: bytes | None = None
    manifest_name: str = MANIFEST
    packed: dict[str, bytes] = field(default_factory=dict)
    tests: dict[str, bytes] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    @property
    def is_draft(self) -> bool:
        """Whether the manifest is that of a draft; else it is written as the package's."""
        return self.manifest_name == DRAFT_MANIFEST


def read_files(folder: Path) -> DraftFiles:
    """Read a draft. Links and other special files are named as problems, not followed.

    Raises NotochordError(FILE_MISSING) for what is no folder, and OSError.
    """
    if not folder.is_dir():
        raise NotochordError(Code.FILE_MISSING, Fault.USER, f"{folder} is not a folder", path=str(folder))
    found = DraftFiles(folder)
    paths = _Walk(found).paths()
    if not found.problems:
        found.packed = {path: (folder / path).read_bytes() for path in paths}
        _set_apart(found)
    return found


def _set_apart(found: DraftFiles) -> None:
    """Take out of the files what is not packed as it is."""
    manifests = [name for name in (DRAFT_MANIFEST, MANIFEST) if name in found.packed]
    if len(manifests) > 1:
        detail = f"{DRAFT_MANIFEST} and {MANIFEST} are both there"
        found.problems.append(problem("two_manifests", MANIFEST, detail))
    if manifests:
        found.manifest_name = manifests[0]
        found.manifest = found.packed.pop(manifests[0])
    found.packed.pop(SIGNATURE, None)
    found.tests = {path: content for path, content in found.packed.items() if path.startswith(TESTS)}
    for path in list(found.packed):
        is_dropped = found.is_draft and path.startswith("docs/") and not path.endswith(".md")
        if path in found.tests or is_dropped:
            del found.packed[path]


class _Walk:
    """One walk over a draft's folder, which collects what is wrong with it."""

    def __init__(self, draft: DraftFiles) -> None:
        self._draft = draft
        self._found: dict[str, str] = {}
        self._total = 0

    def paths(self) -> list[str]:
        """Return the paths of all files, in order."""
        top = self._draft.folder
        for folder, folders, names in os.walk(top):
            if Path(folder) == top:
                # History and settings of the author's own tools: .git, .vscode and the like.
                folders[:] = [name for name in folders if not name.startswith(".")]
                names = [name for name in names if not name.startswith(".")]
            for name in (*folders, *names):
                self._judge(Path(folder) / name)
        paths = sorted(self._found.values())
        if len(paths) - len(GENERATED & set(paths)) > MAX_FILES - len(GENERATED):
            self._refuse("", f"more than {MAX_FILES} files", "too_many_files", limit=MAX_FILES)
        return paths

    def _judge(self, place: Path) -> None:
        path = place.relative_to(self._draft.folder).as_posix()
        status = place.lstat()
        if not stat.S_ISDIR(status.st_mode) and not stat.S_ISREG(status.st_mode):
            self._refuse(path, "neither a regular file nor a folder", "file_special")
        elif fault := fault_of(path):
            self._refuse(path, fault, "file_name")
        elif not stat.S_ISDIR(status.st_mode) and not is_ignored(path):
            self._take(path, status.st_size)

    def _take(self, path: str, size: int) -> None:
        if self._found.setdefault(folded(path), path) != path:
            self._refuse(path, "another file has the same name", "file_twice", other=self._found[folded(path)])
        self._total += size
        if size > MAX_FILE_BYTES or self._total > MAX_TOTAL_BYTES:
            limit = MAX_FILE_BYTES if size > MAX_FILE_BYTES else MAX_TOTAL_BYTES
            found = problem("file_size", path, "too large", Code.SIZE_MISMATCH, limit=limit // 1024 // 1024)
            self._draft.problems.append(found)

    def _refuse(self, path: str, reason: str, kind: str, **parameters: str | int) -> None:
        found = problem(kind, path, f"{reason}: {path!r}", Code.PATH_TRAVERSAL, **parameters)
        self._draft.problems.append(found)
