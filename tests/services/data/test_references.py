"""References: made by fields by themselves or linked, and telling whether their target is there."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.data.api import Append, Delete, Insert, LinkTo, Reference, Unlink, Update
from notochord.services.data.store import EncryptedStore
from support.clocks import HandClock
from support.data import GEM, OWNER, opened, table


def node(path: str) -> str:
    return f"{OWNER}/{path}"


def shown(found: list[Reference]) -> list[tuple[str, str, str, bool]]:
    cut = len(OWNER) + 1
    return [(one.source[cut:], one.target[cut:], one.kind, one.detached) for one in found]


@pytest.mark.req("DATA-303", "DATA-304", "DATA-305", "DATA-306")
@pytest.mark.parametrize(
    "path",
    [
        "rec/notes/a_-9",
        "doc/a",
        "doc/a#b_1",
        f"blob/{'0' * 64}",
    ],
)
async def test_a_node_id_is_the_owner_and_the_path(store: EncryptedStore, path: str) -> None:
    assert store.node_id(path) == f"gem:sales/{path}"


@pytest.mark.req("DATA-307")
async def test_the_node_id_of_an_entry_names_its_log(store: EncryptedStore) -> None:
    assert store.node_id("log/readings/a") == "gem:sales/log/readings/a"


@pytest.mark.parametrize(
    "path", ["", "rec/notes", "rec/Notes/a", "rec/notes/a b", "doc/a#", "doc/a#x", "blob/0", "kv/a", "doc/a\n"]
)
async def test_what_is_no_node_is_refused(store: EncryptedStore, path: str) -> None:
    with pytest.raises(NotochordError) as caught:
        store.node_id(path)
    assert caught.value.code is Code.INPUT_INVALID


@pytest.mark.req("DATA-314", "DATA-315", "DATA-316", "DATA-318")
async def test_a_reference_is_made_once_and_taken_away_once(store: EncryptedStore, clock: HandClock) -> None:
    link, unlink = LinkTo(node("doc/a"), node("doc/b"), "cites"), Unlink(node("doc/a"), node("doc/b"), "cites")
    now = clock.milliseconds()
    assert [await store.references.link(link, GEM), await store.references.link(link, GEM)] == [True, False]
    (found,) = await store.references.outgoing(node("doc/a"))
    assert found == Reference(node("doc/a"), node("doc/b"), "cites", True, now)
    assert [await store.references.unlink(unlink, GEM), await store.references.unlink(unlink, GEM)] == [True, False]
    assert await store.references.outgoing(node("doc/a")) == []


@pytest.mark.req("DATA-317", "DATA-319", "DATA-322")
async def test_references_are_listed_from_both_ends_newest_first_and_by_kind(store: EncryptedStore) -> None:
    for source, kind in (("doc/a", "x"), ("doc/a", "y"), ("doc/b", "x")):
        await store.references.link(LinkTo(node(source), node("doc/c"), kind), GEM)
    back = [(source, kind) for source, _, kind, _ in shown(await store.references.backlinks(node("doc/c")))]
    assert back == [("doc/b", "x"), ("doc/a", "y"), ("doc/a", "x")]
    only = await store.references.backlinks(node("doc/c"), kind="y")
    assert [(one.source, one.kind) for one in only] == [(node("doc/a"), "y")]
    assert len(await store.references.outgoing(node("doc/a"))) == 2
    assert len(await store.references.outgoing(node("doc/a"), kind="x")) == 1


@pytest.mark.req("DATA-320", "DATA-321")
async def test_a_hundred_references_are_listed_and_at_most_a_thousand(store: EncryptedStore) -> None:
    links = [LinkTo(node(f"doc/d{n}"), node("doc/c"), "x") for n in range(101)]
    await store.records.transact((), links, GEM)
    assert len(await store.references.backlinks(node("doc/c"))) == 100
    assert len(await store.references.backlinks(node("doc/c"), limit=1_000)) == 101
    for limit in (0, 1_001):
        with pytest.raises(NotochordError):
            await store.references.backlinks(node("doc/c"), limit=limit)


@pytest.mark.req("DATA-323", "DATA-324")
@pytest.mark.parametrize("kind", ["", "Cites", "9a", "a" * 65, "a b", "field:title", "a\n"])
async def test_a_kind_has_its_form_and_field_is_reserved(store: EncryptedStore, kind: str) -> None:
    for attempt in (
        store.references.link(LinkTo(node("doc/a"), node("doc/b"), kind), GEM),
        store.references.unlink(Unlink(node("doc/a"), node("doc/b"), kind), GEM),
    ):
        with pytest.raises(NotochordError) as caught:
            await attempt
        assert caught.value.code is Code.INPUT_INVALID


@pytest.mark.req("DATA-330", "DATA-487")
async def test_a_node_of_another_gem_is_refused(store: EncryptedStore) -> None:
    for foreign in ("gem:sale/doc/a", "gem:sales2/doc/a", "gem:other/rec/notes/a"):
        for attempt in (
            store.references.link(LinkTo(node("doc/a"), foreign, "x"), GEM),
            store.references.unlink(Unlink(foreign, node("doc/a"), "x"), GEM),
            store.references.outgoing(foreign),
        ):
            with pytest.raises(NotochordError) as caught:
                await attempt
            assert caught.value.code is Code.PERM_DENIED


@pytest.mark.req("DATA-325", "DATA-055")
async def test_a_ref_field_keeps_its_reference_as_its_value_is(store: EncryptedStore) -> None:
    async def outgoing() -> list[tuple[str, str, str, bool]]:
        return shown(await store.references.outgoing(node("rec/notes/n")))

    await store.records.insert(Insert("notes", {"title": "a", "project": "p"}, "n"), GEM)
    assert await outgoing() == [("rec/notes/n", "rec/projects/p", "field:project", True)]
    await store.records.update(Update("notes", "n", {"project": "q"}), GEM)
    assert await outgoing() == [("rec/notes/n", "rec/projects/q", "field:project", True)]
    await store.records.update(Update("notes", "n", {"project": None}), GEM)
    assert await outgoing() == []
    await store.records.update(Update("notes", "n", {"project": "p"}), GEM)
    await store.records.delete(Delete("notes", "n"), GEM)
    assert await outgoing() == []


@pytest.mark.req("DATA-326", "DATA-090")
async def test_a_blob_field_keeps_its_reference(store: EncryptedStore) -> None:
    blob = await store.blobs.put(b"photo", GEM)
    await store.records.insert(Insert("notes", {"title": "a", "photo": blob.hash}, "n"), GEM)
    found = shown(await store.references.backlinks(node(f"blob/{blob.hash}")))
    assert found == [("rec/notes/n", f"blob/{blob.hash}", "field:photo", False)]


async def test_elements_of_an_array_refer_too(tmp_path: Path) -> None:
    declared = table({"others": {"type": "array", "items": "ref", "to": "items"}})
    async with opened(tmp_path, declared) as store:
        await store.records.insert(Insert("items", {"others": ["b", "c", "b"]}, "a"), GEM)
        await store.records.update(Update("items", "a", {"others": ["c", "d"]}), GEM)
        found = shown(await store.references.outgoing(node("rec/items/a")))
        assert sorted(target for _, target, _, _ in found) == ["rec/items/c", "rec/items/d"]


@pytest.mark.req("DATA-327", "DATA-328", "DATA-329")
async def test_a_reference_tells_whether_its_target_is_there(store: EncryptedStore) -> None:
    await store.records.insert(Insert("notes", {"title": "a", "project": "p"}, "n"), GEM)

    async def detached() -> bool:
        (found,) = await store.references.outgoing(node("rec/notes/n"))
        return found.detached

    assert await detached()
    await store.records.insert(Insert("projects", {"name": "p"}, "p"), GEM)
    assert not await detached()
    await store.records.delete(Delete("projects", "p"), GEM)
    assert await detached()
    await store.records.insert(Insert("projects", {"name": "p"}, "p"), GEM)
    assert not await detached()


async def test_every_kind_of_target_is_looked_for(store: EncryptedStore) -> None:
    document = await store.documents.create("# a", GEM, identifier="d", title="")
    block = document.blocks[0].id
    blob = await store.blobs.put(b"x", GEM)
    entry = await store.records.append(Append("readings", {}), GEM)
    there = [f"doc/d#{block}", "doc/d", f"blob/{blob.hash}", f"log/readings/{entry.id}"]
    gone = [
        "doc/d#b_none",
        "doc/e",
        f"blob/{'0' * 64}",
        "log/readings/none",
        "rec/none/a",
        "log/notes/a",
        "rec/notes/a",
    ]
    for target in (*there, *gone):
        await store.references.link(LinkTo(node("doc/source"), node(target), "x"), GEM)
    found = {target: away for _, target, _, away in shown(await store.references.outgoing(node("doc/source")))}
    assert found == {**dict.fromkeys(there, False), **dict.fromkeys(gone, True)}
    await store.documents.delete("d", GEM)
    found = {target: away for _, target, _, away in shown(await store.references.outgoing(node("doc/source")))}
    assert found["doc/d"]
    assert found[f"doc/d#{block}"]


@pytest.mark.req("DATA-333")
async def test_links_are_part_of_a_transaction(store: EncryptedStore) -> None:
    link = LinkTo(node("doc/a"), node("doc/b"), "x")
    with pytest.raises(NotochordError):
        await store.records.transact((), [link, Insert("notes", {})], GEM)
    assert await store.references.outgoing(node("doc/a")) == []
    await store.records.transact((), [link], GEM)
    await store.records.transact((), [Unlink(link.source, link.target, "x"), Insert("notes", {"title": "a"})], GEM)
    assert await store.references.outgoing(node("doc/a")) == []


@pytest.mark.req("DATA-331")
async def test_linking_and_unlinking_are_writes_and_leave_a_change_each(store: EncryptedStore) -> None:
    ends = node("doc/a"), node("doc/b"), "x"
    await store.references.link(LinkTo(*ends), GEM)
    await store.references.unlink(Unlink(*ends), GEM)
    last = (await store.overview(changes=9)).last_changes
    assert [(change.what, change.name) for change in last] == [("deleted", GEM.name), ("added", GEM.name)]
