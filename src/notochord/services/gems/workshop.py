"""The author's workshop: drafts from templates, checks, packages and signatures, without an open organization."""

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

from nacl.signing import SigningKey

from notochord.persistence.atomic_files import write_atomically
from notochord.services.gem_authoring.api import Advice, DraftIdentity, PackedGem, Problem
from notochord.services.gems.archive import unpack
from notochord.services.gems.declarations import DataFaults
from notochord.services.gems.disk import disk_failures
from notochord.services.gems.draft_advice import advice_on
from notochord.services.gems.draft_checks import check_draft
from notochord.services.gems.key_files import id_of, make_key, read_key
from notochord.services.gems.manifest import Manifest, check_format, read
from notochord.services.gems.packing import assemble, content_of, zipped
from notochord.services.gems.problems import refusal
from notochord.services.gems.templates import draft_of_package, make_draft, template_names

PACKAGE_MODE = 0o644


class GemWorkshop:
    """Implements Workshop. Everything it does is in files; it keeps nothing.

    `data_faults` tells what is wrong with a `data` section.
    """

    def __init__(self, *, data_faults: DataFaults) -> None:
        self._data_faults = data_faults

    async def templates(self) -> Sequence[str]:
        return template_names()

    async def new(self, folder: Path, template: str, identity: DraftIdentity) -> Sequence[str]:
        with disk_failures():
            return await asyncio.to_thread(make_draft, folder, template, identity)

    async def open_package(self, package: Path, folder: Path) -> Sequence[str]:
        with disk_failures():
            return await asyncio.to_thread(draft_of_package, package, folder)

    async def check(self, draft: Path) -> Sequence[Problem]:
        with disk_failures():
            return await asyncio.to_thread(check_draft, draft, self._data_faults)

    async def advise(self, draft: Path) -> Sequence[Advice]:
        with disk_failures():
            return await asyncio.to_thread(advice_on, draft)

    async def pack(self, draft: Path, package: Path | None = None, *, key: Path | None = None) -> PackedGem:
        with disk_failures():
            return await asyncio.to_thread(_pack, draft, package, key, self._data_faults)

    async def sign(self, package: Path, *, key: Path) -> PackedGem:
        with disk_failures():
            return await asyncio.to_thread(_sign, package, key)

    async def public_key(self, file: Path) -> tuple[str, str]:
        key = await asyncio.to_thread(read_key, file)
        return id_of(key), bytes(key.verify_key).hex()

    async def make_key(self, file: Path) -> str:
        with disk_failures():
            return await asyncio.to_thread(make_key, file)


def _pack(draft: Path, package: Path | None, key: Path | None, data_faults: DataFaults) -> PackedGem:
    signer = None if key is None else read_key(key)
    if problems := check_draft(draft, data_faults):
        raise refusal(problems)
    assembled = assemble(draft)
    content = zipped(content_of(assembled.manifest), assembled.files, signer)
    manifest = read(assembled.manifest)
    chosen = package or draft.resolve().parent / f"{manifest.id}-{manifest.version}.gem"
    return _written(content, chosen, manifest, signer)


def _sign(package: Path, key: Path) -> PackedGem:
    signer = read_key(key)
    with tempfile.TemporaryDirectory(prefix="notochord-") as scratch:
        unpacked = unpack(package, Path(scratch))
        manifest = read(check_format(unpacked.manifest))
        files = {path: (unpacked.folder / path).read_bytes() for path in unpacked.files}
    return _written(zipped(unpacked.manifest, files, signer), package, manifest, signer)


def _written(content: bytes, package: Path, manifest: Manifest, key: SigningKey | None) -> PackedGem:
    write_atomically(package, content, mode=PACKAGE_MODE)
    return PackedGem(
        package=package,
        id=manifest.id,
        version=manifest.version,
        files=len(manifest.files),
        size=len(content),
        key="" if key is None else id_of(key),
    )
