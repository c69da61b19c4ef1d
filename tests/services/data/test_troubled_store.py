"""Files that were damaged, exchanged or held by somebody else: a clear error, nothing lost, nothing readable."""

import asyncio
import os
import random
import sys
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.data.api import (
    Append,
    Batches,
    Delete,
    Insert,
    LogQuery,
    MigrationJob,
    Query,
    Source,
    Update,
)
from notochord.services.data.service import DataService
from services.data.faulty_data import DECLARED, service, source
from support.clocks import HandClock
from support.data import GEM, OWNER, opened, sample, table
from support.vaults import MemoryVault
from support.writers import told_before_the_kill

CANARY = "canary-e7c1"


async def code_of(folder: Path, keys: MemoryVault) -> Code:
    with pytest.raises(NotochordError) as caught:
        async with opened(folder, sample(), vault=keys):
            pass
    return caught.value.code


async def fill(folder: Path, keys: MemoryVault) -> bytes:
    """Make a store with one record and return the content of its file."""
    async with opened(folder, sample(), vault=keys) as store:
        await store.records.insert(Insert("notes", {"title": "kept"}, "n"), GEM)
    return (folder / "data.db").read_bytes()


async def is_whole(folder: Path, keys: MemoryVault) -> bool:
    async with opened(folder, sample(), vault=keys) as store:
        found = await store.records.get("notes", "n")
        return found is not None and found.data == {"title": "kept"}


@pytest.mark.req("DATA-485", "DATA-482")
async def test_another_key_opens_nothing_and_changes_nothing(tmp_path: Path, keys: MemoryVault) -> None:
    content = await fill(tmp_path, keys)
    assert await code_of(tmp_path, MemoryVault()) is Code.STORE_UNREADABLE
    assert (tmp_path / "data.db").read_bytes() == content
    assert await is_whole(tmp_path, keys)


@pytest.mark.parametrize("size", [0, 100, 4_096, 10_000])
async def test_a_file_cut_short_is_told_and_never_replaced_by_an_empty_one(
    tmp_path: Path, keys: MemoryVault, size: int
) -> None:
    content = await fill(tmp_path, keys)
    (tmp_path / "data.db").write_bytes(content[:size])
    assert await code_of(tmp_path, keys) in (Code.STORE_DAMAGED, Code.STORE_UNREADABLE)
    assert (tmp_path / "data.db").read_bytes() == content[:size]
    (tmp_path / "data.db").write_bytes(content)
    assert await is_whole(tmp_path, keys)


async def read_everything(folder: Path, keys: MemoryVault) -> None:
    async with opened(folder, sample(), vault=keys) as store:
        await store.overview(changes=10)
        await store.kv_get("a")
        await store.records.page(Query("notes"))
        await store.records.entries(LogQuery("readings"))
        await store.references.outgoing(f"{OWNER}/doc/a")
        if faults := await store.access.database.check():
            raise NotochordError(Code.STORE_DAMAGED, Fault.SYSTEM, "; ".join(faults))


