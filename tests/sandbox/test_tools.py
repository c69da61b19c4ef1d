"""Tools run in real guests: what they get, what they give back, and how they fail."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from support.guests import ALL_NAMESPACES, MemoryHost, guest_call, make_gem, real_sandbox, run_tool

MIB_20 = 20 * 1024 * 1024


@pytest.mark.req("TOOL-001", "APP-007")
async def test_a_tool_runs_in_deno_and_gives_back_its_value(tmp_path: Path) -> None:
    source = "export default (input: { a: number }) => ({ deno: typeof Deno.version.deno, doubled: input.a * 2 });"
    assert await run_tool(tmp_path, source, {"a": 21}) == {"deno": "string", "doubled": 42}


@pytest.mark.req("TOOL-002", "TOOL-003")
async def test_a_tool_reads_its_own_folder_and_its_resources_also_later_ones(tmp_path: Path) -> None:
    source = """import data from './data.json' with { type: 'json' };
    export default (resources: string) => [data.a, Deno.readTextFileSync(new URL('data.json', import.meta.url)),
      Deno.readTextFileSync(resources + '/late.bin')];"""
    gem = make_gem(tmp_path, tool=source, first="export default () => 1;")
    (gem.code / "data.json").write_text('{"a":1}')
    async with real_sandbox(tmp_path) as sandbox:
        await sandbox.call(guest_call(gem, module="first.ts"), MemoryHost())
        (gem.resources / "late.bin").write_text("downloaded")
        found = await sandbox.call(guest_call(gem, str(gem.resources)), MemoryHost())
    assert found == [1, '{"a":1}', "downloaded"]


@pytest.mark.req("TOOL-019")
async def test_a_tool_sees_the_key_of_its_call(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default (input, ctx) => ctx.idempotencyKey;")
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.call(guest_call(gem, key="run-7/step-2"), MemoryHost()) == "run-7/step-2"


@pytest.mark.req("TOOL-010")
async def test_only_what_the_call_opens_is_in_ctx(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default (input, ctx) => [Object.keys(ctx), Object.isFrozen(ctx)];")
    async with real_sandbox(tmp_path) as sandbox:
        closed = await sandbox.call(guest_call(gem, namespaces=()), MemoryHost())
        opened = await sandbox.call(guest_call(gem, namespaces=ALL_NAMESPACES), MemoryHost())
    assert closed == [["idempotencyKey"], True]
    assert opened == [["idempotencyKey", "files", "storage", "http", "llm"], True]


@pytest.mark.req("TOOL-032")
async def test_a_value_of_exactly_the_limit_arrives(tmp_path: Path) -> None:
    found = await run_tool(tmp_path, "export default () => '数'.repeat(1_048_574);")
    assert found == "数" * 1_048_574


@pytest.mark.req("TOOL-031")
async def test_a_value_over_the_limit_fails_its_call_only(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default (n) => 'x'.repeat(n);")
    async with real_sandbox(tmp_path) as sandbox:
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem, 1_048_575), MemoryHost())
        assert caught.value.code is Code.PAYLOAD_TOO_LARGE
        assert await sandbox.call(guest_call(gem, 2), MemoryHost()) == "xx"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("undefined", None),
        ("NaN", None),
        ("[undefined, Infinity, -0]", [None, None, 0]),
        ("'\\ud800'", "\ufffd"),
        ("({ a: undefined, d: new Date(0) })", {"d": "1970-01-01T00:00:00.000Z"}),
        ("new Map([[1, 2]])", {}),
        ("({ __proto__: null, toJSON: () => 'own' })", "own"),
        ("Promise.resolve(1)", 1),
        ("({ then: (yes) => yes(2) })", 2),
    ],
)
async def test_odd_values_are_ordinary_results(tmp_path: Path, expression: str, value: Json) -> None:
    assert await run_tool(tmp_path, f"export default () => {expression};") == value


@pytest.mark.parametrize(
    ("source", "detail"),
    [
        ("export default () => { throw new Error('no'); };", "no"),
        ("export default () => { throw new TypeError('no'); };", "TypeError: no"),
        ("export default async () => { throw 'text'; };", "text"),
        ("export default () => { throw null; };", "null"),
        ("export default () => 1n;", "TypeError: Do not know how to serialize a BigInt"),
        ("export default () => ({ toJSON() { throw new Error('mine'); } });", "mine"),
        ("export default 5;", "TypeError: the module's default export is not a function"),
        ("throw new Error('at the top');", "at the top"),
        ("export default () => JSON.parse('['.repeat(300) + ']'.repeat(300));",
         "TypeError: the value is nested more than 200 levels deep"),
    ],
)  # fmt: skip
async def test_what_a_tool_throws_is_told(tmp_path: Path, source: str, detail: str) -> None:
    with pytest.raises(NotochordError) as caught:
        await run_tool(tmp_path, source)
    assert (caught.value.code, caught.value.detail) == (Code.TOOL_FAILED, detail)


@pytest.mark.parametrize("source", ["export default (", "export default () => missing.a;", "import './none.ts';"])
async def test_broken_code_fails_its_call_and_says_why(tmp_path: Path, source: str) -> None:
    with pytest.raises(NotochordError) as caught:
        await run_tool(tmp_path, source)
    assert caught.value.code is Code.TOOL_FAILED
    assert str(tmp_path) not in caught.value.detail


async def test_a_long_message_is_cut(tmp_path: Path) -> None:
    with pytest.raises(NotochordError) as caught:
        await run_tool(tmp_path, "export default () => { throw new Error('x'.repeat(1e6)); };")
    assert len(caught.value.detail) == 4_000


@pytest.mark.req("DATA-513")
async def test_an_error_of_the_program_begins_with_its_code_and_carries_it(tmp_path: Path) -> None:
    source = """export default async (input, ctx) => {
      try { await ctx.files.read('none'); } catch (e) { return [e.code, e.message, e instanceof Error]; }
    };"""
    assert await run_tool(tmp_path, source) == ["E_FILE_MISSING", "E_FILE_MISSING: no such file", True]


@pytest.mark.req("TOOL-041", "TOOL-049")
async def test_files_and_key_values_go_both_ways(tmp_path: Path) -> None:
    source = """export default async (input, ctx) => {
      const promise = ctx.files.write('a', 'é\\n'); const isPromise = promise instanceof Promise; await promise;
      await ctx.files.write('b', '/w==', { encoding: 'base64' });
      await ctx.storage.kv.set('k', 'v');
      return [isPromise, await ctx.files.read('a'), await ctx.files.read('b', { encoding: 'base64' }),
        await ctx.files.read('a', { encoding: 'utf8' }), await ctx.storage.kv.get('k'), await ctx.storage.kv.get('?')];
    };"""
    assert await run_tool(tmp_path, source) == [True, "é\n", "/w==", "é\n", "v", None]


@pytest.mark.req("TOOL-075")
async def test_20_mb_pass_and_one_byte_more_does_not(tmp_path: Path) -> None:
    gem = make_gem(
        tmp_path,
        tool="""export default async (size, ctx) => { await ctx.files.write('a', 'x'.repeat(size));
        return (await ctx.files.read('a')).length; };""",
    )
    host = MemoryHost()
    async with real_sandbox(tmp_path) as sandbox:
        assert await sandbox.call(guest_call(gem, MIB_20), host) == MIB_20
        with pytest.raises(NotochordError) as caught:
            await sandbox.call(guest_call(gem, MIB_20 + 1), host)
    assert caught.value.detail.startswith("E_PAYLOAD_TOO_LARGE")


async def test_a_thousand_requests_at_once_are_all_answered(tmp_path: Path) -> None:
    source = """export default async (input, ctx) => {
      const all = Array.from({ length: 1000 }, (_, i) => ctx.storage.kv.set('k' + i, 'v'));
      return (await Promise.all(all)).length; };"""
    assert await run_tool(tmp_path, source) == 1000


@pytest.mark.req("TOOL-013")
async def test_calls_work_in_a_process_that_was_used_and_in_a_new_one(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default (input) => input;")
    async with real_sandbox(tmp_path) as sandbox:
        for number in range(3):
            assert await sandbox.call(guest_call(gem, number), MemoryHost()) == number
        await sandbox.stop(gem.id)
        assert await sandbox.call(guest_call(gem, 4), MemoryHost()) == 4


async def test_stopping_an_instance_leaves_no_cache_of_it(tmp_path: Path) -> None:
    gem = make_gem(tmp_path, tool="export default (input) => input;")
    async with real_sandbox(tmp_path) as sandbox:
        await sandbox.call(guest_call(gem), MemoryHost())
        assert any((tmp_path / "guests").iterdir())
        await sandbox.stop(gem.id)
        assert not any((tmp_path / "guests").iterdir())
