"""Logs: appended, read by time, cleaned by their retention and by nothing else."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.data.api import Append, Delete, Insert, LinkTo, LogQuery, Query, Read, Update, Write
from notochord.services.data.store import EncryptedStore
from support.clocks import HandClock
from support.data import GEM, OWNER, opened, sample
from support.vaults import MemoryVault

DAY = 86_400


def seen(**retention: Any) -> dict[str, Any]:
    log: dict[str, Any] = {"kind": "log", "fields": {"value": {"type": "number"}}}
    return {"collections": {"seen": {**log, **({"retention": retention} if retention else {})}}}


async def values(store: EncryptedStore, **query: Any) -> list[Any]:
    page = await store.records.entries(LogQuery("seen", **query))
    return [entry.data.get("value") for entry in page.items]


async def append(store: EncryptedStore, clock: HandClock, *numbers: int, every: float = 1) -> None:
    for number in numbers:
        await store.records.append(Append("seen", {"value": number}), GEM)
        clock.advance(every)


async def append_at_once(store: EncryptedStore, numbers: range) -> None:
    for start in range(0, len(numbers), 500):
        writes = [Append("seen", {"value": number}) for number in numbers[start : start + 500]]
        await store.records.transact((), writes, GEM)


@pytest.mark.req("DATA-217", "DATA-221", "DATA-224", "DATA-220")
async def test_entries_come_newest_first_with_the_time_of_their_appending(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path, seen(), clock=clock) as store:
        first = clock.milliseconds()
        await append(store, clock, 1, 2, 3)
        page = await store.records.entries(LogQuery("seen"))
        assert [(entry.at - first, entry.data) for entry in page.items] == [
            (2_000, {"value": 3}), (1_000, {"value": 2}), (0, {"value": 1}),
        ]  # fmt: skip
        assert await values(store, newest_first=False) == [1, 2, 3]


@pytest.mark.req("DATA-222", "DATA-223")
async def test_both_ends_of_a_time_are_included(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path, seen(), clock=clock) as store:
        first = clock.milliseconds()
        await append(store, clock, 1, 2, 3, 4)
        assert await values(store, since=first + 1_000, until=first + 2_000) == [3, 2]
        assert await values(store, since=first + 3_001) == []


@pytest.mark.req("DATA-225", "DATA-226", "DATA-227")
async def test_a_page_has_a_hundred_entries_and_a_cursor(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path, seen(), clock=clock) as store:
        await append_at_once(store, range(205))
        found, after = [], ""
        for size in (100, 100, 5):
            page = await store.records.entries(LogQuery("seen", after=after))
            assert len(page.items) == size
            found += [entry.data["value"] for entry in page.items]
            after = page.next_cursor
        assert (found, after) == (list(range(204, -1, -1)), "")
        for limit in (0, 1_001):
            with pytest.raises(NotochordError):
                await store.records.entries(LogQuery("seen", limit=limit))
        assert len((await store.records.entries(LogQuery("seen", limit=1_000))).items) == 205


@pytest.mark.req("DATA-228")
async def test_a_page_over_sixteen_megabytes_is_refused(tmp_path: Path) -> None:
    declared = {"collections": {"seen": {"kind": "log", "fields": {"value": {"type": "string"}}}}}
    async with opened(tmp_path, declared) as store:
        await store.records.transact((), [Append("seen", {"value": "x" * 1_040_000}) for _ in range(17)], GEM)
        with pytest.raises(NotochordError) as caught:
            await store.records.entries(LogQuery("seen"))
        assert caught.value.code is Code.PAYLOAD_TOO_LARGE
        assert len(await values(store, limit=16)) == 16


@pytest.mark.req("DATA-218")
@pytest.mark.parametrize("entry", [{"value": "1"}, {"none": 1}, [], None])
async def test_an_entry_is_checked_like_a_record(store: EncryptedStore, entry: Any) -> None:
    with pytest.raises(NotochordError) as caught:
        await store.records.append(Append("readings", entry), GEM)
    assert caught.value.code is Code.INPUT_INVALID


@pytest.mark.req("DATA-231", "DATA-232", "DATA-233", "DECL-046")
async def test_what_is_too_old_or_too_much_goes_and_the_newest_stay(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path / "days", seen(days=2), clock=clock) as store:
        await store.settle()
        await append(store, clock, *range(5), every=DAY)
        await store.clean()
        assert await values(store, newest_first=False) == [3, 4]
    async with opened(tmp_path / "count", seen(maxEntries=3), clock=clock) as store:
        await store.settle()
        await append_at_once(store, range(1_203))
        clock.advance(DAY)
        await store.clean()
        assert await values(store) == [1202, 1201, 1200]
    async with opened(tmp_path / "both", seen(days=3, maxEntries=2), clock=clock) as store:
        await store.settle()
        await append(store, clock, 1, 2, 3, every=0)
        clock.advance(2 * DAY)
        await store.clean()
        assert await values(store) == [3, 2]
        clock.advance(2 * DAY)
        await store.clean()
        assert await values(store) == []


@pytest.mark.req("DATA-234", "DECL-047", "DECL-007")
async def test_without_a_retention_entries_stay_also_when_change_records_go(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path, {**seen(), "eventRetentionDays": 1}, clock=clock) as store:
        await append(store, clock, 1, 2)
        clock.advance(10_000 * DAY)
        await store.clean()
        assert await values(store) == [2, 1]
        assert (await store.overview(changes=10)).last_changes == ()


@pytest.mark.req("DATA-235")
async def test_a_store_is_cleaned_at_most_once_a_day_also_over_restarts(
    tmp_path: Path, clock: HandClock, keys: MemoryVault
) -> None:
    async with opened(tmp_path, seen(maxEntries=1), clock=clock, vault=keys) as store:
        await store.settle()
        await append(store, clock, 1, 2, every=0)
    clock.advance(DAY - 1)
    async with opened(tmp_path, seen(maxEntries=1), clock=clock, vault=keys) as store:
        await store.settle()
        assert await values(store) == [2, 1]
        clock.advance(1)
        await append(store, clock, 3, every=0)
        await store.settle()
        assert await values(store) == [3]


@pytest.mark.req("DATA-236", "DATA-237", "DATA-238", "DATA-353")
async def test_the_fields_of_a_log_change_freely_and_old_entries_stay_as_they_were(
    tmp_path: Path, clock: HandClock, keys: MemoryVault
) -> None:
    async with opened(tmp_path, seen(), vault=keys, clock=clock) as store:
        await store.records.append(Append("seen", {"value": 1}), GEM)
    fields = {"value": {"type": "string", "required": True}, "more": {"type": "any"}}
    declared = {"collections": {"seen": {"kind": "log", "fields": fields}}}
    async with opened(tmp_path, declared, vault=keys, clock=clock) as store:
        await store.records.append(Append("seen", {"value": "x"}), GEM)
        with pytest.raises(NotochordError):
            await store.records.append(Append("seen", {"value": 1}), GEM)
        assert await values(store) == ["x", 1]


@pytest.mark.req("DATA-239", "DECL-100", "DECL-101")
async def test_an_entry_refers_to_what_its_fields_name_until_it_is_cleaned_up(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path, sample(), clock=clock) as store:
        await store.settle()
        note = await store.records.insert(Insert("notes", {"title": "a"}), GEM)
        made = await store.records.append(Append("readings", {"note": note.id}), GEM)
        target = store.node_id(f"rec/notes/{note.id}")
        (found,) = await store.references.backlinks(target)
        assert (found.source, found.kind) == (store.node_id(f"log/readings/{made.id}"), "field:note")
        clock.advance(366 * DAY)
        await store.clean()
        assert await store.references.backlinks(target) == []


@pytest.mark.req("DATA-054", "DECL-006")
async def test_change_records_are_kept_for_as_many_days_as_declared(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path, {**sample(), "eventRetentionDays": 3}, clock=clock) as store:
        await store.settle()
        for n in range(6):
            await store.records.insert(Insert("projects", {"name": f"p{n}"}, f"p{n}"), GEM)
            clock.advance(DAY)
        await store.clean()
        left = (await store.overview(changes=10)).last_changes
        assert [one.subject for one in left] == ["projects/p5", "projects/p4", "projects/p3"]
        assert await store.records.count(Query("projects")) == 6


# -- transactions


@pytest.mark.req("DATA-200", "DATA-215")
async def test_a_transaction_whose_last_write_is_refused_leaves_nothing(store: EncryptedStore) -> None:
    writes: list[Write] = [
        Insert("projects", {"name": "a"}, "p"),
        Append("readings", {"value": 1}),
        LinkTo(f"{OWNER}/doc/a", f"{OWNER}/doc/b", "x"),
        Insert("notes", {"title": 5}),
    ]
    with pytest.raises(NotochordError):
        await store.records.transact((), writes, GEM)
    assert await store.records.get("projects", "p") is None
    assert (await store.records.entries(LogQuery("readings"))).items == ()
    assert await store.references.outgoing(f"{OWNER}/doc/a") == []
    assert (await store.overview(changes=5)).last_changes == ()


@pytest.mark.req("DATA-204", "DATA-205", "DATA-198")
async def test_what_was_read_and_changed_deleted_or_made_since_stops_a_transaction(store: EncryptedStore) -> None:
    async def note(identifier: str) -> Read:
        return Read("projects", identifier, (await store.records.read("projects", identifier))[1])

    for name in ("changed", "deleted", "again", "same"):
        await store.records.insert(Insert("projects", {"name": name}, name), GEM)
    reads = {name: await note(name) for name in ("changed", "deleted", "again", "same", "made", "missing")}
    await store.records.update(Update("projects", "changed", {"open_count": 1}), GEM)
    await store.records.delete(Delete("projects", "deleted"), GEM)
    await store.records.delete(Delete("projects", "again"), GEM)
    await store.records.insert(Insert("projects", {"name": "again"}, "again"), GEM)
    await store.records.insert(Insert("projects", {"name": "made"}, "made"), GEM)
    for name, read in reads.items():
        done = await store.records.transact([read], [Append("readings", {"value": 1})], GEM)
        assert done is (name in ("same", "missing")), name
    assert len((await store.records.entries(LogQuery("readings"))).items) == 2


async def test_a_version_that_does_not_fit_in_a_transaction_is_a_conflict_at_once(store: EncryptedStore) -> None:
    await store.records.insert(Insert("projects", {"name": "a"}, "p"), GEM)
    for write in (Update("projects", "p", {}, 2), Delete("projects", "p", 2), Insert("projects", {"name": "b"}, "p")):
        with pytest.raises(NotochordError) as caught:
            await store.records.transact((), [write], GEM)
        assert caught.value.code is Code.DATA_CONFLICT


@pytest.mark.req("DATA-201")
async def test_a_transaction_has_at_most_500_writes(store: EncryptedStore) -> None:
    writes = [Insert("projects", {"name": f"p{n}"}) for n in range(501)]
    with pytest.raises(NotochordError) as caught:
        await store.records.transact((), writes, GEM)
    assert caught.value.code is Code.INPUT_INVALID
    assert await store.records.count(Query("projects")) == 0
    assert await store.records.transact((), writes[:500], GEM)
