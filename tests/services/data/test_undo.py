"""What a cause changed is told and taken back, except for what changed again since."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.persistence.database import Database
from notochord.services.data.api import Append, Delete, Insert, LinkTo, LogQuery, Query, Source, Unlink, Update
from notochord.services.data.service import DataService
from notochord.services.journal.component import COMPONENT as JOURNAL
from notochord.services.journal.service import JournalService
from support.clocks import HandClock
from support.data import GEM, OWNER, sample
from support.databases import database_in
from support.vaults import MemoryVault

OTHER = replace(GEM, cause=Cause("other talk"))
CAUSE = Cause("talk")
DOC = (f"{OWNER}/doc/a", f"{OWNER}/doc/b")


@pytest.fixture
async def main(tmp_path: Path) -> AsyncIterator[Database]:
    async with database_in(tmp_path, JOURNAL) as database:
        yield database


@pytest.fixture
async def journal(main: Database, clock: HandClock) -> JournalService:
    return JournalService(database=main, clock=clock)


@pytest.fixture
async def data(journal: JournalService, keys: MemoryVault, clock: HandClock) -> AsyncIterator[DataService]:
    service = DataService(vault=keys, clock=clock, device="here", journal=journal)
    yield service
    await service.close()


@pytest.fixture
def source(tmp_path: Path) -> Source:
    return Source(OWNER, tmp_path / "store", sample(), "1")


async def test_everything_that_a_cause_did_goes_back(
    data: DataService, journal: JournalService, source: Source
) -> None:
    store = await data.store(source)
    await store.records.insert(Insert("notes", {"title": "before", "status": "open"}, "kept"), OTHER)
    await store.records.insert(Insert("projects", {"name": "gone"}, "gone"), OTHER)
    await store.kv_set("key", "before", OTHER)
    await store.references.link(LinkTo(*DOC, "old"), OTHER)
    await store.documents.create("one\n\ntwo", OTHER, identifier="d", title="before")
    before = await store.documents.get("d")

    await store.records.update(Update("notes", "kept", {"title": "after", "due": 1}), GEM)
    await store.records.update(Update("notes", "kept", {"status": None}), GEM)
    await store.records.delete(Delete("projects", "gone"), GEM)
    await store.records.insert(Insert("notes", {"title": "new"}, "new"), GEM)
    await store.records.append(Append("readings", {"value": 1}), GEM)
    await store.kv_set("key", "after", GEM)
    await store.kv_set("new key", "after", GEM)
    await store.references.link(LinkTo(*DOC, "new"), GEM)
    await store.references.unlink(Unlink(*DOC, "old"), GEM)
    assert before is not None
    await store.documents.replace_block("d", before.blocks[0].id, "ONE\n\nhalf", GEM)
    await store.documents.update("d", "ONE\n\nend", GEM, title="after")
    await store.documents.create("made", GEM, identifier="made", title="")

    told = await journal.changes(CAUSE)
    assert len(told) == 12
    assert all(change.store == OWNER for change in told)
    assert "record notes/new added" in {change.what for change in told}
    reverted = await journal.revert(CAUSE)
    assert (len(reverted.undone), reverted.skipped) == (12, ())

    kept, gone = await store.records.get("notes", "kept"), await store.records.get("projects", "gone")
    assert kept is not None
    assert gone is not None
    assert (kept.data, gone.data) == ({"title": "before", "status": "open"}, {"name": "gone"})
    assert [one.id for one in (await store.records.page(Query("notes"))).items] == ["kept"]
    assert (await store.records.entries(LogQuery("readings"))).items == ()
    assert (await store.kv_get("key"), await store.kv_get("new key")) == ("before", None)
    assert [one.kind for one in await store.references.outgoing(DOC[0])] == ["old"]
    after = await store.documents.get("d")
    assert after is not None
    assert (after.blocks, after.title) == (before.blocks, "before")
    assert await store.documents.get("made") is None


async def test_what_changed_again_since_is_left_alone_and_told(
    data: DataService, journal: JournalService, source: Source
) -> None:
    store = await data.store(source)
    await store.records.insert(Insert("notes", {"title": "mine"}, "n"), GEM)
    await store.records.update(Update("notes", "n", {"title": "theirs"}), OTHER)
    await store.records.update(Update("notes", "n", {"status": "open"}), GEM)
    await store.kv_set("key", "mine", GEM)
    await store.kv_set("key", "theirs", OTHER)
    await store.documents.create("mine", GEM, identifier="d", title="")
    await store.documents.insert_after("d", None, "theirs", OTHER)
    reverted = await journal.revert(CAUSE)
    assert [change.what for change in reverted.undone] == ["record notes/n changed"]
    skipped = sorted(change.what for change in reverted.skipped)
    assert skipped == ["doc d added", "kv key added", "record notes/n added"]
    found = await store.records.get("notes", "n")
    assert found is not None
    assert found.data == {"title": "theirs"}
    assert await store.kv_get("key") == "theirs"


async def test_a_deleted_document_comes_back(data: DataService, journal: JournalService, source: Source) -> None:
    store = await data.store(source)
    made = await store.documents.create("text", OTHER, identifier="d", title="")
    await store.documents.delete("d", GEM)
    reverted = await journal.revert(CAUSE)
    assert len(reverted.undone) == 1
    assert await store.documents.get("d") == made


async def test_what_cannot_stand_beside_other_data_is_told(
    data: DataService, journal: JournalService, source: Source
) -> None:
    store = await data.store(source)
    await store.records.insert(Insert("projects", {"name": "one"}, "a"), OTHER)
    await store.records.delete(Delete("projects", "a"), GEM)
    await store.records.insert(Insert("projects", {"name": "one"}, "b"), OTHER)
    reverted = await journal.revert(CAUSE)
    assert (len(reverted.undone), len(reverted.skipped)) == (0, 1)
    assert await store.records.get("projects", "a") is None


async def test_a_second_undo_finds_nothing_of_its_own_to_take_back(
    data: DataService, journal: JournalService, source: Source
) -> None:
    store = await data.store(source)
    await store.kv_set("key", "mine", GEM)
    await journal.revert(CAUSE)
    reverted = await journal.revert(CAUSE)
    assert (reverted.undone, reverted.skipped) == ((), ())
    assert await journal.changes(CAUSE) == ()
    assert await store.kv_get("key") is None


async def test_an_undo_that_ended_in_the_middle_of_a_document_is_carried_to_its_end(
    data: DataService, journal: JournalService, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await data.store(source)
    before = await store.documents.create("one", OTHER, identifier="d", title="")
    for text in ("two", "three", "four"):
        await store.documents.insert_after("d", None, text, GEM)
    undo, done = store.documents.undo, list[str]()

    async def once(subject: str, *change: Any) -> bool:
        if done:
            raise InterruptedError("the program ends here")
        done.append(subject)
        return await undo(subject, *change)

    with monkeypatch.context() as ending:
        ending.setattr(store.documents, "undo", once)
        with pytest.raises(InterruptedError):
            await journal.revert(CAUSE)
    assert len(await journal.changes(CAUSE)) == 2
    reverted = await journal.revert(CAUSE)
    assert (len(reverted.undone), reverted.skipped) == (2, ())
    after = await store.documents.get("d")
    assert (after.blocks if after else ()) == before.blocks
    assert await journal.changes(CAUSE) == ()


async def test_a_store_that_is_not_open_is_asked_too_and_one_that_is_gone_is_not(
    journal: JournalService, keys: MemoryVault, clock: HandClock, source: Source
) -> None:
    first = DataService(vault=keys, clock=clock, device="here")
    await (await first.store(source)).kv_set("key", "mine", GEM)
    await first.close()
    await journal.touch(OWNER, CAUSE)
    second = DataService(vault=keys, clock=clock, device="here", journal=journal)
    second.know(source)
    assert [change.what for change in await journal.changes(CAUSE)] == ["kv key added"]
    await second.remove(OWNER, source.folder)
    assert await journal.changes(CAUSE) == ()
    assert (await journal.revert(CAUSE)).undone == ()
    assert not source.folder.exists()
    await second.close()


async def test_a_step_of_a_run_is_taken_back_alone(data: DataService, source: Source) -> None:
    store = await data.store(source)
    for step in ("1", "2"):
        await store.kv_set(step, "x", replace(GEM, cause=Cause(run="r", step=step)))
    assert [change.subject for change in await store.undo.changes(Cause(run="r", step="2"))] == ["kv:2"]
    await store.undo.revert(Cause(run="r", step="2"))
    assert (await store.kv_get("1"), await store.kv_get("2")) == ("x", None)
