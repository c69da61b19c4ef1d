"""An upgrade with a SQL migration, killed at a boundary: the old rows with the old version, or new with new."""

import signal
from pathlib import Path

import pytest

from notochord.services.gems.calls import raw_source_of
from notochord.services.gems.service import GemService
from support.gems import FILES, PackageMaker, manifest, platform
from support.killed import Change
from support.raw_databases import Raw
from support.vaults import FileVault

SCHEMA = "CREATE TABLE IF NOT EXISTS notes (title);"
V1 = {**FILES, "db/schema.sql": SCHEMA}
V2 = {**V1, "db/migrations/1_add.sql": "ALTER TABLE notes ADD COLUMN lang DEFAULT 'en';"}
BEFORE = ["raw copied", "raw migrated", "raw copy waits", "activated"]
ROWS = 50


def raw_of(service: GemService, raw: object) -> Raw:
    gem = service._installed("greeter")
    owner = raw_source_of(gem.record, service._store_folder("greeter"), gem.folder)
    return Raw(raw, owner)  # type: ignore[arg-type]


@pytest.mark.parametrize("end", [*BEFORE, "committed"])
async def test_killed_at_a_boundary_the_rows_fit_the_installed_version(
    tmp_path: Path, change_and_die: Change, end: str
) -> None:
    home = tmp_path / "org"
    home.mkdir()
    packages = PackageMaker(tmp_path / "packages")
    async with platform(home, vault=FileVault(home / "keys.json")) as first:
        await first.service.install(packages.make(manifest(), V1))
        for number in range(ROWS):
            await raw_of(first.service, first.raw).add("notes", title=f"t{number}")
    newer = packages.make(manifest(version="2.0.0"), V2)
    assert change_and_die(home, "install", str(newer), end) == -signal.SIGKILL
    migrated = end not in BEFORE
    async with platform(home, vault=FileVault(home / "keys.json")) as second:
        assert (await second.service.all())[0].version == ("2.0.0" if migrated else "1.0.0")
        rows = await raw_of(second.service, second.raw).ask("SELECT * FROM notes")
        extra = {"lang": "en"} if migrated else {}
        assert rows == [{"title": f"t{number}", **extra} for number in range(ROWS)]
        names = {path.name for path in second.folder.gem_store("greeter").glob("raw.db.*")}
        assert [name.rpartition("-")[0] for name in names if "bak" not in name] == []
        assert bool(names) == migrated
        if not migrated:
            await second.service.install(newer)
            assert len(await raw_of(second.service, second.raw).ask("SELECT lang FROM notes")) == ROWS
