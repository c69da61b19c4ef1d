"""`gem test`: a draft's tests run in real guests, each on empty storage, without network, and leave nothing."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.data.api import Insert, Source
from notochord.services.gem_authoring.api import DraftIdentity, DraftTest
from notochord.services.gems.templates import template_names
from support import wasm
from support.drafts import draft_manifest, export, written_draft
from support.gems import Platform, platform
from support.guests import real_sandbox
from support.workshops import made_workshop

NETWORK = {"hosts": ["api.example.com"], "reason": "Weather"}


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncIterator[Platform]:
    """The service on real guests."""
    async with real_sandbox(tmp_path / "guests") as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        yield made


async def outcomes(studio: Platform, folder: Path, tests: str, content: Any = None, **files: str) -> dict[str, str]:
    """Return the code of each test, empty for one that passed."""
    files = {path.replace("__", "/") + ".ts": text for path, text in files.items()}
    draft = written_draft(folder / "draft", content, {"tests/a.test.ts": tests, **files})
    return {one.name: one.code for one in await studio.service.test(draft)}


def left(studio: Platform) -> set[str]:
    gems = studio.folder.folder / "gems"
    return {path.name for name in ("packages/.scratch", "store") for path in (gems / name).glob("*")}


@pytest.mark.parametrize("template", [name for name in template_names() if name != "skill"])
async def test_the_tests_of_a_template_pass(studio: Platform, tmp_path: Path, template: str) -> None:
    await made_workshop().new(tmp_path / "draft", template, DraftIdentity("a", "A", "me"))
    ended = await studio.service.test(tmp_path / "draft")
    assert len(ended) == 2
    assert [one for one in ended if one.code] == []


async def test_a_test_is_refused_every_account_of_the_user(studio: Platform, tmp_path: Path) -> None:
    content = draft_manifest(network=NETWORK, connections=[{"id": "service", "reason": "Weather"}])
    tests = """
        export async function asks(ctx) {
          const url = "https://api.example.com/";
          const refused = await ctx.http.fetch(url, { connection: "service" }).catch((error) => error);
          throw new Error(refused.code + " " + refused.message.includes("tests use no account"));
        }
    """
    draft = written_draft(tmp_path / "draft", content, {"tests/a.test.ts": tests})
    (ended,) = await studio.service.test(draft)
    assert ended.detail == "E_PERM_DENIED true"


async def test_a_test_fails_by_throwing_and_the_others_go_on(studio: Platform, tmp_path: Path) -> None:
    tests = """
        import greet from "../tools/greet.ts";
        export function greets() { if (greet({ who: "Ada" }).hello !== "Ada") throw new Error("no Ada"); }
        export async function fails() { throw new Error("one is not two"); }
        export function passes() {}
        export const data = 5;
    """
    draft = written_draft(
        tmp_path / "draft", None, {"tests/a.test.ts": tests, "tests/b.test.js": "export default () => 1"}
    )
    ended = {(one.file, one.name): one for one in await studio.service.test(draft)}
    assert {key: one.code for key, one in ended.items()} == {
        ("tests/a.test.ts", "fails"): Code.TOOL_FAILED,
        ("tests/a.test.ts", "greets"): "",
        ("tests/a.test.ts", "passes"): "",
        ("tests/b.test.js", "default"): "",
    }
    assert "one is not two" in ended["tests/a.test.ts", "fails"].detail


@pytest.mark.req("STUDIO-049")
async def test_each_test_begins_with_an_empty_store_and_folder(studio: Platform, tmp_path: Path) -> None:
    tests = """
        async function once(ctx) {
          if (await ctx.storage.kv.get("seen") !== null) throw new Error("seen before");
          if ((await ctx.files.list("workspace:")).length) throw new Error("files from before");
          await ctx.storage.kv.set("seen", "1");
          await ctx.files.write("workspace:seen.txt", "1");
          if (await ctx.storage.kv.get("seen") !== "1") throw new Error("not kept");
        }
        export const first = once;
        export const second = once;
    """
    assert await outcomes(studio, tmp_path, tests) == {"first": "", "second": ""}


async def test_nothing_is_left_of_a_run_neither_key_nor_data_nor_files(studio: Platform, tmp_path: Path) -> None:
    keeps = "export const keeps = (ctx) => ctx.storage.kv.set('a', 'b');"
    assert await outcomes(studio, tmp_path, keeps) == {"keeps": ""}
    assert (left(studio), studio.vault.keys, await studio.service.all()) == (set(), {}, ())
    assert await studio.service.test(tmp_path / "draft") == (DraftTest("tests/a.test.ts", "keeps"),)


async def test_a_test_has_no_network_even_where_the_gem_has(studio: Platform, tmp_path: Path) -> None:
    tests = """
        export async function asks(ctx) { await ctx.http.fetch("https://api.example.com/"); }
        export async function tells(ctx) {
          const http = { fetch: async () => ({ status: 200 }) };
          if ((await { ...ctx, http }.http.fetch("https://api.example.com/")).status !== 200) throw new Error("no");
        }
        export async function escapes() { await fetch("https://api.example.com/"); }
    """
    ended = await outcomes(studio, tmp_path, tests, draft_manifest(network=NETWORK))
    assert ended == {"asks": Code.TOOL_FAILED, "tells": "", "escapes": Code.TOOL_FAILED}
    assert studio.egress.requests == []


async def test_a_test_has_no_right_that_the_manifest_does_not_ask_for(studio: Platform, tmp_path: Path) -> None:
    tests = "export function has_none(ctx) { if (ctx.http !== undefined) throw new Error('http'); }"
    assert await outcomes(studio, tmp_path, tests) == {"has_none": ""}


async def test_a_file_of_tests_that_cannot_be_loaded_is_one_failure(studio: Platform, tmp_path: Path) -> None:
    draft = written_draft(
        tmp_path / "draft",
        None,
        {"tests/a.test.ts": "import './none.ts';", "tests/b.test.ts": "export const ok = () => 1;"},
    )
    first, second = await studio.service.test(draft)
    assert (first.name, first.code, second.name, second.code) == ("", Code.TOOL_FAILED, "ok", "")


async def test_a_test_that_ends_its_process_is_a_failure_of_its_own(studio: Platform, tmp_path: Path) -> None:
    tests = """
        export async function dies() { const all = []; for (;;) all.push(new Array(1e6).fill(1.5)); }
        export function lives() {}
    """
    ended = await outcomes(studio, tmp_path, tests)
    assert (ended["dies"] in {Code.GUEST_MEMORY, Code.GUEST_CRASHED}, ended["lives"]) == (True, "")


async def test_a_draft_without_tests_and_one_with_problems_are_told(studio: Platform, tmp_path: Path) -> None:
    written_draft(tmp_path / "none")
    bad = written_draft(tmp_path / "bad", draft_manifest(version="1"), {"tests/a.test.ts": ""})
    for draft, code in (
        (tmp_path / "none", Code.NOT_FOUND),
        (bad, Code.PERM_INVALID),
        (tmp_path / "no", Code.FILE_MISSING),
    ):
        with pytest.raises(NotochordError) as refused:
            await studio.service.test(draft)
        assert refused.value.code is code
    assert left(studio) == set()


async def test_what_a_killed_run_left_is_cleared_at_the_next_start(tmp_path: Path) -> None:
    async with platform(tmp_path / "org") as first:
        await first.service._records.begin("draft-test.x")
        await first.data.store(Source("gem:draft-test.x", first.folder.gem_store("draft-test.x")))
        (first.folder.packages / ".scratch" / "x" / "code").mkdir(parents=True)
        vault = first.vault
    async with platform(tmp_path / "org", vault=vault) as second:
        assert (left(second), vault.keys) == (set(), {})


@pytest.mark.req("DATA-102")
async def test_a_draft_whose_data_section_is_wrong_is_not_run(studio: Platform, tmp_path: Path) -> None:
    notes = {"kind": "table", "fields": {"title": {"type": "text"}}}
    content = draft_manifest(data={"collections": {"notes": notes}})
    draft = written_draft(tmp_path / "draft", content, {"tests/a.test.ts": "export function passes() {}"})
    with pytest.raises(NotochordError) as refused:
        await studio.service.test(draft)
    assert refused.value.code is Code.PERM_INVALID
    assert "title" in refused.value.detail
    assert left(studio) == set()


@pytest.mark.req("DATA-399")
async def test_tests_of_a_draft_and_the_gem_installed_from_it_know_nothing_of_each_others_data(
    studio: Platform, tmp_path: Path
) -> None:
    tests = """
        export async function sees_nothing(ctx) {
          if ((await ctx.data.collection("notes").count()) !== 0) throw new Error("somebody else's notes");
          await ctx.data.collection("notes").insert({ title: "of a test" }, { id: "a" });
        }"""
    notes = {"collections": {"notes": {"kind": "table", "fields": {"title": {"type": "string"}}}}}
    draft = written_draft(tmp_path / "draft", draft_manifest(data=notes), {"tests/a.test.js": tests})
    await studio.service.install((await made_workshop().pack(draft)).package, allow_unsigned=True)
    store = await studio.service.data("greeter")
    await store.records.insert(Insert("notes", {"title": "of the gem"}, "a"), Caller(Actor.GEM, "greeter"))
    for _ in range(2):
        assert [one.code for one in await studio.service.test(draft)] == [""]
    found = await store.records.get("notes", "a")
    assert found is not None
    assert (found.data, found.version) == ({"title": "of the gem"}, 1)


TOOLS = """
import { rejects, strictEqual } from "node:assert/strict";
const code = (expected) => (error) => error.code === expected;

