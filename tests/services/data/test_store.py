"""The store of a gem: what was acknowledged stays, each change is told, nobody reads it without its key."""

import asyncio
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.persistence.database import Database
from notochord.services.data.api import Source
from notochord.services.data.component import COMPONENT
from notochord.services.data.service import DataService
from notochord.services.data.tables import CHANGES, METADATA
from support.clocks import HandClock
from support.memory_folders import memory
from support.schemas import assert_same_schema
from support.vaults import MemoryVault

OWNER = "gem:sales"
GEM = Caller(Actor.GEM, "sales", Cause("talk", "main", "turn", "run", "step"))


@pytest.fixture
def vault() -> MemoryVault:
    return MemoryVault()


@pytest.fixture
async def data(vault: MemoryVault) -> AsyncIterator[DataService]:
    service = DataService(vault=vault, clock=HandClock(), device="here")
    yield service
    await service.close()


def test_the_described_tables_are_the_migrated_ones() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("DATA-424", "DATA-426", "DATA-427", "DATA-434")
async def test_a_value_is_there_after_a_restart_and_an_unset_key_is_nothing(tmp_path: Path, vault: MemoryVault) -> None:
    first = DataService(vault=vault, clock=HandClock(), device="here")
    store = await first.store(Source(OWNER, tmp_path))
    assert await store.kv_get("cursor") is None
    await store.kv_set("cursor", "41", GEM)
    await store.kv_set("cursor", "42", GEM)
    await first.close()
    second = DataService(vault=vault, clock=HandClock(), device="here")
    assert await (await second.store(Source(OWNER, tmp_path))).kv_get("cursor") == "42"
    await second.close()


@pytest.mark.req("DATA-430", "DATA-431", "DATA-432")
@pytest.mark.parametrize("key", ["", "k" * 513, "a\nb", "a\x00b", "\x7f", "\ud800"])
async def test_a_key_that_is_empty_too_long_or_has_controls_is_refused(
    data: DataService, tmp_path: Path, key: str
) -> None:
    store = await data.store(Source(OWNER, tmp_path))
    for attempt in (store.kv_get(key), store.kv_set(key, "v", GEM)):
        with pytest.raises(NotochordError) as caught:
            await attempt
        assert caught.value.code is Code.INPUT_INVALID


@pytest.mark.req("DATA-431")
async def test_a_key_of_512_characters_is_taken(data: DataService, tmp_path: Path) -> None:
    store = await data.store(Source(OWNER, tmp_path))
    await store.kv_set("字" * 512, "v", GEM)
    assert await store.kv_get("字" * 512) == "v"


@pytest.mark.req("DATA-429")
async def test_a_value_has_at_most_one_mebibyte(data: DataService, tmp_path: Path) -> None:
    store = await data.store(Source(OWNER, tmp_path))
    await store.kv_set("k", "v" * 1_048_576, GEM)
    with pytest.raises(NotochordError) as caught:
        await store.kv_set("k", "ä" + "v" * 1_048_575, GEM)
    assert caught.value.code is Code.PAYLOAD_TOO_LARGE
    assert await store.kv_get("k") == "v" * 1_048_576


@pytest.mark.req("DATA-004", "DATA-005", "DATA-435", "DATA-493")
async def test_each_write_leaves_a_record_with_cause_before_after_device_and_sequence(
    data: DataService, vault: MemoryVault, tmp_path: Path
) -> None:
    store = await data.store(Source(OWNER, tmp_path))
    await store.kv_set("k", "old", GEM)
    await store.kv_set("k", "new", GEM)
    await data.close()
    database = await Database.open(tmp_path / "data.db", vault.keys[OWNER], (COMPONENT,))
    rows = await database.read(lambda c: [tuple(row) for row in c.execute(select(CHANGES)).all()])
    await database.close()
    at = HandClock().milliseconds()
    who = ("gem", "sales", "talk", "main", "turn", "run", "step", "kv", "k")
    assert rows == [(1, "here", at, *who, None, "old"), (2, "here", at, *who, "old", "new")]


