"""The author's guide: every file in it is written into a draft, every command is given, and what it shows is true."""

import json
import re
import shlex
import subprocess
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from deno import find_deno_bin

from notochord.core.caller import Actor, Caller
from notochord.core.paths import Home, shipped
from notochord.services.data.api import Insert
from notochord.services.gem_authoring.api import DraftIdentity
from notochord.services.gems.templates import EDITOR_FOLDER, make_draft, template_names
from notochord.services.organizations.api import KeyPlace
from support.exchanges import KeptExchange
from support.fakes.opener import FakeOpener
from support.fakes.organizations import FakeOrganizations
from support.front_bench import Bench
from support.gems import Platform, platform
from support.guests import real_sandbox
from support.workshops import checked_draft, made_workshop

GUIDE = Path(__file__).parents[2] / "docs" / "gems"
PAGES = sorted(page.name for page in GUIDE.glob("*.md") if page.name != "README.md")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)
SORTING = """
import rate from "../tools/rate.js";
import sortInvoices from "../tools/sort_invoices.js";

export async function invoices_are_sorted(ctx) {
  await ctx.files.write("workspace:in/March 2024.pdf", "x");
  await ctx.files.write("workspace:in/note.txt", "x");
  const { moved } = await sortInvoices({ folder: "in" }, ctx);
  if (moved !== 1 || !(await ctx.files.stat("workspace:in/2024/March 2024.pdf"))) throw new Error(`${moved} moved`);
}

export async function the_rate_is_passed_on(ctx) {
  const fetch = async (url, options) => ({ ok: true, json: async () => [url, options.connection] });
  const found = await rate({ currency: "NOK" }, { ...ctx, http: { fetch } });
  if (found.join() !== "https://rates.example.com/NOK,bank") throw new Error(found.join());
}
"""
"""Tests of the one page that has none of its own."""


@dataclass(frozen=True)
class Block:
    language: str
    path: str
    text: str


def blocks(page: str) -> list[Block]:
    found = BLOCK.findall((GUIDE / page).read_text(encoding="utf-8"))
    return [Block(*parts) for parts in found]


def identifier(page: str) -> str:
    [manifest] = [block for block in blocks(page) if block.path == "manifest.json"]
    return str(json.loads(manifest.text)["id"])


def write(folder: Path, page: str) -> Path:
    """Write the draft of a page, with what `gem new` gives to editors."""
    draft = folder / identifier(page)
    helping = [("types", "notochord.d.ts"), ("schemas", "manifest.schema.json")]
    files = {
        f"{EDITOR_FOLDER}/{name}": (shipped("resources") / kind / name).read_text("utf-8") for kind, name in helping
    }
    files |= {block.path: block.text for block in blocks(page) if block.path}
    for path, text in files.items():
        (draft / path).parent.mkdir(parents=True, exist_ok=True)
        (draft / path).write_text(text, encoding="utf-8")
    return draft


@pytest.fixture
async def studio(tmp_path: Path) -> AsyncIterator[Platform]:
    async with real_sandbox(tmp_path / "guests") as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        yield made


@pytest.fixture
async def terminal(tmp_path: Path, studio: Platform) -> AsyncIterator[Bench]:
    """The command line in a folder, on real gems."""
    folder = tmp_path / "work"
    folder.mkdir()
    organizations = FakeOrganizations(Home(folder))
    await organizations.create("acme", KeyPlace.FILE)
    await organizations.make_current("acme")
    opener = FakeOpener(organizations)
    async with opener.open("acme") as services:
        yield Bench(
            folder, organizations, opener, replace(services, gems=studio.service, dossiers=studio.service.dossiers)
        )


async def give(terminal: Bench, text: str) -> str:
    """Give the commands of a block and return what they wrote."""
    exchange = KeptExchange()
    for line in text.splitlines():
        program, *words = shlex.split(line)
        if program == "rm":
            for path in words:
                (terminal.folder / path).unlink()
            continue
        assert program == "notochord"
        await terminal.give(*words, to=exchange)
    return exchange.out


