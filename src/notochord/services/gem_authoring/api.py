"""The door to the workshop of gems; the service of gems stands behind it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from notochord.core.codes import Code
from notochord.core.errors import Parameter


@dataclass(frozen=True, slots=True)
class Problem:
    """Something about a draft that has to be corrected.

    `path` is the place: in the manifest (`exports.0.description`), or a file of the gem. `kind` names the sentence
    `problem.<kind>`, which says what is wrong and what to do; `detail` says what is wrong in English.
    """

    code: Code
    path: str
    kind: str
    detail: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Advice:
    """Something that a draft should have, and can be packed without. `kind` names the sentence `advice.<kind>`."""

    path: str
    kind: str


@dataclass(frozen=True, slots=True)
class DraftIdentity:
    """What a new draft is called, and whose it is."""

    id: str
    name: str
    publisher: str


@dataclass(frozen=True, slots=True)
class PackedGem:
    """A package that was written. `key` is the id of the key that signed it; empty for an unsigned one."""

    package: Path
    id: str
    version: str
    files: int
    size: int
    key: str = ""


@dataclass(frozen=True, slots=True)
class DraftTest:
    """How one of a draft's own tests ended. `code` is empty for one that passed; `name` for a file without tests."""

    file: str
    name: str
    code: str = ""
    detail: str = ""


class Workshop(Protocol):
    """What the author of a gem needs before it is installed; no organization has to be open."""

    async def templates(self) -> Sequence[str]:
        """Return the names of the templates that a draft can start from, the simplest first."""

    async def new(self, folder: Path, template: str, identity: DraftIdentity) -> Sequence[str]:
        """Fill a folder, new or empty, from a template; return the files that were written.

        Raises NotochordError: NOT_FOUND (no such template), FILE_EXISTS, INPUT_INVALID, DISK_IO, DISK_FULL.
        """

    async def open_package(self, package: Path, folder: Path) -> Sequence[str]:
        """Fill a folder, new or empty, with the draft that a package can be made of; return the files.

        Raises NotochordError as unpacking does, PERM_INVALID, FILE_EXISTS, DISK_IO, DISK_FULL.
        """

    async def check(self, draft: Path) -> Sequence[Problem]:
        """Return everything that keeps a draft from being packed and installed, the first first.

        Raises NotochordError: FILE_MISSING (no such folder), DISK_IO.
        """

    async def advise(self, draft: Path) -> Sequence[Advice]:
        """Return what keeps a draft from nothing and should be mended all the same. Raises as `check` does."""

    async def pack(self, draft: Path, package: Path | None = None, *, key: Path | None = None) -> PackedGem:
        """Check a draft and write its package: the same draft gives the same bytes.

        Without `package` it is written beside the draft as `<id>-<version>.gem`; with a key file it is signed. Raises
        NotochordError as `check` and `sign` do, and with the code of the first problem: PERM_INVALID, PATH_TRAVERSAL,
        SIZE_MISMATCH, WORKFLOW_INVALID, INPUT_INVALID.
        """

    async def sign(self, package: Path, *, key: Path) -> PackedGem:
        """Sign a package in place with a key file, instead of whoever signed it before.

        Raises NotochordError as unpacking does, FILE_MISSING, INPUT_INVALID (no key file, or one that others may read),
        DISK_IO, DISK_FULL.
        """

    async def public_key(self, file: Path) -> tuple[str, str]:
        """Return the id and the public half, as hexadecimal digits, of the key in a file. Raises as `sign` does."""

    async def make_key(self, file: Path) -> str:
        """Write a new private key that only its owner may read, and return the key's id.

        Raises NotochordError: FILE_EXISTS, DISK_IO, DISK_FULL.
        """
