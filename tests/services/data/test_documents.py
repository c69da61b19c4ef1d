"""Documents: Markdown files with stable block ids, edited by block here and freely outside."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.data.api import Document
from notochord.services.data.store import EncryptedStore
from support.clocks import HandClock
from support.data import GEM, opened
from support.vaults import MemoryVault


async def create(store: EncryptedStore, markdown: str, identifier: str = "d", title: str = "") -> Document:
    return await store.documents.create(markdown, GEM, identifier=identifier, title=title)


async def got(store: EncryptedStore, identifier: str = "d") -> Document:
    found = await store.documents.get(identifier)
    assert found is not None
    return found


def file_of(store: EncryptedStore, identifier: str = "d") -> Path:
    return store.source.folder / "docs" / f"{identifier}.md"


async def code_of(attempt: object) -> Code:
    with pytest.raises(NotochordError) as caught:
        await attempt  # type: ignore[misc]
    return caught.value.code


@pytest.mark.req("DATA-243", "DATA-244", "DATA-246", "DATA-247")
async def test_a_document_is_made_of_blocks(store: EncryptedStore, clock: HandClock) -> None:
    now = clock.milliseconds()
    made = await store.documents.create("# one\n\n\ntwo", GEM, identifier=None, title="Title")
    clock.advance(1)
    found = await got(store, made.id)
    assert found == made
    assert (found.title, found.markdown, found.created_at, found.updated_at) == ("Title", "# one\n\ntwo", now, now)
    assert [(block.type, block.markdown) for block in found.blocks] == [("heading", "# one"), ("paragraph", "two")]
    assert await store.documents.get("none") is None


@pytest.mark.req("DATA-259", "DATA-262", "DATA-268", "DATA-480")
async def test_a_document_is_a_plain_file_with_marked_blocks(store: EncryptedStore) -> None:
    made = await create(store, "readable text")
    assert made.blocks[0].id.startswith("b_")
    assert file_of(store).read_text() == f"readable text {{#{made.blocks[0].id}}}\n"


@pytest.mark.req("DATA-249", "DATA-250", "DATA-260")
async def test_a_replaced_text_keeps_the_ids_of_what_did_not_change(store: EncryptedStore, clock: HandClock) -> None:
    made = await create(store, "one\n\ntwo\n\nthree", title="old")
    clock.advance(1)
    ids = await store.documents.update("d", "three\n\ntwo\n\nnew\n\ntwo", GEM)
    first, second, third = (block.id for block in made.blocks)
    assert (ids[0], ids[1]) == (third, second)
    assert len({first, *ids}) == 5
    found = await got(store)
    assert (found.title, found.updated_at - made.updated_at, found.created_at) == ("old", 1_000, made.created_at)
    await store.documents.update("d", found.markdown, GEM, title="new")
    assert ((await got(store)).title, tuple(block.id for block in (await got(store)).blocks)) == ("new", ids)


@pytest.mark.req("DATA-251", "DATA-252", "DATA-253")
async def test_blocks_are_inserted_behind_another_or_at_the_beginning(store: EncryptedStore) -> None:
    made = await create(store, "one\n\ntwo")
    behind = await store.documents.insert_after("d", made.blocks[0].id, "a\n\nb", GEM)
    before = await store.documents.insert_after("d", None, "c", GEM)
    found = await got(store)
    assert found.markdown == "c\n\none\n\na\n\nb\n\ntwo"
    assert [block.id for block in found.blocks] == [*before, made.blocks[0].id, *behind, made.blocks[1].id]


@pytest.mark.req("DATA-254", "DATA-255", "DATA-256")
async def test_a_block_is_replaced_under_its_own_id_and_deleted(store: EncryptedStore) -> None:
    made = await create(store, "one\n\ntwo")
    ids = await store.documents.replace_block("d", made.blocks[0].id, "# a\n\nb", GEM)
    assert (ids[0], len(ids)) == (made.blocks[0].id, 2)
    await store.documents.delete_block("d", made.blocks[1].id, GEM)
    found = await got(store)
    assert (found.markdown, tuple(block.id for block in found.blocks)) == ("# a\n\nb", ids)


@pytest.mark.req("DATA-257", "DATA-258", "DATA-283", "DATA-284")
async def test_a_deleted_document_is_out_of_sight_and_its_file_stays(store: EncryptedStore) -> None:
    await create(store, "text")
    assert [await store.documents.delete("d", GEM), await store.documents.delete("d", GEM)] == [True, False]
    assert await store.documents.get("d") is None
    assert (await store.documents.page()).items == ()
    assert "text" in file_of(store).read_text()


@pytest.mark.req("DATA-274", "DATA-275", "DATA-276", "DATA-277")
async def test_an_id_is_taken_in_every_case_of_its_letters_and_free_in_its_own_after_a_delete(
    store: EncryptedStore,
) -> None:
    await create(store, "one", "Report")
    for name in ("Report", "report", "REPORT"):
        assert await code_of(create(store, "two", name)) is Code.DATA_CONFLICT
    await store.documents.delete("Report", GEM)
    assert await code_of(create(store, "two", "report")) is Code.DATA_CONFLICT
    await create(store, "again", "Report")
    assert (await got(store, "Report")).markdown == "again"


@pytest.mark.req("DATA-278", "DATA-271", "DATA-272", "DATA-273")
async def test_an_id_is_matched_exactly_and_has_the_form_of_a_records(store: EncryptedStore) -> None:
    await create(store, "one", "Report")
    assert await store.documents.get("report") is None
    for name in ("", "a b", "a/b", "..", "a" * 129):
        assert await code_of(create(store, "x", name)) is Code.INPUT_INVALID
    await create(store, "x", "a" * 128)


@pytest.mark.req("DATA-279", "DATA-280")
async def test_what_is_not_there_cannot_be_changed(store: EncryptedStore) -> None:
    await create(store, "one")
    documents = store.documents
    for attempt in (
        documents.update("none", "x", GEM),
        documents.insert_after("none", None, "x", GEM),
        documents.insert_after("d", "b_none", "x", GEM),
        documents.replace_block("d", "b_none", "x", GEM),
        documents.delete_block("d", "b_none", GEM),
    ):
        assert await code_of(attempt) is Code.DATA_NOT_FOUND


@pytest.mark.req("DATA-269", "DATA-270")
async def test_a_document_has_at_most_two_mebibytes_and_a_title_of_500(store: EncryptedStore) -> None:
    largest = "字" * 699_050 + "xx"
    made = await create(store, largest, title="t" * 500)
    assert len(made.markdown.encode()) == 2 * 1_048_576
    assert await code_of(create(store, largest + "x", "e")) is Code.PAYLOAD_TOO_LARGE
    assert await code_of(store.documents.insert_after("d", None, "x", GEM)) is Code.PAYLOAD_TOO_LARGE
    assert await code_of(create(store, "x", "e", title="t" * 501)) is Code.INPUT_INVALID
    assert (await got(store)).markdown == largest
    assert await store.documents.get("e") is None


async def test_an_empty_text_makes_no_block_and_is_nothing_to_insert(store: EncryptedStore) -> None:
    made = await create(store, "\n \n")
    assert made.blocks == ()
    assert await code_of(store.documents.insert_after("d", None, " ", GEM)) is Code.INPUT_INVALID
    assert len(await store.documents.insert_after("d", None, "x", GEM)) == 1
    assert await store.documents.update("d", "", GEM) == ()


@pytest.mark.req("DATA-248")
async def test_documents_are_listed_by_id_in_pages(store: EncryptedStore, clock: HandClock) -> None:
    for name in ("c", "a", "b"):
        await create(store, "x", name, title=name.upper())
    page = await store.documents.page(limit=2)
    assert [(one.id, one.title, one.updated_at) for one in page.items] == [
        ("a", "A", clock.milliseconds()), ("b", "B", clock.milliseconds()),
    ]  # fmt: skip
    last = await store.documents.page(limit=2, after=page.next_cursor)
    assert ([one.id for one in last.items], last.next_cursor) == (["c"], "")


@pytest.mark.req("DATA-267")
async def test_an_edit_outside_is_taken_over_at_the_next_read(store: EncryptedStore) -> None:
    made = await create(store, "one\n\ntwo\n\nthree")
    file = file_of(store)
    first, second, third = (block.id for block in made.blocks)
    text = file.read_text()
    file.write_text(text.replace("one", "ONE").replace(f" {{#{third}}}", "").replace("two", "two\n\nnew"))
    found = await got(store)
    assert found.markdown == "ONE\n\ntwo\n\nnew\n\nthree"
    assert [found.blocks[place].id for place in (0, 2, 3)] == [first, second, third]
    assert found.blocks[1].id not in (first, second, third)
    assert file.read_text().count("{#b_") == 4
    assert await got(store) == found
    told = (await store.overview(changes=1)).last_changes[0]
    assert (told.actor, told.name, told.what) == ("user", "edited outside", "changed")


async def test_a_file_that_was_deleted_outside_reads_as_a_deleted_document(store: EncryptedStore) -> None:
    await create(store, "one")
    file_of(store).unlink()
    assert await store.documents.get("d") is None
    assert (await store.documents.page()).items == ()
    assert await code_of(store.documents.update("d", "x", GEM)) is Code.DATA_NOT_FOUND
    await create(store, "two")
    assert (await got(store)).markdown == "two"


async def test_a_file_that_was_edited_into_nonsense_is_told_and_left_as_it_is(store: EncryptedStore) -> None:
    await create(store, "one")
    file_of(store).write_bytes(b"\xff\xfe nonsense \x80")
    assert await code_of(store.documents.get("d")) is Code.STORE_DAMAGED
    assert file_of(store).read_bytes() == b"\xff\xfe nonsense \x80"
    file_of(store).write_bytes(b"x" * (2 * 1_048_576 + 1))
    assert await code_of(store.documents.get("d")) is Code.PAYLOAD_TOO_LARGE
    file_of(store).write_bytes(b"x" * (9 * 1_048_576))
    assert await code_of(store.documents.get("d")) is Code.PAYLOAD_TOO_LARGE
    file_of(store).write_text("mended\n")
    assert (await got(store)).markdown == "mended"


async def test_what_a_kill_left_half_written_goes_when_the_store_is_opened(tmp_path: Path, keys: MemoryVault) -> None:
    async with opened(tmp_path, vault=keys) as store:
        await create(store, "one")
    stray = tmp_path / "docs" / f".{'0' * 32}.part"
    stray.write_text("half")
    async with opened(tmp_path, vault=keys) as store:
        assert not stray.exists()
        assert (await got(store)).markdown == "one"