export async function a_tool_in_webassembly_gives_its_value(ctx) {
  strictEqual(JSON.stringify(await ctx.tools.call("echo", { a: [1, "ä"] })), '{"a":[1,"ä"]}');
}
export async function what_it_says_went_wrong_is_thrown(ctx) {
  await rejects(ctx.tools.call("fail", {}), code("E_TOOL_FAILED"));
}
export async function arguments_are_held_against_the_schema(ctx) {
  await rejects(ctx.tools.call("keep", { text: 1 }), code("E_TOOL_ARGUMENTS"));
}
export async function a_tool_shares_storage_and_the_conversation_with_its_test(ctx) {
  const { output, folder } = await ctx.tools.call("keep", { text: "x" });
  strictEqual(output, "x");
  strictEqual(folder.length > 0, true);
  strictEqual(await ctx.storage.kv.get("kept"), "x");
  strictEqual(await ctx.files.read("workspace:kept.txt"), "x");
}
export async function a_tool_has_its_own_permissions_and_no_tools(ctx) {
  strictEqual(JSON.stringify(await ctx.tools.call("look")), '["undefined","undefined"]');
  strictEqual(typeof ctx.http, "object");
}
export async function a_tool_that_is_not_there_is_told(ctx) {
  await rejects(ctx.tools.call("tests-0"), code("E_NOT_FOUND"));
  await rejects(ctx.tools.call("none"), /it has echo, fail, keep, look/);
}
"""
KEEP = """export default async ({ text }, ctx) => {
  await ctx.storage.kv.set("kept", text);
  await ctx.files.write("workspace:kept.txt", text);
  await ctx.files.write("output/kept.txt", text);
  return text;
};
"""


async def test_tests_call_the_tools_of_the_draft_in_webassembly_too(studio: Platform, tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"text": {"type": "string"}}}
    exports = [
        export("echo", entry="tools/echo.wasm"),
        export("fail", entry="tools/fail.wasm"),
        export("keep", entry="tools/keep.js", input_schema=schema),
        export("look", entry="tools/look.js", permissions=[]),
    ]
    look = "export default (_, ctx) => [typeof ctx.http, typeof ctx.tools];"
    files = {"tests/a.test.js": TOOLS, "tools/keep.js": KEEP, "tools/look.js": look}
    draft = written_draft(tmp_path / "draft", draft_manifest(exports=exports, network=NETWORK), files)
    (draft / "tools/echo.wasm").write_bytes(wasm.module())
    (draft / "tools/fail.wasm").write_bytes(wasm.module(wasm.FAIL))
    ended = await studio.service.test(draft)
    assert [(one.name, one.code, one.detail) for one in ended if one.code] == []
    assert len(ended) == 6
    assert left(studio) == set()
