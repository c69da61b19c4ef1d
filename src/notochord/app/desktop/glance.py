"""What can be told of the organization before the services are loaded: its id, its name, its language."""

from dataclasses import dataclass
from pathlib import Path

from notochord.core.ids import is_id
from notochord.core.paths import Home
from notochord.core.strict_json import Json, decode

LAST_STEP = 5
MOST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Glance:
    """Empty where nothing can be told; whoever opens the organization finds out properly."""

    id: str = ""
    name: str = ""
    language: str = ""
    complete: bool = False
    """Whether its set-up is complete, so that Home will come."""


def glance_at(home: Home, wanted: str) -> Glance:
    """Look at the organization with this name or id, the current one for an empty text. Reads two small files."""
    index = _object(home.index)
    named = index.get("organizations")
    names = {key: name for key, name in named.items() if isinstance(name, str)} if isinstance(named, dict) else {}
    by_name = [identifier for identifier, name in names.items() if name == wanted]
    identifier = str(index.get("current", "")) if not wanted else wanted if is_id(wanted) else next(iter(by_name), "")
    if not is_id(identifier) or len(by_name) > 1:
        return Glance()
    found = _object(home.organization(identifier).description)
    return Glance(identifier if found else "", _text(found, "name"), _text(found, "language"), _is_complete(found))


def _is_complete(found: dict[str, Json]) -> bool:
    step = found.get("setup_step")
    return type(step) is int and step >= LAST_STEP


def _text(found: dict[str, Json], name: str) -> str:
    value = found.get(name)
    return value if isinstance(value, str) else ""


def _object(path: Path) -> dict[str, Json]:
    try:
        with path.open("rb") as file:
            found = decode(file.read(MOST_BYTES))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
