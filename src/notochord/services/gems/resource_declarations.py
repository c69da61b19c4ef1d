"""The files that a gem has downloaded for it: what its manifest says of them, and the check of that (PKG-039)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from notochord.core.strict_json import Json
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems.hosts import fault_of
from notochord.services.gems.manifest import Manifest
from notochord.services.gems.problems import problem


@dataclass(frozen=True, slots=True)
class ResourceRecord:
    """One entry of `resources`; `addresses` are `url` and the mirrors, in the order in which they are tried."""

    id: str
    addresses: tuple[str, ...]
    sha256: str
    size: int
    required: bool
    description: str

    @property
    def hosts(self) -> tuple[str, ...]:
        """Where it comes from, each host once."""
        return tuple(dict.fromkeys(urlsplit(address).netloc for address in self.addresses))


def resources_of(raw: dict[str, Json]) -> tuple[ResourceRecord, ...]:
    """Read them from a manifest whose form was checked."""
    entries = raw.get("resources", [])
    return tuple(_record(entry) for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()


def resource_problems(manifest: Manifest, folder: Path) -> Iterator[Problem]:
    """Find ids that are given twice and addresses that lead nowhere."""
    seen: set[str] = set()
    for number, resource in enumerate(resources_of(manifest.raw)):
        where = f"resources.{number}"
        if resource.id in seen:
            detail = f"two resources are named {resource.id}"
            yield problem("resource_repeated", f"{where}.id", detail, name=resource.id)
        seen.add(resource.id)
        for address in resource.addresses:
            if fault := _fault_of(address):
                detail = f"{address!r} has to be {fault}"
                yield problem("resource_address", where, detail, address=address)


def _fault_of(address: str) -> str:
    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return "an address"
    if parts.username is not None or parts.password is not None:
        return "an address without a user"
    if not host:
        return "an address with a host"
    return fault_of(host if port is None else f"{host}:{port}", local=False)


def _record(entry: dict[str, Json]) -> ResourceRecord:
    mirrors, size = entry.get("mirrors", []), entry["size"]
    assert isinstance(mirrors, list)
    assert isinstance(size, int | float)
    return ResourceRecord(
        id=str(entry["id"]),
        addresses=(str(entry["url"]), *(str(mirror) for mirror in mirrors)),
        sha256=str(entry["sha256"]),
        size=int(size),
        required=entry.get("required") is True,
        description=str(entry.get("description", "")),
    )
