"""An upgrade with a migration, killed at any durable boundary: the old data with the old version, or new with new."""

import signal
from pathlib import Path

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.strict_json import Json
from notochord.services.data.api import Insert, Query
from support.data import table
from support.gems import FILES, PackageMaker, manifest, platform
from support.killed import Change
from support.vaults import FileVault

GEM = Caller(Actor.GEM, "greeter")
BEFORE = ["placed", "copied", "migrated", "copy waits", "activated"]
AFTER = ["committed", "store closed", "database kept", "copy in place"]
RECORDS = 600


def declared(version: int) -> Json:
    if version == 1:
        return table({"title": {"type": "string"}}, indexes=[["title"]])
    fields = {"title": {"type": "string"}, "migrated": {"type": "boolean", "required": True}}
    return table(fields, indexes=[["title"]], version=version, migrations="migrations/items.js")


async def check_after(home: Path, *, migrated: bool) -> None:
    """Fail unless all the data is there, in the shape of the installed version, with nothing left beside it."""
    async with platform(home, vault=FileVault(home / "keys.json")) as notochord:
        (gem,) = await notochord.service.all()
        assert gem.version == ("2.0.0" if migrated else "1.0.0")
        store = await notochord.service.data("greeter")
        page = await store.records.page(Query("items", limit=1000))
        assert len(page.items) == RECORDS
        shapes = {(one.version, tuple(one.data)) for one in page.items}
        assert shapes == ({(2, ("title", "migrated"))} if migrated else {(1, ("title",))})
        assert (await store.overview()).collections[0].count == RECORDS
        left = {path.name.removesuffix("-wal") for path in notochord.folder.gem_store("greeter").glob("data.db.*")}
        assert [name.rpartition("-")[0] for name in left] == (["data.db.bak"] if migrated else [])
        await store.records.insert(Insert("items", {"title": "x", **({"migrated": True} if migrated else {})}), GEM)


@pytest.mark.req("DATA-371", "DATA-361", "PKG-029")
@pytest.mark.parametrize("end", [*BEFORE, *AFTER])
async def test_killed_at_a_boundary_the_data_fits_the_installed_version(
    tmp_path: Path, change_and_die: Change, end: str
) -> None:
    home = tmp_path / "org"
    home.mkdir()
    packages = PackageMaker(tmp_path / "packages")
    async with platform(home, vault=FileVault(home / "keys.json")) as first:
        await first.service.install(packages.make(manifest(data=declared(1))))
        store = await first.service.data("greeter")
        for start in (0, 300):
            writes = [Insert("items", {"title": f"t{n}"}, f"r{n}") for n in range(start, start + 300)]
            await store.records.transact((), writes, GEM)
    files = {**FILES, "migrations/items.js": "export const v1_to_v2 = (data) => data"}
    newer = packages.make(manifest(version="2.0.0", data=declared(2)), files)
    assert change_and_die(home, "install", str(newer), end) == -signal.SIGKILL
    await check_after(home, migrated=end in AFTER)
    if end in BEFORE:
        assert change_and_die(home, "install", str(newer), "never") == 0
        async with platform(home, vault=FileVault(home / "keys.json")) as second:
            assert (await second.service.all())[0].version == "2.0.0"
            store = await second.service.data("greeter")
            assert await store.records.count(Query("items")) == RECORDS + 1
