"""Published gems: the official signature of a manifest proves a list's entry, and binds the package to it."""

from collections.abc import Callable
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.strict_json import Json, decode, encode
from notochord.services.gems.api import (
    Gem,
    GemInstalled,
    Publication,
    Standing,
    Trust,
)
from notochord.services.gems.asked import asks_more
from notochord.services.gems.checks import OpenedPackage
from notochord.services.gems.described import described, dossier_of
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.installed import InstalledGem, Library
from notochord.services.gems.installer import Installer
from notochord.services.gems.introductions import documents_among
from notochord.services.gems.manifest import check_format, read
from notochord.services.gems.signatures import TrustedKeys, canonical, verify
from notochord.services.gems.versions import Version


class OfficialPublications:
    """Implements `api.Publications`."""

    def __init__(
        self, *, keys: Callable[[], TrustedKeys], library: Library, installer: Installer, bus: EventBus
    ) -> None:
        self._keys = keys
        self._library = library
        self._installer = installer
        self._bus = bus

    def read(self, manifest: Json, signature: Json) -> Publication:
        content = _bytes(manifest)
        verdict = verify(content, _bytes(signature), self._keys())
        if verdict.trust is not Trust.OFFICIAL:
            raise _not_official(verdict.trust)
        found = read(check_format(content))
        if verdict.publisher != found.publisher:
            raise _other_publisher(verdict.publisher, found.publisher)
        documents = documents_among(found.files)
        digests = {one.path: found.files[one.path].sha256 for one in documents}
        return Publication(dossier_of(found, Trust.OFFICIAL), canonical(content), digests)

    def standing(self, publication: Publication) -> Standing:
        gem = self._library.get(publication.dossier.gem.id)
        if gem is None:
            return Standing.AVAILABLE
        if gem.record.manifest.publisher != publication.dossier.publisher:
            return Standing.OTHER
        newer = _version(publication) > Version(gem.record.manifest.version)
        return Standing.UPDATE if newer else Standing.INSTALLED

    def asks_more(self, publication: Publication) -> bool:
        gem = self._library.get(publication.dossier.gem.id)
        listed = decode(publication.manifest)
        assert isinstance(listed, dict)
        return gem is not None and asks_more(read(listed), gem.record.manifest)

    def is_newer(self, one: Publication, than: Publication) -> bool:
        return _version(one) > _version(than)

    async def install(self, package: Path, publication: Publication) -> Gem:
        gem = self._library.get(publication.dossier.gem.id)
        if gem is not None and self.standing(publication) is Standing.OTHER:
            raise _other_publisher(publication.dossier.publisher, gem.record.manifest.publisher)

        def judge(opened: OpenedPackage) -> None:
            _check_is(opened, publication)

        with disk_failures():
            installed = await self._installer.install(package, allow_unsigned=False, judge=judge)
        return self._told(installed)

    def _told(self, installed: InstalledGem) -> Gem:
        record = installed.record
        self._bus.publish(GemInstalled(record.id, record.manifest.version))
        return described(record.manifest, record.trust, installed.state)


def _check_is(opened: OpenedPackage, publication: Publication) -> None:
    """Hold a package against what the list showed: nobody is asked again before it is installed (GEMUI-006)."""
    if opened.verdict.trust is not Trust.OFFICIAL:
        raise _not_official(opened.verdict.trust)
    if canonical(opened.unpacked.manifest) != publication.manifest:
        listed = publication.dossier.gem
        found = f"{opened.manifest.id} {opened.manifest.version}"
        detail = f"the package is {found}, not the listed {listed.id} {listed.version} with this content"
        raise NotochordError(Code.LISTING_MISMATCH, Fault.NETWORK, detail, gem=listed.id, version=listed.version)


def _version(publication: Publication) -> Version:
    return Version(publication.dossier.gem.version)


def _bytes(value: Json) -> bytes:
    try:
        return encode(value).encode()
    except ValueError as error:
        detail = "the manifest or its signature is not text"
        raise NotochordError(Code.SIG_INVALID, Fault.NETWORK, detail, reason=detail) from error


def _not_official(trust: Trust) -> NotochordError:
    detail = f"a gem of the store has to be signed officially; this one is {trust}"
    return NotochordError(Code.GEM_NOT_OFFICIAL, Fault.POLICY, detail)


def _other_publisher(found: str, expected: str) -> NotochordError:
    detail = f"it is by {found!r}, not by {expected!r}"
    return NotochordError(Code.PUBLISHER_MISMATCH, Fault.USER, detail, found=found, expected=expected)