@pytest.mark.parametrize("page", PAGES)
async def test_each_command_works_and_writes_what_the_page_shows(terminal: Bench, page: str) -> None:
    begun = f"gem new {identifier(page)} " not in (GUIDE / page).read_text(encoding="utf-8")
    if begun:
        write(terminal.folder, page)
    written = ""
    for block in blocks(page):
        if block.language == "sh":
            written = await give(terminal, block.text)
        elif block.language == "text":
            assert [line for line in block.text.splitlines() if line not in written.splitlines()] == []
        elif block.path and not begun:
            place = terminal.folder / identifier(page) / block.path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(block.text, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
async def test_the_draft_of_each_page_is_sound_and_its_tests_pass(studio: Platform, tmp_path: Path, page: str) -> None:
    draft = write(tmp_path, page)
    assert checked_draft(draft) == []
    if page == "manifest.md":
        (draft / "tests").mkdir()
        (draft / "tests/sorting.test.js").write_text(SORTING, encoding="utf-8")
    if (draft / "tests").is_dir():
        outcomes = await studio.service.test(draft)
        assert outcomes
        assert [one for one in outcomes if one.code] == []


async def test_what_packing_shows_is_the_result_of_its_tool(studio: Platform, tmp_path: Path) -> None:
    draft = write(tmp_path, "packing.md")
    (draft / "tests").mkdir()
    test = "import greet from '../tools/greet.js'; export default () => { if (greet({}) !== 'Hello, you!') throw 1; };"
    (draft / "tests/greet.test.js").write_text(test, encoding="utf-8")
    assert [one.code for one in await studio.service.test(draft)] == [""]


def test_the_agent_of_the_manifests_page_is_sound(tmp_path: Path) -> None:
    draft = write(tmp_path, "manifest.md")
    [agent] = [block.text for block in blocks("manifest.md") if block.language == "markdown"]
    (draft / "agents").mkdir()
    (draft / "agents/helper.md").write_text(agent, encoding="utf-8")
    assert checked_draft(draft) == []


def test_every_block_is_a_file_a_command_or_what_it_writes() -> None:
    kinds = {(block.language, bool(block.path)) for page in PAGES for block in blocks(page)}
    files = {("json", True), ("js", True), ("ts", True), ("html", True), ("css", True), ("sql", True), ("csv", True)}
    assert kinds <= {*files, ("sh", False), ("text", False), ("markdown", True), ("markdown", False)}


def test_each_link_of_the_guide_leads_to_a_page() -> None:
    for page in GUIDE.glob("*.md"):
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (GUIDE / target).is_file(), (page.name, target)


def test_the_guide_and_the_templates_hold_their_types(tmp_path: Path) -> None:
    drafts = [write(tmp_path, page) for page in PAGES]
    for template in template_names():
        make_draft(tmp_path / template, template, DraftIdentity("a", "A", "me"))
        drafts.append(tmp_path / template)
    modules = [str(path) for draft in drafts for path in sorted(draft.rglob("*.ts")) if EDITOR_FOLDER not in path.parts]
    assert len(modules) > 8
    command = [find_deno_bin(), "check", "--quiet", "--no-lock", "--no-remote", "--no-npm", *modules]
    checked = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False)
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.req("DATA-361", "DATA-364")
async def test_the_migration_of_the_datas_page_carries_old_records_along(studio: Platform, tmp_path: Path) -> None:
    draft = write(tmp_path, "data.md")
    manifest = json.loads((draft / "manifest.json").read_text(encoding="utf-8"))
    jobs = manifest["data"]["collections"]["jobs"]
    del jobs["version"], jobs["migrations"], jobs["indexes"]
    del jobs["fields"]["status"]
    jobs["fields"]["done"] = {"type": "boolean"}
    old = tmp_path / "old"
    old.mkdir()
    (old / "manifest.json").write_text(json.dumps(manifest | {"version": "1.0.0", "exports": []}), encoding="utf-8")
    workshop = made_workshop()
    await studio.service.install((await workshop.pack(old)).package, allow_unsigned=True)
    store = await studio.service.data("workbook")
    await store.records.insert(Insert("jobs", {"bicycle": "red one", "done": True}, "a"), Caller(Actor.GEM, "workbook"))
    await studio.service.install((await workshop.pack(draft)).package, allow_unsigned=True)
    found = await (await studio.service.data("workbook")).records.get("jobs", "a")
    assert found is not None
    assert found.data == {"bicycle": "red one", "status": "done"}
