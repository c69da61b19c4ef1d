"""What every tool has without asking, and what asking gives: real guests, real stores, real files."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.egress.api import HostGrant
from notochord.services.sandbox.api import Host, HostRequest
from support.file_services import workshop_in
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox
from support.shelves import CONTENT, URL, resource, shelf
from support.vaults import MemoryVault

CAUSE = Cause("talk", "main", "turn")
EMPTY = {"type": "object"}
CANARY = "canary-that-nobody-else-writes"
ALL_PARTS = """export default async (_, ctx) => {
  await ctx.files.write("a.txt", "1");
  await ctx.storage.kv.set("a", "1");
  await ctx.storage.sql.query("CREATE TABLE t (a)");
  await ctx.storage.sql.insert("t", { a: 1 });
  const doc = await ctx.data.docs.create({ markdown: "# A" });
  const blob = await ctx.data.blobs.put("YQ==");
  await ctx.data.refs.link(doc.nodeId, blob.nodeId, "shows");
  const { id } = await ctx.data.collection("notes").insert({ title: "a" });
  await ctx.data.log("seen").append({ at: 1 });
  const rows = await ctx.storage.sql.query("SELECT a FROM t");
  return [await ctx.files.read("a.txt"), await ctx.storage.kv.get("a"), rows[0].a,
    (await ctx.data.refs.backlinks(blob.nodeId)).length, (await ctx.data.collection("notes").get(id)).data.title,
    typeof ctx.http, typeof ctx.llm, typeof ctx.knowledge, typeof ctx.email, typeof ctx.resources];
};"""
NOTES = {
    "collections": {
        "notes": {"kind": "table", "fields": {"title": {"type": "string"}}},
        "seen": {"kind": "log", "fields": {"at": {"type": "integer"}}},
    }
}
SORTING = """export default async (_, ctx) => {
  const sales = await ctx.files.read("workspace:sales.csv");
  for (const entry of await ctx.files.list("workspace:inbox/")) {
    if (entry.name.endsWith(".pdf")) {
      await ctx.files.move(`workspace:inbox/${entry.name}`, `workspace:inbox/PDF/${entry.name}`);
    }
  }
  await ctx.files.write("output/report.md", `# Report\\n\\n${sales.split("\\n").length} lines`);
  return (await ctx.files.list()).map((entry) => entry.name);
};"""
KEEPING = f"""export default async (_, ctx) => {{
  const word = "{CANARY}";
  await ctx.storage.kv.set("word", word);
  await ctx.data.collection("notes").insert({{ title: word }});
  await ctx.data.log("seen").append({{ at: 1 }});
  await ctx.storage.sql.query("CREATE TABLE t (a)");
  await ctx.storage.sql.insert("t", {{ a: word }});
  await ctx.data.blobs.put(btoa(word));
  await ctx.data.docs.create({{ id: "plain", markdown: word }});
}};"""


@pytest.fixture
async def guests(tmp_path: Path) -> AsyncIterator[Platform]:
    async with real_sandbox(tmp_path / "guests") as sandbox, platform(tmp_path / "org", guests=sandbox) as made:
        yield made


async def run(guests: Platform, packages: PackageMaker, talk: Path, source: str, **more: Any) -> Json:
    content = manifest(tools=[tool(inputSchema=EMPTY)], **more)
    await guests.service.install(packages.make(content, {"tools/greet.ts": source}))
    return await guests.service.call("greeter", "greet", {}, talk, CAUSE)


@pytest.mark.req("PERM-131", "PERM-133", "PERM-135", "TOOL-038")
async def test_a_tool_of_a_gem_that_asks_for_nothing_has_files_storage_and_data_at_once(
    guests: Platform, packages: PackageMaker, talk: Path
) -> None:
    found = await run(guests, packages, talk, ALL_PARTS, data=NOTES)
    assert isinstance(found, dict)
    assert found["output"] == ["1", "1", 1, 1, "a", *["undefined"] * 5]


@pytest.mark.req("PERM-130")
@pytest.mark.parametrize("more", [{"storage": {}}, {"permissions": {"storage": True}}])
async def test_a_manifest_has_no_field_for_storage(
    notochord: Platform, packages: PackageMaker, more: dict[str, Any]
) -> None:
    with pytest.raises(NotochordError, match="storage") as refused:
        await notochord.service.install(packages.make(manifest(**more)))
    assert refused.value.code is Code.PERM_INVALID


@pytest.mark.req("TOOL-042", "TOOL-044")
async def test_the_sample_of_files_runs_as_it_is_written(tmp_path: Path, packages: PackageMaker) -> None:
    (tmp_path / "files").mkdir()
    async with (
        workshop_in(tmp_path / "files") as desk,
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox, files=desk.files) as made,
    ):
        talk = desk.folder
        (talk / "inbox").mkdir()
        for name, text in (("sales.csv", "a\nb"), ("inbox/a.pdf", "1"), ("inbox/b.txt", "2"), ("inbox/c.pdf", "3")):
            (talk / name).write_text(text)
        found = await run(made, packages, talk, SORTING)
    assert isinstance(found, dict)
    assert found["output"] == ["output"]
    assert sorted(path.name for path in (talk / "inbox").iterdir()) == ["PDF", "b.txt"]
    assert sorted(path.name for path in (talk / "inbox/PDF").iterdir()) == ["a.pdf", "c.pdf"]
    assert (talk / str(found["folder"]) / "output/report.md").read_text() == "# Report\n\n2 lines"


@pytest.mark.req("PERM-139", "PERM-141", "APP-034")
async def test_all_that_a_gem_stores_but_documents_is_encrypted_with_a_key_of_its_own(
    tmp_path: Path, packages: PackageMaker, talk: Path
) -> None:
    vault = MemoryVault()
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox, vault=vault) as made,
    ):
        for name in ("greeter", "other"):
            content = manifest(id=name, tools=[tool(inputSchema=EMPTY)], data=NOTES)
            await made.service.install(packages.make(content, {"tools/greet.ts": KEEPING}))
            await made.service.call(name, "greet", {}, talk, CAUSE)
    folder = made.folder.gem_store("greeter")
    stored = [path for path in folder.rglob("*") if path.is_file()]
    plain = [path.relative_to(folder).as_posix() for path in stored if CANARY.encode() in path.read_bytes()]
    assert plain == ["docs/plain.md"]
    assert {"data.db", "raw.db", "blobs"} <= {path.name for path in folder.iterdir()}
    mine, others = "gem:greeter", "gem:other"
    vault.keys[mine], vault.keys[others] = vault.keys[others], vault.keys[mine]
    async with platform(tmp_path / "org", vault=vault) as again:
        with pytest.raises(NotochordError) as locked:
            await again.service.data("greeter")
        assert locked.value.code is Code.STORE_UNREADABLE
    vault.keys[mine], vault.keys[others] = vault.keys[others], vault.keys[mine]
    async with platform(tmp_path / "org", vault=vault) as again:
        assert await (await again.service.data("greeter")).kv_get("word") == CANARY


@pytest.mark.req("PERM-021", "PERM-050")
@pytest.mark.parametrize(
    ("network", "grant"),
    [
        ({"hosts": ["api.example.com:8443"]}, HostGrant(("api.example.com:8443",), local=False)),
        ({"hosts": [], "allowLocalNetwork": True}, HostGrant((), local=True)),
        ({"hosts": ["api.example.com"]}, HostGrant(("api.example.com",), local=False)),
    ],
)
async def test_a_request_carries_what_the_manifest_asked_for(
    notochord: Platform, packages: PackageMaker, talk: Path, network: dict[str, Any], grant: HostGrant
) -> None:
    async def play(_: Json, host: Host) -> Json:
        await host.answer(HostRequest("http.fetch", {"url": "https://api.example.com:8443/"}, b""))
        return None

    notochord.sandbox.tools["tools/greet.ts"] = play
    asked = {"network": {**network, "reason": "To look things up"}}
    declared = manifest(permissions=asked, tools=[tool(permissions={"network": True})])
    await notochord.service.install(packages.make(declared))
    await notochord.service.call("greeter", "greet", {}, talk, CAUSE)
    [request] = notochord.egress.requests
    assert request.leave.grant == grant


@pytest.mark.req("PERM-129")
async def test_a_file_of_the_conversation_is_sent_to_a_declared_host_without_another_question(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    (talk / "a.txt").write_text("private")

    async def play(_: Json, host: Host) -> Json:
        read = await host.answer(HostRequest("files.read", {"path": "workspace:a.txt"}, None))
        arguments: Json = {"url": "https://api.example.com/", "method": "POST"}
        return (await host.answer(HostRequest("http.fetch", arguments, read.attachment))).value is not None

    notochord.sandbox.tools["tools/greet.ts"] = play
    asked = {"network": {"hosts": ["api.example.com"], "reason": "To look things up"}}
    declared = manifest(permissions=asked, tools=[tool(permissions={"network": True})])
    await notochord.service.install(packages.make(declared))
    assert await notochord.service.call("greeter", "greet", {}, talk, CAUSE) is True
    assert [request.body for request in notochord.egress.requests] == [b"private"]


@pytest.mark.req("RES-016", "RES-045")
async def test_files_that_are_downloaded_and_hosts_that_tools_may_reach_have_nothing_to_do_with_each_other(
    tmp_path: Path, packages: PackageMaker, talk: Path
) -> None:
    async def play(_: Json, host: Host) -> Json:
        path = (await host.answer(HostRequest("resources.path", {"id": "model"}, None))).value
        with pytest.raises(NotochordError) as refused:
            await host.answer(HostRequest("http.fetch", {"url": URL}, b""))
        assert refused.value.code is Code.PERM_DENIED
        return path

    sender, gateway = await shelf()
    async with platform(tmp_path / "org", downloads=gateway.egress, gateway=gateway.egress) as made:
        made.sandbox.tools["tools/greet.ts"] = play
        asked = {"network": {"hosts": ["api.example.com"], "reason": "To look things up"}}
        switched = [tool(permissions={"network": True})]
        declared = manifest(permissions=asked, tools=switched, resources=[resource()])
        await made.service.install(packages.make(declared))
        path = await made.service.call("greeter", "greet", {}, talk, CAUSE)
        assert Path(str(path)).read_bytes() == CONTENT
        assert sender.asked == [URL]
    await gateway.egress.close()
