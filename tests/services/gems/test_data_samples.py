"""The samples of the product page, run as they are written by a gem in a real guest."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from support.data import sample
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox

CAUSE = Cause("talk", "main", "turn")
EMPTY = {"type": "object"}


@pytest.fixture
async def guests(tmp_path: Path, packages: PackageMaker) -> AsyncIterator[Platform]:
    async with real_sandbox(tmp_path) as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        yield made


async def run(guests: Platform, packages: PackageMaker, talk: Path, body: str, declared: Json = None) -> Json:
    """Install a gem whose tool has this body and call it."""
    source = f"export default async function (input, ctx) {{ {body} }}"
    content = manifest(tools=[tool(inputSchema=EMPTY)], **({} if declared is None else {"data": declared}))
    await guests.service.install(packages.make(content, {"tools/greet.ts": source}))
    return await guests.service.call("greeter", "greet", {}, talk, CAUSE)


@pytest.mark.req("DATA-130", "DATA-001", "DATA-002", "DATA-013")
async def test_the_sample_of_collections_runs(guests: Platform, packages: PackageMaker, talk: Path) -> None:
    body = """
    const notes = ctx.data.collection('notes')
    const { id } = await notes.insert({ title: 'first', status: 'open', due: Date.now() })
    const note = await notes.get(id)
    await notes.update(id, { status: 'done', due: null }, { ifVersion: note.version })
    for (let n = 0; n < 30; n++) await notes.insert({ title: `n${n}`, status: 'open', due: n })
    const page = await notes.where('status', '==', 'open').orderBy('due').limit(20).get()
    const next = await notes.where('status', '==', 'open').orderBy('due').limit(20).startAfter(page.nextCursor).get()
    const open = await notes.where('status', '==', 'open').count()
    const done = await notes.get(id)
    return [Object.keys(note), page.items.length, next.items.map((one) => one.data.due), 'nextCursor' in next, open,
      done.data, done.version]"""
    keys = ["id", "version", "createdAt", "updatedAt", "data"]
    expected = [keys, 20, list(range(20, 30)), False, 30, {"title": "first", "status": "done"}, 2]
    assert await run(guests, packages, talk, body, sample()) == expected


@pytest.mark.req("DATA-216", "DATA-018", "DATA-212", "DATA-241")
async def test_the_sample_of_transactions_commits_all_three_writes(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const { id: projectId } = await ctx.data.collection('projects').insert({ name: 'house' })
    const noteId = ctx.data.newId()
    const value = await ctx.data.transact(async (tx) => {
      const project = await tx.get('projects', projectId)
      if (!project) throw new Error('no such project')
      tx.update('projects', projectId, { open_count: (project.data.open_count ?? 0) + 1 })
      tx.insert('notes', { title: 'paint', project: projectId }, { id: noteId })
      tx.log('readings').append({ value: 1, note: noteId })
      return 'value'
    })
    const { items } = await ctx.data.log('readings').query({ since: 0 })
    return [value, (await ctx.data.collection('projects').get(projectId)).data.open_count,
      (await ctx.data.collection('notes').get(noteId)).data.title, items[0].data.note === noteId]"""
    assert await run(guests, packages, talk, body, sample()) == ["value", 1, "paint", True]


