"""A wrong `data` section keeps a gem from being packed and installed, with a message that tells where it is wrong."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json, decode
from notochord.services.data.api import Append, Insert
from support.data import sample, table
from support.drafts import draft_manifest, written_draft
from support.gems import FILES, PackageMaker, Platform, draft, manifest
from support.workshops import made_workshop

GEM = Caller(Actor.GEM, "greeter")
STRING = {"type": "string"}
SHAPE = "notochord.json failed schema validation: "
DATA = "data:"

WRONG = [
    pytest.param(table({"a": STRING}, more=1), SHAPE, id="unknown key", marks=pytest.mark.req("DECL-109", "DATA-103")),
    pytest.param(table({"a": {"type": "date"}}), SHAPE, id="type", marks=pytest.mark.req("DECL-110", "DATA-103")),
    pytest.param(
        table({"a": {**STRING, "description": "d" * 501}}),
        SHAPE,
        id="description",
        marks=pytest.mark.req("DECL-111", "DATA-103"),
    ),
    pytest.param(table({"A": STRING}), DATA, id="name", marks=pytest.mark.req("DECL-112", "DATA-104")),
    pytest.param(
        table({f"f{n}": STRING for n in range(129)}), DATA, id="count", marks=pytest.mark.req("DECL-113", "DATA-104")
    ),
    pytest.param(
        table({"a": {"type": "ref", "to": "b"}}), DATA, id="to", marks=pytest.mark.req("DECL-114", "DATA-099")
    ),
    pytest.param(
        table({"a": STRING}, version=2), DATA, id="no migrations", marks=pytest.mark.req("DECL-115", "DATA-099")
    ),
    pytest.param(
        table({"a": STRING}, version=2, migrations="migrations/none.js"),
        DATA,
        id="file missing",
        marks=pytest.mark.req("DECL-116", "DATA-378"),
    ),
]


@pytest.mark.req("DATA-101", "DECL-108")
@pytest.mark.parametrize(("declared", "begins"), WRONG)
async def test_it_is_not_installed(notochord: Platform, packages: PackageMaker, declared: Json, begins: str) -> None:
    with pytest.raises(NotochordError) as caught:
        await notochord.service.install(packages.make(manifest(data=declared)))
    assert caught.value.code is Code.PERM_INVALID
    assert caught.value.detail.startswith(begins)
    assert await notochord.service.all() == ()


@pytest.mark.req("DATA-100", "DECL-107")
@pytest.mark.parametrize(("declared", "begins"), WRONG)
async def test_it_is_not_packed(tmp_path: Path, declared: Json, begins: str) -> None:
    folder = draft(tmp_path, manifest(data=declared))
    with pytest.raises(NotochordError) as caught:
        await made_workshop().pack(folder)
    assert caught.value.code is Code.PERM_INVALID
    assert caught.value.detail.startswith(begins)


@pytest.mark.req("DATA-105", "DECL-117", "DECL-106", "DATA-396")
async def test_in_a_draft_every_error_of_the_section_begins_with_data(notochord: Platform, tmp_path: Path) -> None:
    for number, case in enumerate(WRONG):
        declared = case.values[0]
        folder = written_draft(tmp_path / str(number), draft_manifest(data=declared), {})
        with pytest.raises(NotochordError) as caught:
            await notochord.service.test(folder)
        assert caught.value.code is Code.PERM_INVALID
        assert caught.value.detail.startswith(DATA), caught.value.detail


@pytest.mark.req("DATA-026")
async def test_the_sample_of_the_page_is_packed_and_installed(notochord: Platform, tmp_path: Path) -> None:
    files: dict[str, Any] = {**FILES}
    folder = draft(tmp_path / "draft", manifest(data=sample()), files)
    packed = await made_workshop().pack(folder, tmp_path / "sample.gem")
    await notochord.service.install(packed.package, allow_unsigned=True)
    store = await notochord.service.data("greeter")
    names = [(one.name, one.kind) for one in (await store.overview()).collections]
    assert names == [("notes", "table"), ("projects", "table"), ("readings", "log")]


@pytest.mark.req("DECL-036", "PKG-010")
async def test_a_migration_file_that_is_in_the_package_is_enough(notochord: Platform, packages: PackageMaker) -> None:
    declared = table({"a": STRING}, version=2, migrations="migrations/items.mjs")
    files = {**FILES, "migrations/items.mjs": "export const v1_to_v2 = (data) => data"}
    await notochord.service.install(packages.make(manifest(data=declared), files))
    with pytest.raises(NotochordError, match=r"migrations/items\.mjs"):
        await notochord.service.install(packages.make(manifest(version="2.0.0", data=declared)))


@pytest.mark.req("DATA-007", "DATA-008", "DATA-355", "DECL-104")
async def test_a_removed_gem_leaves_nothing_for_the_next_of_its_name(
    notochord: Platform, packages: PackageMaker
) -> None:
    await notochord.service.install(packages.make(manifest(data=sample())))
    store = await notochord.service.data("greeter")
    await store.records.insert(Insert("projects", {"name": "a"}, "a"), GEM)
    await store.documents.create("plain", GEM, identifier="d", title="")
    await store.blobs.put(b"file", GEM)
    await notochord.service.install(packages.make(manifest(version="2.0.0")))
    await notochord.service.remove("greeter")
    assert not notochord.folder.gem_store("greeter").exists()
    assert notochord.vault.keys == {}
    await notochord.service.install(packages.make(manifest(data=sample())))
    found = await (await notochord.service.data("greeter")).overview(changes=10)
    assert ([one.count for one in found.collections], found.documents, found.blobs) == ([0, 0, 0], 0, 0)
    assert found.last_changes == ()


async def test_what_a_gem_has_stored_is_counted_and_exported_line_by_line(
    notochord: Platform, packages: PackageMaker
) -> None:
    await notochord.service.install(packages.make(manifest(data=sample())))
    store = await notochord.service.data("greeter")
    writes = [Insert("projects", {"name": f"p{n:03}"}, f"r{n}") for n in range(450)]
    await store.records.transact((), writes, GEM)
    await store.records.append(Append("readings", {"value": 1}), GEM)
    counted = {one.name: (one.count, one.size) for one in (await store.overview()).collections}
    assert counted == {"notes": (0, 0), "projects": (450, 450 * len('{"name":"p000"}')), "readings": (1, 11)}
    lines = [decode(line) async for line in store.records.export("projects")]
    assert [line["data"] for line in lines if isinstance(line, dict)] == [write.data for write in writes]
    (entry,) = [line async for line in store.records.export("readings")]
    assert '"data":{"value":1}' in entry
