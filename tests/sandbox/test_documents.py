"""Documents and downloaded files from within real guests, as authors use them."""

from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.services.sandbox.api import Sandbox
from support.drafts import draft_manifest, export, written_draft
from support.egress import Bench
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox
from support.shelves import CONTENT, resource, shelf

READING = """export default async (input, ctx) => {
  const path = await ctx.resources.path("model");
  const file = await Deno.open(path);
  const buffer = new Uint8Array(7);
  await file.read(buffer);
  file.close();
  return [(await Deno.readFile(path)).length, (await Deno.readTextFile(path)).length, new TextDecoder().decode(buffer)];
};
"""
EXTRACTING = """export default async (input, ctx) => {
  await ctx.files.write("output/list.csv", "a;b\\n10,5;007\\n");
  const { format, parts: [{ rows }], text } = await ctx.extract.fromFile("output/list.csv");
  const refused = await ctx.extract.fromUrl("https://files.example.com/").catch((error) => error.code);
  return { format, rows, text, refused };
};
"""
TESTS = """export async function a_file_is_there(ctx) {
  const path = await ctx.resources.path("model");
  if ((await Deno.readFile(path)).length !== %d) throw new Error("another length");
}
"""


def served(folder: Path, guests: Sandbox, gateway: Bench) -> AbstractAsyncContextManager[Platform]:
    return platform(folder / "org", guests=guests, downloads=gateway.egress)


@pytest.mark.req("TOOL-120", "RES-015")
async def test_a_tool_reads_a_downloaded_file_by_its_path(tmp_path: Path) -> None:
    _, gateway = await shelf()
    async with real_sandbox(tmp_path) as guests, served(tmp_path, guests, gateway) as made:
        content = manifest(resources=[resource()], tools=[tool(entry="tools/read.js")])
        await made.service.install(PackageMaker(tmp_path / "p").make(content, {"tools/read.js": READING}))
        value = await made.service.call("greeter", "greet", {}, tmp_path, Cause())
    assert value == [len(CONTENT), len(CONTENT), "the con"]
    await gateway.egress.close()


async def test_a_tool_gets_the_text_of_a_document(tmp_path: Path) -> None:
    async with real_sandbox(tmp_path) as guests, platform(tmp_path / "org", guests=guests) as made:
        content = manifest(tools=[tool(entry="tools/extract.js")])
        await made.service.install(PackageMaker(tmp_path / "p").make(content, {"tools/extract.js": EXTRACTING}))
        value = await made.service.call("greeter", "greet", {}, tmp_path, Cause())
    assert isinstance(value, dict)
    assert value["output"] == {
        "format": "csv", "rows": [["a", "b"], ["10,5", "007"]], "text": "a\tb\n10,5\t007", "refused": "E_PERM_DENIED",
    }  # fmt: skip


@pytest.mark.req("STUDIO-050")
async def test_a_draft_s_tests_get_downloaded_files_as_an_installed_gem_does(tmp_path: Path) -> None:
    sender, gateway = await shelf()
    draft = written_draft(
        tmp_path / "draft",
        draft_manifest(exports=[export()], resources=[resource()]),
        {"tests/read.test.js": TESTS % len(CONTENT)},
    )
    async with real_sandbox(tmp_path) as guests, served(tmp_path, guests, gateway) as made:
        outcomes = await made.service.test(draft)
    assert [(one.name, one.code, one.detail) for one in outcomes] == [("a_file_is_there", "", "")]
    assert len(sender.asked) == 1
    await gateway.egress.close()
