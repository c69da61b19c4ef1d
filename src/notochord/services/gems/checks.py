"""The six checks of a package, in their fixed order: unpack, signature, format, version, integrity, declarations."""

from dataclasses import dataclass
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.gems.api import Trust
from notochord.services.gems.archive import Unpacked, unpack
from notochord.services.gems.declarations import DataFaults, check_declarations
from notochord.services.gems.integrity import digest_of
from notochord.services.gems.manifest import Manifest, check_format, read
from notochord.services.gems.signatures import TrustedKeys, Verdict, verify
from notochord.services.gems.sop_calls import SopCalls
from notochord.services.gems.sop_declarations import calls_of
from notochord.services.gems.versions import Version

_RANK = {Trust.OFFICIAL: 0, Trust.DEVELOPER: 1, Trust.UNSIGNED: 2, Trust.UNKNOWN_KEY: 2}
"""The smaller the more trusted."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What a package is measured against: the installed gem of the same id."""

    version: str
    trust: Trust
    publisher: str


@dataclass(frozen=True, slots=True)
class CheckedPackage:
    """A package that passed; its files lie in `folder`, to be moved into place or thrown away."""

    folder: Path
    manifest: Manifest
    trust: Trust
    calls: SopCalls


@dataclass(frozen=True, slots=True)
class OpenedPackage:
    """A package after its first three checks: it has an id, and may be compared with what is installed."""

    unpacked: Unpacked
    manifest: Manifest
    verdict: Verdict


def open_package(package: Path, scratch: Path, keys: TrustedKeys, *, allow_unsigned: bool = False) -> OpenedPackage:
    """Run steps 1 to 3. Raises NotochordError: PATH_TRAVERSAL, PACKAGE_INVALID, SIZE_MISMATCH, SIG_INVALID,
    UNKNOWN_KEY, PERM_INVALID, PUBLISHER_MISMATCH."""
    unpacked = unpack(package, scratch)
    verdict = verify(unpacked.manifest, unpacked.signature, keys, allow_unsigned=allow_unsigned)
    manifest = read(check_format(unpacked.manifest))
    if verdict.trust is not Trust.UNSIGNED and verdict.publisher != manifest.publisher:
        raise _other_publisher(verdict.publisher, manifest.publisher)
    if not verdict.covers(manifest.id):
        if not allow_unsigned:
            raise _other_gem(manifest.id, verdict)
        verdict = Verdict(Trust.UNKNOWN_KEY, verdict.publisher)
    return OpenedPackage(unpacked, manifest, verdict)


def finish(
    opened: OpenedPackage, installed: Standing | None, faults: DataFaults, *, allow_unsigned: bool
) -> CheckedPackage:
    """Run steps 4 to 6. Raises NotochordError: UNSIGNED, TRUST_LOWER, PUBLISHER_MISMATCH, VERSION_OLDER,
    HASH_MISMATCH, SIZE_MISMATCH, PERM_INVALID, WORKFLOW_INVALID, INPUT_INVALID."""
    manifest, trust = opened.manifest, opened.verdict.trust
    if trust is Trust.UNSIGNED and not allow_unsigned:
        raise NotochordError(Code.UNSIGNED, Fault.POLICY, "the package is not signed", gem=manifest.id)
    if installed is not None:
        _check_standing(manifest, trust, installed)
    _check_integrity(opened.unpacked, manifest)
    folder = opened.unpacked.folder
    check_declarations(manifest, folder, faults)
    return CheckedPackage(folder, manifest, trust, calls_of(manifest, folder))


def _check_standing(manifest: Manifest, trust: Trust, installed: Standing) -> None:
    if _RANK[trust] > _RANK[installed.trust]:
        raise NotochordError(
            Code.TRUST_LOWER,
            Fault.POLICY,
            f"the installed gem is {installed.trust}, the package is {trust}",
            gem=manifest.id,
        )
    both_by_developers = trust is installed.trust is Trust.DEVELOPER
    if both_by_developers and installed.publisher != manifest.publisher:
        raise _other_publisher(manifest.publisher, installed.publisher)
    if Version(manifest.version) < Version(installed.version):
        raise NotochordError(
            Code.VERSION_OLDER,
            Fault.USER,
            f"{manifest.version} is older than the installed {installed.version}",
            version=manifest.version,
            installed=installed.version,
        )


def _check_integrity(unpacked: Unpacked, manifest: Manifest) -> None:
    for path in sorted(unpacked.files ^ manifest.files.keys()):
        what = "is not listed" if path in unpacked.files else "is listed and missing"
        raise NotochordError(Code.HASH_MISMATCH, Fault.USER, f"{path} {what} in integrity", path=path)
    for path, record in sorted(manifest.files.items()):
        size, digest = digest_of(unpacked.folder / path)
        if size != record.size:
            detail = f"{path} has {size} bytes, {record.size} declared"
            raise NotochordError(Code.SIZE_MISMATCH, Fault.USER, detail, path=path)
        if digest != record.sha256:
            raise NotochordError(Code.HASH_MISMATCH, Fault.USER, f"{path} has another SHA-256", path=path)


def _other_gem(gem: str, verdict: Verdict) -> NotochordError:
    detail = f"the developer's key counts for {', '.join(verdict.prefixes)} only, not for {gem}"
    whose = f"{verdict.publisher} ({gem})"
    return NotochordError(Code.UNKNOWN_KEY, Fault.USER, detail, key=verdict.key, publisher=whose)


def _other_publisher(found: str, expected: str) -> NotochordError:
    detail = f"signed by {found!r}, not by {expected!r}"
    return NotochordError(Code.PUBLISHER_MISMATCH, Fault.USER, detail, found=found, expected=expected)
