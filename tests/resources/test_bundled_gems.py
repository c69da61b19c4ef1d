"""The bundled gems: what is shipped is what their sources pack to, signed with a key that the program knows."""

import json
import zipfile
from pathlib import Path

import pytest

from notochord.core.paths import shipped
from notochord.services.gems.api import Trust
from notochord.services.gems.packing import pack
from notochord.services.gems.signatures import TrustedKeys
from support.gems import platform

GEMS = shipped("resources") / "gems"
DRAFTS = sorted(path for path in GEMS.iterdir() if path.is_dir())


def without_signature(package: bytes, folder: Path) -> dict[str, bytes]:
    file = folder / "package.zip"
    file.write_bytes(package)
    with zipfile.ZipFile(file) as archive:
        return {name: archive.read(name) for name in archive.namelist() if name != "SIGNATURE.json"}


@pytest.mark.parametrize("draft", DRAFTS, ids=lambda draft: draft.name)
def test_a_shipped_package_is_what_its_source_packs_to(draft: Path, tmp_path: Path) -> None:
    package = (GEMS / f"{draft.name}.gem").read_bytes()
    assert without_signature(package, tmp_path) == without_signature(pack(draft), tmp_path)


@pytest.mark.req("PKG-061", "PKG-068", "PKG-069")
@pytest.mark.parametrize("draft", DRAFTS, ids=lambda draft: draft.name)
async def test_a_shipped_package_is_installed_as_official(draft: Path, tmp_path: Path) -> None:
    async with platform(tmp_path / "org", keys=TrustedKeys()) as notochord:
        gem = await notochord.service.install(GEMS / f"{draft.name}.gem")
    assert (gem.id, gem.trust, gem.has_skill) == (draft.name, Trust.OFFICIAL, True)


def test_all_shipped_packages_are_signed_with_one_key(tmp_path: Path) -> None:
    packages = sorted(GEMS.glob("*.gem"))
    assert [package.stem for package in packages] == [draft.name for draft in DRAFTS]
    keys = set()
    for package in packages:
        with zipfile.ZipFile(package) as archive:
            keys.add(json.loads(archive.read("SIGNATURE.json"))["keyId"])
    assert len(keys) == 1