@pytest.mark.req("DATA-202", "DATA-203", "DATA-206", "DATA-208")
async def test_a_function_whose_reads_change_runs_again_and_gives_up_after_five_times(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const projects = ctx.data.collection('projects')
    const { id } = await projects.insert({ name: 'a', open_count: 0 })
    let once = 0
    await ctx.data.transact(async (tx) => {
      const { data } = await tx.get('projects', id)
      tx.update('projects', id, { open_count: data.open_count + 1 })
      const again = await tx.get('projects', id)
      if (again.data.open_count !== data.open_count) throw new Error('it reads its own write')
      if (once++ === 0) await projects.update(id, { open_count: 10 })
    })
    let always = 0, code = ''
    try {
      await ctx.data.transact(async (tx) => {
        await tx.get('projects', id)
        await projects.update(id, { open_count: 100 + always++ })
        tx.update('projects', id, { name: 'never' })
      })
    } catch (error) { code = error.code }
    let twice = 0
    try {
      await ctx.data.transact(async (tx) => {
        await tx.get('projects', id)
        await projects.update(id, { open_count: 200 + twice++ })
      }, { maxAttempts: 2 })
    } catch { /* the count is what is looked at */ }
    const { data } = await projects.get(id)
    return [once, always, code, twice, data.name]"""
    assert await run(guests, packages, talk, body, sample()) == [2, 5, "E_DATA_CONFLICT", 2, "a"]


@pytest.mark.req("DATA-209", "DATA-210", "DATA-201", "DATA-199")
async def test_a_function_that_throws_or_writes_too_much_commits_nothing(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const mine = new RangeError('mine')
    let same = false, code = '', returned
    try {
      await ctx.data.transact((tx) => { returned = tx.insert('projects', { name: 'a' }); throw mine })
    } catch (error) { same = error === mine }
    try {
      await ctx.data.transact((tx) => { for (let n = 0; n < 501; n++) tx.insert('projects', { name: 'p' + n }) })
    } catch (error) { code = error.code }
    const before = await ctx.data.collection('projects').count()
    await ctx.data.transact((tx) => { for (let n = 0; n < 500; n++) tx.insert('projects', { name: 'p' + n }) })
    return [same, returned === undefined, code, before, await ctx.data.collection('projects').count()]"""
    assert await run(guests, packages, talk, body, sample()) == [True, True, "E_INPUT_INVALID", 0, 500]


@pytest.mark.req("DATA-242", "DATA-217", "DATA-220", "DATA-014")
async def test_the_sample_of_logs_runs(guests: Platform, packages: PackageMaker, talk: Path) -> None:
    body = """
    const readings = ctx.data.log('readings')
    await readings.append({ value: 4.2, note: 'n1' })
    const made = await readings.append({ value: 5 })
    const { items, nextCursor } = await readings.query({ since: Date.now() - 5e13, limit: 100 })
    return [Object.keys(made), made.nodeId === `gem:greeter/log/readings/${made.id}`, items.map((one) => one.data),
      Object.keys(items[0]), nextCursor === undefined]"""
    expected = [["id", "nodeId"], True, [{"value": 5}, {"value": 4.2, "note": "n1"}], ["id", "at", "data"], True]
    assert await run(guests, packages, talk, body, sample()) == expected


@pytest.mark.req("DATA-281", "DATA-243", "DATA-023", "DATA-015")
async def test_the_sample_of_documents_runs_without_a_data_section(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const { id, blockIds } = await ctx.data.docs.create({ title: '规格书', markdown: '# 规格\\n\\n油 50%。' })
    const doc = await ctx.data.docs.get(id)
    await ctx.data.docs.replaceBlock(id, blockIds[1], '油 55%。')
    await ctx.data.docs.insertAfter(id, blockIds[1], '新的一段\\n\\n再一段')
    await ctx.data.docs.deleteBlock(id, blockIds[0])
    const after = await ctx.data.docs.get(id)
    return [blockIds.length, doc.title, doc.markdown, after.markdown, after.blocks[0].id === blockIds[1],
      (await ctx.data.docs.list()).items.length]"""
    expected = [2, "规格书", "# 规格\n\n油 50%。", "油 55%。\n\n新的一段\n\n再一段", True, 1]
    assert await run(guests, packages, talk, body) == expected


@pytest.mark.req("DATA-302", "DATA-285", "DATA-286", "DATA-288")
async def test_the_sample_of_blobs_runs(guests: Platform, packages: PackageMaker, talk: Path) -> None:
    body = """
    const { hash } = await ctx.data.blobs.put('aGVsbG8=', { mime: 'image/jpeg', name: 'photo.jpg' })
    const { id } = await ctx.data.collection('notes').insert({ title: 'a' })
    await ctx.data.collection('notes').update(id, { photo: hash })
    const info = await ctx.data.blobs.stat(hash)
    return [await ctx.data.blobs.get(hash), Object.keys(info), await ctx.data.blobs.get('0'.repeat(64)),
      await ctx.data.blobs.stat('0'.repeat(64))]"""
    blob = {"base64": "aGVsbG8=", "mime": "image/jpeg", "name": "photo.jpg", "size": 5}
    expected = [blob, ["createdAt", "mime", "name", "size"], None, None]
    assert await run(guests, packages, talk, body, sample()) == expected


@pytest.mark.req("DATA-332", "DATA-309", "DATA-311", "DATA-017")
async def test_the_sample_of_references_runs(guests: Platform, packages: PackageMaker, talk: Path) -> None:
    body = """
    const { id } = await ctx.data.collection('notes').insert({ title: 'a' })
    const { id: docId, blockIds: [blockId] } = await ctx.data.docs.create({ markdown: 'text' })
    const noteNode = await ctx.data.nodeId({ kind: 'rec', collection: 'notes', id })
    const blockNode = await ctx.data.nodeId({ kind: 'doc', docId, blockId })
    await ctx.data.refs.link(noteNode, blockNode, 'cites')
    const [back] = await ctx.data.refs.backlinks(blockNode)
    const [out] = await ctx.data.refs.outgoing(noteNode)
    const gone = await ctx.data.refs.unlink(noteNode, blockNode, 'cites')
    return [noteNode === `gem:greeter/rec/notes/${id}`, blockNode === `gem:greeter/doc/${docId}#${blockId}`,
      back.from === noteNode && back.to === blockNode && !back.detached, out.kind, gone,
      (await ctx.data.refs.backlinks(blockNode)).length]"""
    expected = [True, True, True, "cites", {"unlinked": True}, 0]
    assert await run(guests, packages, talk, body, sample()) == expected


@pytest.mark.req("DATA-019", "DATA-020", "DATA-131", "DATA-132")
async def test_queries_are_built_at_once_and_leave_each_other_alone(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const notes = ctx.data.collection('notes')
    const all = notes.where('title', '!=', 'x')
    const some = all.where('status', '==', 'open').orderBy('title', 'desc').limit(1)
    const nothing = notes.where('no_such_field', '==', 1)
    await notes.insert({ title: 'a', status: 'open' })
    await notes.insert({ title: 'b' })
    const isPromise = (value) => value instanceof Promise
    return [[notes, all, some, nothing, ctx.data.log('readings'), ctx.data.newId()].some(isPromise),
      isPromise(notes.count()), isPromise(ctx.data.log('readings').query()), (await all.get()).items.length,
      (await some.get()).items.length, (await notes.get()).items.length]"""
    assert await run(guests, packages, talk, body, sample()) == [False, True, True, 2, 1, 2]


NOT_ACCEPTABLE = [
    "ctx.data.collection('notes').insert({ title: 5 })",
    "ctx.data.collection('notes').insert({ title: 'a', due: NaN })",
    "ctx.data.collection('notes').insert({ title: 'a', extra: { f: () => 1 } })",
    "ctx.data.collection('notes').insert({ title: 'a', more: 1 })",
    "ctx.data.collection('notes').insert({ title: 'a\\ud800' })",
    "ctx.data.collection('none').insert({ title: 'a' })",
    "ctx.data.collection('readings').insert({ value: 1 })",
    "ctx.data.log('notes').append({ title: 'a' })",
    "ctx.data.log('readings').append({ value: '1' })",
    "ctx.data.collection('notes').get(undefined)",
    "ctx.data.collection('notes').where('due', '==', undefined).get()",
    "ctx.data.collection('notes').limit(1.5).get()",
    "ctx.data.collection('notes').startAfter('nonsense').get()",
    "ctx.data.log('readings').query({ limit: 0 })",
    "ctx.data.blobs.put('###')",
    "ctx.data.docs.create({ markdown: 1 })",
    "ctx.data.transact((tx) => tx.insert('none', {}))",
    "ctx.data.transact(1)",
    "ctx.data.transact(() => 1, { maxAttempts: 0 })",
    "ctx.data.refs.link('nonsense', 'nonsense', 'a')",
]


@pytest.mark.req("DATA-512", "DATA-516", "DATA-088", "DATA-056")
async def test_what_is_not_acceptable_is_refused_with_a_message_that_begins_with_the_code(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    tried = ", ".join(f"async () => {call}" for call in NOT_ACCEPTABLE)
    body = f"""
    const wrong = []
    for (const call of [{tried}]) {{
      try {{ await call(); wrong.push(String(call)) }}
      catch (error) {{ if (!error.message.startsWith('E_INPUT_INVALID')) wrong.push(String(call)) }}
    }}
    return [wrong, await ctx.data.collection('notes').count()]"""
    assert await run(guests, packages, talk, body, sample()) == [[], 0]


@pytest.mark.req("DATA-330", "DATA-487", "DATA-486")
async def test_another_gems_node_is_refused(guests: Platform, packages: PackageMaker, talk: Path) -> None:
    body = """
    const own = await ctx.data.nodeId({ kind: 'doc', docId: 'a' })
    const codes = []
    for (const call of [() => ctx.data.refs.link(own, 'gem:other/doc/a', 'x'),
      () => ctx.data.refs.unlink('gem:other/doc/a', own, 'x'), () => ctx.data.refs.backlinks('gem:other/doc/a'),
      () => ctx.data.transact((tx) => tx.link(own, 'gem:other/doc/a', 'x'))]) {
      try { await call() } catch (error) { codes.push(error.code) }
    }
    return codes"""
    assert await run(guests, packages, talk, body) == ["E_PERM_DENIED"] * 4


@pytest.mark.req("DATA-213", "DATA-214", "DATA-196", "DATA-197")
async def test_a_transaction_offers_records_logs_and_links_only(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = "let names; await ctx.data.transact((tx) => { names = Object.keys(tx) }); return names"
    expected = ["get", "insert", "update", "delete", "log", "link", "unlink"]
    assert await run(guests, packages, talk, body) == expected


@pytest.mark.req("DATA-229", "DATA-230", "DATA-294", "DECL-018")
async def test_nothing_changes_or_deletes_an_entry_or_deletes_a_blob(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = "return [Object.keys(ctx.data.log('readings')), Object.keys(ctx.data.blobs)]"
    assert await run(guests, packages, talk, body, sample()) == [["append", "query"], ["put", "get", "stat"]]


@pytest.mark.req("DATA-009", "DATA-010", "DATA-022", "DATA-025")
async def test_every_tool_has_its_data_at_once_whatever_it_declares_about_itself(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    source = (
        "export default async (input, ctx) => (await ctx.data.collection('projects').insert({ name: 'a' })).version"
    )
    content = manifest(tools=[tool(inputSchema=EMPTY, sideEffect="read")], data=sample())
    await guests.service.install(packages.make(content, {"tools/greet.ts": source}))
    assert await guests.service.call("greeter", "greet", {}, talk, CAUSE) == 1


@pytest.mark.req("DATA-308", "DATA-310", "DATA-312", "DATA-313")
async def test_every_write_tells_the_node_id_that_can_be_made_as_well(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const note = await ctx.data.collection('notes').insert({ title: 'a' })
    const doc = await ctx.data.docs.create({ markdown: 'a' })
    const blob = await ctx.data.blobs.put('YQ==')
    const entry = await ctx.data.log('readings').append({ value: 1 })
    return [note.nodeId === await ctx.data.nodeId({ kind: 'rec', collection: 'notes', id: note.id }),
      doc.nodeId === await ctx.data.nodeId({ kind: 'doc', docId: doc.id }),
      blob.nodeId === await ctx.data.nodeId({ kind: 'blob', hash: blob.hash }),
      entry.nodeId === await ctx.data.nodeId({ kind: 'log', name: 'readings', eventId: entry.id })]"""
    assert await run(guests, packages, talk, body, sample()) == [True] * 4


@pytest.mark.req("DATA-207", "DATA-211")
async def test_a_transaction_gives_back_what_its_function_returns_and_runs_as_often_as_it_may(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const projects = ctx.data.collection('projects')
    await projects.insert({ name: 'a' }, { id: 'a' })
    let runs = 0
    const value = await ctx.data.transact(async (tx) => {
      await tx.get('projects', 'a')
      if (++runs < 8) await projects.update('a', { open_count: runs })
      tx.update('projects', 'a', { name: 'b' })
      return { runs }
    }, { maxAttempts: 8 })
    return [value, await ctx.data.transact(() => {}) === undefined]"""
    assert await run(guests, packages, talk, body, sample()) == [{"runs": 8}, True]


@pytest.mark.req("DATA-245", "DATA-287", "DATA-290")
async def test_what_is_not_there_is_null_and_files_come_and_go_as_base64(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    body = """
    const { hash } = await ctx.data.blobs.put('/w==')
    return [await ctx.data.docs.get('none'), await ctx.data.blobs.get('0'.repeat(64)),
      (await ctx.data.blobs.get(hash)).base64]"""
    assert await run(guests, packages, talk, body) == [None, None, "/w=="]


async def test_a_megabyte_of_small_parts_is_a_record(guests: Platform, packages: PackageMaker, talk: Path) -> None:
    body = """
    const numbers = Array.from({ length: 400000 }, (_, n) => n % 10)
    const items = ctx.data.collection('items')
    const { id } = await items.insert({ list: numbers })
    const [one] = (await items.limit(1).get()).items
    return [(await items.get(id)).data.list.length, one.data.list.length]"""
    declared: Json = {"collections": {"items": {"kind": "table", "fields": {"list": {"type": "array"}}}}}
    assert await run(guests, packages, talk, body, declared) == [400_000, 400_000]


async def test_a_store_that_was_left_refuses_the_old_versions_calls(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    await run(guests, packages, talk, "return 1", sample())
    store = await guests.service.data("greeter")
    await run(guests, packages, talk, "return 2", sample())
    with pytest.raises(NotochordError) as caught:
        await store.kv_get("a")
    assert caught.value.code is Code.DATA_CLOSED
