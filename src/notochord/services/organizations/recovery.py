"""The recovery key file: a small text with the key of one organization, not protected by a password (OPEN-019).

notochord-recovery-key
format: 1
organization: <id>
key: <base64>
checksum: <SHA-256 over format, organization and key, each ended by a line feed>
"""

import base64
import binascii
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.ids import is_id
from notochord.core.keys import KEY_BYTES
from notochord.persistence.atomic_files import PRIVATE, flush_folder
from notochord.persistence.failures import translated
from notochord.persistence.given_files import open_given

TITLE = "notochord-recovery-key"
FORMAT = "1"
MOST_BYTES = 4096
_FIELDS = ("format", "organization", "key", "checksum")


@dataclass(frozen=True, slots=True)
class RecoveryKey:
    """The content of a recovery key file."""

    organization: str
    key: bytes

    def __repr__(self) -> str:
        return f"RecoveryKey({self.organization})"


def refuse_place(file: Path) -> None:
    """Raise FILE_EXISTS or INPUT_INVALID for a place where no new file can be."""
    if os.path.lexists(file):
        raise _exists(file)
    if not file.parent.is_dir():
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "the folder does not exist", field="file", why="why.folder_missing"
        )


def write_recovery_file(file: Path, recovery: RecoveryKey) -> None:
    """Write a new file, durably, for its owner's eyes. Raises NotochordError: FILE_EXISTS, INPUT_INVALID …"""
    refuse_place(file)
    encoded = base64.b64encode(recovery.key).decode()
    values = (FORMAT, recovery.organization, encoded, _checksum(FORMAT, recovery.organization, encoded))
    lines = [TITLE, *(f"{field}: {value}" for field, value in zip(_FIELDS, values, strict=True))]
    with translated(file):
        try:
            descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
        except FileExistsError as error:
            raise _exists(file) from error
        try:
            with os.fdopen(descriptor, "w", encoding="ascii", newline="\n") as output:
                output.write("\n".join(lines) + "\n")
                output.flush()
                os.fsync(output.fileno())
        except BaseException:
            file.unlink(missing_ok=True)
            raise
        flush_folder(file.parent)


def read_recovery_file(file: Path) -> RecoveryKey:
    """Return what the file holds. Raises NotochordError: RECOVERY_INVALID, FILE_MISSING."""
    with translated(file):
        try:
            with open_given(file) as source:
                content = source.read(MOST_BYTES + 1)
        except (FileNotFoundError, IsADirectoryError) as error:
            raise NotochordError(Code.FILE_MISSING, Fault.USER, "no such file", path=file.name) from error
    return parse_recovery(content)


def parse_recovery(content: bytes) -> RecoveryKey:
    """Read a recovery key file's content; line ends of any system, a BOM and spaces around lines do no harm.

    Raises NotochordError(RECOVERY_INVALID).
    """
    try:
        text = content.decode("utf-8-sig") if len(content) <= MOST_BYTES else ""
    except UnicodeDecodeError:
        text = ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines or lines[0] != TITLE:
        raise _invalid("no recovery key file")
    pairs = [line.partition(":")[::2] for line in lines[1:]]
    values = {field.strip(): value.strip() for field, value in pairs}
    if values.get("format", FORMAT) != FORMAT:
        raise _invalid("made by a newer version")
    if len(pairs) != len(_FIELDS) or set(values) != set(_FIELDS):
        raise _invalid("lines are missing")
    organization, encoded = values["organization"], values["key"]
    if values["checksum"].lower() != _checksum(FORMAT, organization, encoded):
        raise _invalid("the checksum does not fit")
    try:
        key = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if len(key) != KEY_BYTES or not is_id(organization):
        raise _invalid("no key or no organization")
    return RecoveryKey(organization, key)


def _exists(file: Path) -> NotochordError:
    return NotochordError(Code.FILE_EXISTS, Fault.USER, "never overwritten", path=file.name)


def _checksum(*parts: str) -> str:
    return hashlib.sha256("".join(f"{part}\n" for part in parts).encode()).hexdigest()


def _invalid(detail: str) -> NotochordError:
    # From nothing: an error that is chained could carry parts of the file, and so of the key.
    error = NotochordError(Code.RECOVERY_INVALID, Fault.USER, detail)
    error.__suppress_context__ = True
    return error
