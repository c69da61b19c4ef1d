"""Blobs: stored once for each content, encrypted, and swept when nothing refers to them."""

import hashlib
import os
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.data.api import Append, Insert, LinkTo, Unlink, Update
from notochord.services.data.store import EncryptedStore
from support.clocks import HandClock
from support.data import GEM, OWNER, opened
from support.vaults import MemoryVault

DAY = 86_400
LOG = {"collections": {"seen": {"kind": "log", "fields": {"photo": {"type": "blob"}}, "retention": {"days": 8}}}}


@pytest.mark.req("DATA-292", "DATA-285", "DATA-300", "DATA-289")
async def test_a_file_is_kept_under_the_sha_256_of_its_content(store: EncryptedStore, clock: HandClock) -> None:
    blob = await store.blobs.put(b"content", GEM, mime="text/plain", name="a.txt")
    assert (blob.hash, blob.size) == (hashlib.sha256(b"content").hexdigest(), 7)
    assert await store.blobs.get(blob.hash) == (blob, b"content")
    clock.advance(5)
    again = await store.blobs.put(b"content", GEM, mime="text/html")
    assert await store.blobs.stat(blob.hash) == again
    assert (again.created_at - blob.created_at, again.mime, again.name) == (5_000, "text/html", None)
    assert await store.blobs.stat("0" * 64) is None
    assert await store.blobs.get("0" * 64) is None


@pytest.mark.req("DATA-293", "DATA-477", "DATA-301", "DATA-016")
async def test_the_same_content_lies_on_the_disk_once_and_unreadable(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        blobs = [await store.blobs.put(content, GEM) for content in (b"canary-content", b"canary-content", b"other")]
        assert blobs[0].hash == blobs[1].hash
        files = list((tmp_path / "blobs").iterdir())
        assert len(files) == 2
        for file in files:
            assert b"canary" not in file.read_bytes()
            assert file.name not in {blob.hash for blob in blobs}


@pytest.mark.req("DATA-291")
async def test_a_file_has_at_most_20_mebibytes(store: EncryptedStore) -> None:
    content = os.urandom(20 * 1_048_576)
    blob = await store.blobs.put(content, GEM)
    found = await store.blobs.get(blob.hash)
    assert found is not None
    assert found[1] == content
    with pytest.raises(NotochordError) as caught:
        await store.blobs.put(content + b"x", GEM)
    assert caught.value.code is Code.PAYLOAD_TOO_LARGE


@pytest.mark.parametrize("label", ["x" * 501, "a\nb", "\u202e"])
async def test_a_label_is_short_and_printable(store: EncryptedStore, label: str) -> None:
    for labels in ({"mime": label}, {"name": label}):
        with pytest.raises(NotochordError):
            await store.blobs.put(b"x", GEM, **labels)


async def test_a_file_that_was_changed_on_the_disk_is_told_and_not_given(tmp_path: Path) -> None:
    async with opened(tmp_path) as store:
        blob = await store.blobs.put(b"content" * 100, GEM)
        (file,) = (tmp_path / "blobs").iterdir()
        sound = file.read_bytes()
        for wrong in (sound[:-1], sound[:20], sound[:50] + bytes([sound[50] ^ 1]) + sound[51:], b""):
            file.write_bytes(wrong)
            with pytest.raises(NotochordError) as caught:
                await store.blobs.get(blob.hash)
            assert caught.value.code is Code.STORE_DAMAGED
        file.unlink()
        with pytest.raises(NotochordError):
            await store.blobs.get(blob.hash)
        await store.blobs.put(b"content" * 100, GEM)
        found = await store.blobs.get(blob.hash)
        assert found is not None
        assert found[1] == b"content" * 100


@pytest.mark.req("DATA-295", "DATA-296", "DATA-298", "DATA-299")
async def test_what_nothing_refers_to_goes_seven_days_after_it_was_last_put(
    store: EncryptedStore, clock: HandClock
) -> None:
    await store.settle()
    names = ("loose", "again", "field", "linked", "unlinked", "replaced")
    blobs = {name: await store.blobs.put(name.encode(), GEM) for name in names}
    node = {name: f"{OWNER}/blob/{blob.hash}" for name, blob in blobs.items()}
    await store.records.insert(Insert("notes", {"title": "a", "photo": blobs["field"].hash}, "f"), GEM)
    await store.records.insert(Insert("notes", {"title": "a", "photo": blobs["replaced"].hash}, "r"), GEM)
    await store.records.update(Update("notes", "r", {"photo": None}), GEM)
    for name in ("linked", "unlinked"):
        await store.references.link(LinkTo(f"{OWNER}/doc/a", node[name], "x"), GEM)
    await store.references.unlink(Unlink(f"{OWNER}/doc/a", node["unlinked"], "x"), GEM)
    clock.advance(DAY)
    await store.blobs.put(b"again", GEM)
    clock.advance(6 * DAY - 1)
    await store.clean()

    async def left() -> set[str]:
        return {name for name, blob in blobs.items() if await store.blobs.stat(blob.hash) is not None}

    assert await left() == set(names)
    clock.advance(DAY)
    await store.clean()
    assert await left() == {"field", "linked", "again"}
    assert len(list((store.source.folder / "blobs").iterdir())) == 3
    clock.advance(DAY)
    await store.clean()
    assert await left() == {"field", "linked"}


@pytest.mark.req("DATA-297", "DATA-240")
async def test_a_log_entry_keeps_its_file_until_it_is_cleaned_up_itself(tmp_path: Path, clock: HandClock) -> None:
    async with opened(tmp_path, LOG, clock=clock) as store:
        await store.settle()
        blob = await store.blobs.put(b"photo", GEM)
        await store.records.append(Append("seen", {"photo": blob.hash}), GEM)
        clock.advance(8 * DAY)
        await store.clean()
        assert await store.blobs.stat(blob.hash) is not None
        clock.advance(DAY + 1)
        await store.clean()
        assert await store.blobs.stat(blob.hash) is None


async def test_a_file_that_no_record_knows_goes_when_the_store_is_opened(tmp_path: Path, keys: MemoryVault) -> None:
    async with opened(tmp_path, vault=keys) as store:
        blob = await store.blobs.put(b"known", GEM)
        (tmp_path / "blobs" / ("f" * 64)).write_bytes(b"stray")
        (tmp_path / "blobs" / ".unfinished.part").write_bytes(b"stray")
    async with opened(tmp_path, vault=keys) as store:
        assert len(list((tmp_path / "blobs").iterdir())) == 1
        assert await store.blobs.get(blob.hash) is not None