async def test_a_page_that_was_changed_is_told(tmp_path: Path, keys: MemoryVault) -> None:
    content = await fill(tmp_path, keys)
    for page in range(1, len(content) // 4_096):
        place = page * 4_096 + 100
        (tmp_path / "data.db").write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        with pytest.raises(NotochordError) as caught:
            await read_everything(tmp_path, keys)
        assert caught.value.code in (Code.STORE_DAMAGED, Code.STORE_UNREADABLE, Code.DISK_IO), page


async def test_two_processes_on_one_store_lose_nothing(tmp_path: Path) -> None:
    """The organization's lock keeps a second process out; should it ever fail, SQLite's own still hold."""
    data = service()
    store = await data.store(source(tmp_path))
    writer = f"""
import asyncio
from pathlib import Path
from notochord.core.clock import SystemClock
from notochord.services.data.api import Insert
from services.data.faulty_data import service, source
from support.data import GEM

async def main():
    data = service(SystemClock())
    store = await data.store(source(Path({str(tmp_path)!r})))
    for n in range(40):
        await store.records.insert(Insert("items", {{"name": f"other {{n}}"}}, f"o{{n}}"), GEM)
    await data.close()

asyncio.run(main())
"""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", writer, env=environment)
    for n in range(40):
        await store.records.insert(Insert("items", {"name": f"mine {n}"}, f"m{n}"), GEM)
        await store.records.update(Update("items", f"m{n}", {"name": f"mine {n}!"}), GEM)
    assert await process.wait() == 0
    assert await store.records.count(Query("items")) == 80
    await data.close()


@pytest.mark.req("DATA-474", "DATA-475", "DATA-476", "DATA-484")
async def test_nothing_that_was_stored_can_be_read_on_the_disk(tmp_path: Path, keys: MemoryVault) -> None:
    """Looked for in every file while the store is open, with its log, and after it was closed; documents aside."""

    def found() -> list[str]:
        files = [path for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "docs"]
        return [path.name for path in files if CANARY.encode() in path.read_bytes() or CANARY in path.name]

    async with opened(tmp_path, sample(), vault=keys) as store:
        await store.records.insert(Insert("notes", {"title": CANARY, "extra": {CANARY: CANARY}}, CANARY), GEM)
        await store.records.update(Update("notes", CANARY, {"title": f"{CANARY} again"}), GEM)
        await store.records.delete(Delete("notes", CANARY), GEM)
        await store.records.append(Append("readings", {"note": CANARY}), GEM)
        await store.blobs.put(CANARY.encode() * 2_000, GEM, name=CANARY)
        await store.kv_set(CANARY, CANARY, GEM)
        await store.records.transact((), [Insert("notes", {"title": CANARY * 20}) for _ in range(500)], GEM)
        await store.records.page(Query("notes", order=(("title", "asc"),)))
        await store.documents.create(CANARY, GEM, identifier="d", title=CANARY)
        assert (tmp_path / "data.db-wal").stat().st_size > 0
        assert found() == []
    assert found() == []
    assert CANARY in (tmp_path / "docs" / "d.md").read_text()


@pytest.mark.req("DATA-390", "DATA-381", "DATA-382")
async def test_a_migration_leaves_nothing_readable_and_stops_when_it_takes_too_long(
    tmp_path: Path, keys: MemoryVault
) -> None:
    clock = HandClock()
    data = DataService(vault=keys, clock=clock, device="here")
    first = Source(OWNER, tmp_path, table({"a": {"type": "string"}}), "1")
    second = Source(OWNER, tmp_path, table({"a": {"type": "string"}}, version=2, migrations="m.js"), "2")
    store = await data.store(first)
    await store.records.insert(Insert("items", {"a": CANARY}, "one"), GEM)
    seen: list[str] = []

    async def slow(job: MigrationJob, batches: Batches) -> None:
        await batches.next()
        seen.extend(path.name for path in tmp_path.iterdir() if CANARY.encode() in path.read_bytes())
        clock.advance(61)
        await asyncio.Event().wait()

    with pytest.raises(NotochordError) as caught:
        await data.prepare(second, slow, before=first)
    assert (caught.value.code, "too long" in caught.value.detail) == (Code.DATA_SCHEMA, True)

    async def endless(job: MigrationJob, batches: Batches) -> None:
        while batch := await batches.next():
            await batches.put([(name, {"a": "x"}) for name, _ in batch])
        clock.advance(601)
        await asyncio.Event().wait()

    with pytest.raises(NotochordError) as caught:
        await data.prepare(second, endless, before=first)
    assert "too long" in caught.value.detail
    assert await store.records.count(Query("items")) == 1

    async def fine(job: MigrationJob, batches: Batches) -> None:
        while batch := await batches.next():
            await batches.put([(name, {"a": f"{CANARY}!"}) for name, _ in batch])

    await (await data.prepare(second, fine, before=first)).commit()
    found = await (await data.store(second)).records.get("items", "one")
    assert found is not None
    assert found.data == {"a": f"{CANARY}!"}
    await data.close()
    seen.extend(path.name for path in tmp_path.iterdir() if CANARY.encode() in path.read_bytes())
    assert seen == []
    assert len(list(tmp_path.glob("data.db.bak-*"))) == 1


@pytest.mark.req("DATA-510", "DATA-511", "DATA-509")
async def test_a_large_folder_is_told_once_and_again_each_time_it_doubles(
    tmp_path: Path, keys: MemoryVault, caplog: pytest.LogCaptureFixture
) -> None:
    async def open_with(gibibytes: float) -> int:
        with (tmp_path / "large").open("wb") as file:
            file.truncate(int(gibibytes * 1024**3))
        caplog.clear()
        async with opened(tmp_path, sample(), vault=keys) as store:
            await store.settle()
        return sum("GiB" in record.message for record in caplog.records)

    told = [await open_with(size) for size in (3.9, 4.1, 4.2, 7.9, 8.1, 8.1, 17, 9)]
    assert told == [0, 1, 0, 0, 1, 0, 1, 0]


@pytest.mark.req("DATA-006", "DATA-012", "DATA-495")
async def test_two_owners_and_two_organizations_share_nothing(tmp_path: Path) -> None:
    first, second = (DataService(vault=MemoryVault(), clock=HandClock(), device="here") for _ in range(2))
    stores = [
        await first.store(Source("gem:a", tmp_path / "one" / "a", sample())),
        await first.store(Source("gem:b", tmp_path / "one" / "b", sample())),
        await second.store(Source("gem:a", tmp_path / "two" / "a", sample())),
    ]
    for number, store in enumerate(stores):
        await store.records.insert(Insert("notes", {"title": str(number)}, "n"), GEM)
    found = [await store.records.get("notes", "n") for store in stores]
    assert [one.data["title"] for one in found if one is not None] == ["0", "1", "2"]
    await first.close()
    await second.close()


WRITER = """
import asyncio, sys
from pathlib import Path
from notochord.core.clock import SystemClock
from notochord.services.data.api import Insert
from services.data.faulty_data import service, source
from support.data import GEM

async def main(folder, number):
    data = service(SystemClock())
    store = await data.store(source(folder))
    while True:
        pair = [Insert("items", {"name": f"{half} {number}"}, f"{half}{number}") for half in ("left", "right")]
        await store.records.transact((), pair, GEM)
        await store.documents.create(f"doc {number}", GEM, identifier=f"d{number}", title="")
        await store.blobs.put(f"blob {number}".encode() * 100, GEM)
        print(number, flush=True)
        number += 1

print("ready", flush=True)
sys.stdin.readline()
asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
"""


async def check_kills(folder: Path, count: int, seed: int) -> None:
    chance, start = random.Random(seed), 0
    assert DECLARED["collections"]["items"]["fields"]["name"]["unique"]
    for _ in range(count):
        told = start + len(told_before_the_kill(WRITER, str(folder), str(start), seconds=chance.uniform(0, 0.8)))
        data = service()
        store = await data.store(source(folder))
        assert await store.access.database.check() == ()
        items = await store.records.count(Query("items"))
        assert items % 2 == 0
        assert told <= items // 2 <= told + 1
        for n in range(start, told):
            document = await store.documents.get(f"d{n}")
            assert document is not None
            assert document.markdown == f"doc {n}"
        left = [path.name for path in (folder / "docs").glob(".*")] if (folder / "docs").is_dir() else []
        assert left == []
        await data.close()
        start = items // 2


async def test_a_store_killed_at_random_moments_loses_nothing_that_it_told(tmp_path: Path) -> None:
    await check_kills(tmp_path, 2, 3)


@pytest.mark.long
@pytest.mark.timeout(3600)
async def test_a_store_killed_at_five_hundred_random_moments_loses_nothing_that_it_told(tmp_path: Path) -> None:
    await check_kills(tmp_path, 500, 4)