@pytest.mark.req("DATA-433", "DATA-473", "DATA-482", "DATA-485")
async def test_each_owner_has_its_own_key_and_the_file_is_unreadable_without_it(
    data: DataService, vault: MemoryVault, tmp_path: Path
) -> None:
    await (await data.store(Source("gem:a", tmp_path / "a"))).kv_set("word", "canary-in-the-store", GEM)
    await (await data.store(Source("gem:b", tmp_path / "b"))).kv_set("word", "other", GEM)
    await data.close()
    assert len(vault.keys["gem:a"]) == 32
    assert vault.keys["gem:a"] != vault.keys["gem:b"]
    assert all(b"canary" not in file.read_bytes() for file in (tmp_path / "a").iterdir())
    with pytest.raises(NotochordError) as caught:
        await Database.open(tmp_path / "a" / "data.db", vault.keys["gem:b"], (COMPONENT,))
    assert caught.value.code is Code.STORE_UNREADABLE


@pytest.mark.req("DATA-490", "DATA-491")
async def test_removal_destroys_folder_and_key_and_closes_the_store(
    data: DataService, vault: MemoryVault, tmp_path: Path
) -> None:
    folder = tmp_path / "store"
    store = await data.store(Source(OWNER, folder))
    await store.kv_set("k", "v", GEM)
    (folder / "docs").mkdir()
    (folder / "docs" / "plain.md").write_text("plain")
    await data.remove(OWNER, folder)
    await data.remove(OWNER, folder)
    assert not folder.exists()
    assert vault.keys == {}
    with pytest.raises(NotochordError) as caught:
        await store.kv_get("k")
    assert caught.value.code is Code.DATA_CLOSED


PAIRS = st.tuples(st.sampled_from(["a", "b", "ä\u2028", "k" * 512]), st.text(st.characters(exclude_categories=["Cs"])))


@given(st.lists(st.one_of(st.none(), PAIRS), max_size=12))
@settings(max_examples=8)
def test_any_order_of_writes_and_restarts_gives_what_a_dictionary_gives(steps: list[tuple[str, str] | None]) -> None:
    """None stands for a restart."""

    async def play(folder: Path) -> None:
        vault, expected = MemoryVault(), dict[str, str]()
        data = DataService(vault=vault, clock=HandClock(), device="here")
        for step in [*steps, None]:
            if step is None:
                await data.close()
                data = DataService(vault=vault, clock=HandClock(), device="here")
            else:
                await (await data.store(Source(OWNER, folder))).kv_set(*step, GEM)
                expected[step[0]] = step[1]
            store = await data.store(Source(OWNER, folder))
            assert {key: await store.kv_get(key) for key in expected} == expected
        await data.close()

    with tempfile.TemporaryDirectory(dir=memory()) as folder:
        asyncio.run(play(Path(folder)))


@pytest.mark.req("DATA-053")
async def test_records_of_changes_are_kept_for_180_days(tmp_path: Path, vault: MemoryVault) -> None:
    clock = HandClock()
    service = DataService(vault=vault, clock=clock, device="here")
    store = await service.store(Source(OWNER, tmp_path))
    await store.kv_set("a", "1", GEM)
    clock.advance(86_400 * 180)
    await store.kv_set("b", "2", GEM)
    assert await subjects_in(vault, tmp_path) == ["a", "b"]
    clock.advance(86_401)
    await store.kv_set("c", "3", GEM)
    await store.settle()
    assert await subjects_in(vault, tmp_path) == ["b", "c"]
    assert await store.kv_get("a") == "1"
    await service.close()


async def subjects_in(vault: MemoryVault, folder: Path) -> list[str]:
    """Return what the records are about, read beside the service."""
    database = await Database.open(folder / "data.db", vault.keys[OWNER], (COMPONENT,))
    found = await database.read(lambda connection: list(connection.execute(select(CHANGES.c.subject)).scalars()))
    await database.close()
    return found
