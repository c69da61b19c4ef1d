"""Reads and writes `organization.json`, what is known of an organization without its key."""

import re
from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import OrganizationFolder
from notochord.core.strict_json import Json, decode, encode
from notochord.persistence.atomic_files import write_atomically
from notochord.persistence.failures import translated
from notochord.services.organizations.api import KeyPlace

FORMAT = 1
MOST_BYTES = 64 * 1024
LONGEST_NAME = 200
_LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")


@dataclass(frozen=True, slots=True)
class Description:
    """The content of the file."""

    id: str
    name: str
    key_place: KeyPlace
    fingerprint: str
    setup_step: int = 0
    language: str = ""


def write_description(folder: OrganizationFolder, description: Description) -> None:
    """Put the description in place, durably. Raises NotochordError for trouble with the disk."""
    content: Json = {
        "format": FORMAT,
        "id": description.id,
        "name": description.name,
        "key_place": description.key_place.value,
        "fingerprint": description.fingerprint,
        "setup_step": description.setup_step,
        "language": description.language,
    }
    with translated(folder.description):
        write_atomically(folder.description, encode(content).encode())


def read_description(folder: OrganizationFolder) -> Description:
    """Return the description of the organization in `folder`, whose name is the organization's id.

    Raises NotochordError: ORG_NOT_FOUND (there is none), ORG_DAMAGED, STORE_NEWER.
    """
    identifier = folder.folder.name
    content = read_object(folder.description)
    if content is None:
        raise NotochordError(Code.ORG_NOT_FOUND, Fault.USER, "no such organization", organization=identifier)
    if content.get("id") != identifier:
        raise _damaged(identifier, "the folder does not carry the organization's id")
    name, place, mark = content.get("name"), content.get("key_place"), content.get("fingerprint")
    step, language = content.get("setup_step"), content.get("language")
    if not isinstance(name, str) or not isinstance(mark, str) or place not in set(KeyPlace):
        raise _damaged(identifier, "its description is incomplete")
    if type(step) is not int or not isinstance(language, str):
        raise _damaged(identifier, "its description is incomplete")
    return Description(identifier, name, KeyPlace(str(place)), mark, step, language)


def read_object(path: Path) -> dict[str, Json] | None:
    """Return the JSON object in one of the plain files of the home; None if there is no such file.

    Raises NotochordError: ORG_DAMAGED, STORE_NEWER (a format later than FORMAT).
    """
    identifier = path.parent.name
    with translated(path):
        try:
            with path.open("rb") as file:
                text = file.read(MOST_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
    try:
        content = decode(text) if len(text) <= MOST_BYTES else None
    except ValueError as error:
        raise _damaged(identifier, f"{path.name}: {error}") from error
    if not isinstance(content, dict) or type(content.get("format")) is not int:
        raise _damaged(identifier, f"{path.name} is incomplete")
    version = content["format"]
    if isinstance(version, int) and version > FORMAT:
        raise NotochordError(Code.STORE_NEWER, Fault.USER, f"format {version}", path=path.name)
    return content


def checked_name(name: str) -> str:
    """Return the name as it is kept. Raises NotochordError(INPUT_INVALID) for an empty or unprintable one."""
    name = name.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise NotochordError(
            Code.INPUT_INVALID,
            Fault.USER,
            "a name of 1 to 200 printable characters",
            field="name",
            why="why.organization_name",
        )
    return name


def checked_language(language: str) -> str:
    """Return a language as it is kept, empty for the system's. Raises NotochordError(INPUT_INVALID)."""
    if language and not _LANGUAGE.fullmatch(language):
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a language such as en or zh_CN", field="language", why="why.language"
        )
    return language


def _damaged(organization: str, detail: str) -> NotochordError:
    return NotochordError(Code.ORG_DAMAGED, Fault.SYSTEM, detail, organization=organization)
