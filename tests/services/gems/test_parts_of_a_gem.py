"""What a gem is made of: where each part lies, what of it agents get to see, and what the checks say of the rest."""

import json
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.blob_files import BlobFiles
from notochord.services.gems.api import Dossier
from notochord.services.gems.draft_checks import check_draft
from notochord.services.models.capabilities import CapabilityList
from notochord.services.models.roles import BUILT_IN
from notochord.services.sandbox.api import Host, HostRequest
from notochord.services.tools.api import Session
from support.data import table
from support.drafts import draft_manifest, export, written_draft
from support.gems import FAULTS, FILES, PackageMaker, Platform, draft, manifest, platform, sop, tool
from support.guests import real_sandbox

AGENT = "---\ndescription: Hosts.\nexpose: true\n---\nYou host guests."
SKILL = {"skill/SKILL.md": "# How to greet\nSay the name first."}
DOCS = {"docs/README.en.md": "# Greeter\nA secret recipe.", "docs/prompts/hello.en.md": "Say hello."}
MAIL = {"type": "event", "source": "email", "name": "onNewMessage"}
NOTES = table({"title": {"type": "string"}, "status": {"type": "string"}})


@pytest.fixture
def session(talk: Path) -> Session:
    return Session(Caller(Actor.AGENT, "chat", Cause("talk", "main", "turn", "", "step")), talk)


async def install(
    notochord: Platform, packages: PackageMaker, files: dict[str, str] | None = None, **changes: Any
) -> None:
    await notochord.service.install(packages.make(manifest(**changes), {**FILES, **(files or {})}))


async def code_of(work: Any) -> Code:
    with pytest.raises(NotochordError) as caught:
        await work
    return caught.value.code


async def asked(notochord: Platform, talk: Path, target: str, gem: str = "greeter", **arguments: Json) -> Any:
    """Ask as the code of a gem's tool does."""

    async def play(_: Json, host: Host) -> Json:
        answer = await host.answer(HostRequest(target, dict(arguments), None))
        return answer.value if answer.attachment is None else answer.attachment.decode()

    notochord.sandbox.tools["tools/greet.ts"] = play
    return await notochord.service.call(gem, "greet", {}, talk, Cause("talk"))


@pytest.mark.req("GEM-002", "GEM-003", "GEM-006", "GEM-007")
async def test_each_part_of_a_gem_has_its_folder(notochord: Platform, packages: PackageMaker) -> None:
    await install(notochord, packages, {**SKILL, **DOCS, "agents/host.md": AGENT})
    gem = await notochord.service.get("greeter")
    assert (gem.has_skill, [one.name for one in gem.agents], [one.name for one in gem.tools]) == (
        True,
        ["host"],
        ["greet"],
    )
    folder = notochord.folder.packages / "greeter" / "1.0.0"
    assert sorted(item.name for item in folder.iterdir() if item.is_dir()) == ["agents", "docs", "skill", "tools"]


@pytest.mark.req("GEM-079", "MAN-038", "GEM-084")
async def test_an_exposed_tool_is_there_for_the_chat_and_for_any_other_agent_outside(
    notochord: Platform, packages: PackageMaker, session: Session
) -> None:
    await install(notochord, packages, tools=[tool(), tool("inner", expose=False)])
    for agent in ("chat", "sub-agent"):
        opened = replace(session, agent=agent, opened=frozenset({"greeter"}))
        found = [one.name for one in await notochord.service.provider.definitions(opened)]
        assert found == ["read_skill", "gem.greeter.greet"]
        output = await notochord.service.provider.run("gem.greeter.greet", {"who": "Anna"}, opened)
        assert output.value == {"input": {"who": "Anna"}}


@pytest.mark.req("GEM-086", "SKILL-003", "SKILL-005", "SKILL-016")
async def test_a_skill_is_there_by_lying_in_the_package_and_can_be_read_though_nothing_is_exposed(
    notochord: Platform, packages: PackageMaker, session: Session
) -> None:
    await install(notochord, packages, SKILL, tools=[tool(expose=False)])
    output = await notochord.service.provider.run("read_skill", {"name": "greeter"}, session)
    assert str(output.value).startswith("# How to greet\nSay the name first.")


@pytest.mark.req("SKILL-008")
async def test_the_list_of_gems_has_the_description_of_the_manifest_and_not_that_of_the_skill(
    notochord: Platform, packages: PackageMaker, session: Session
) -> None:
    skill = {"skill/SKILL.md": "---\nname: other\ndescription: From the skill.\n---\n# How to greet"}
    await install(notochord, packages, skill)
    prompt = await notochord.service.provider.prompt(session)
    assert ("Greets people." in prompt, "From the skill" in prompt) == (True, False)


@pytest.mark.req("SKILL-002", "SKILL-023")
async def test_a_skill_is_read_whole_each_time_and_nothing_of_it_is_run(
    notochord: Platform, packages: PackageMaker, session: Session
) -> None:
    code = "```js\nexport default () => Deno.exit();\n```\n" * 50
    await install(notochord, packages, {"skill/SKILL.md": code})
    for _ in range(2):
        output = await notochord.service.provider.run("read_skill", {"name": "greeter"}, session)
        assert str(output.value).startswith(code)
    assert notochord.sandbox.calls == []


@pytest.mark.req("SKILL-001", "SKILL-004")
@pytest.mark.parametrize("path", ["skill/OTHER.md", "skill/second/SKILL.md", "skill/references/run.js"])
async def test_a_gem_has_one_skill_and_its_references(notochord: Platform, packages: PackageMaker, path: str) -> None:
    package = packages.make(files={**FILES, **SKILL, path: "# Another"})
    assert await code_of(notochord.service.install(package)) is Code.PERM_INVALID


@pytest.mark.req("DOCS-002", "DOCS-003")
async def test_docs_need_no_entry_and_no_agent_gets_to_read_them(
    notochord: Platform, packages: PackageMaker, session: Session
) -> None:
    await install(notochord, packages, {**SKILL, **DOCS})
    provider = notochord.service.provider
    opened = await provider.run("read_skill", {"name": "greeter"}, session)
    seen = f"{await provider.prompt(session)} {opened.value} {await provider.definitions(session)}"
    assert "recipe" not in seen
    assert "docs/" not in seen
    assert await code_of(provider.run("read_skill", {"name": "greeter/docs/README.en.md"}, session)) is Code.NOT_FOUND


@pytest.mark.req("DOCS-006", "PKG-040")
@pytest.mark.parametrize("path", ["docs/logo.png", "docs/prompts/hello.txt", "skill/references/picture.png"])
async def test_a_hand_made_gem_with_another_kind_of_file_is_neither_packed_nor_installed(
    notochord: Platform, packages: PackageMaker, tmp_path: Path, path: str
) -> None:
    files = {**FILES, **SKILL, path: "x"}
    problems = check_draft(draft(tmp_path / "draft", manifest(), files), FAULTS)
    assert [(one.code, one.path) for one in problems] == [(Code.PERM_INVALID, path)]
    assert await code_of(notochord.service.install(packages.make(files=files))) is Code.PERM_INVALID


@pytest.mark.req("GEM-089", "GEM-092")
def test_a_draft_is_held_to_five_exposed_items_and_short_descriptions_its_agents_among_them(tmp_path: Path) -> None:
    five = [export(f"t{number}", expose=True) for number in range(5)]
    problems = check_draft(
        written_draft(tmp_path / "six", draft_manifest(exports=five), {"agents/a.md": AGENT}), FAULTS
    )
    assert [(one.path, one.kind) for one in problems] == [("expose", "exposed_too_many")]
    long = AGENT.replace("Hosts.", "x" * 201)
    problems = check_draft(written_draft(tmp_path / "long", draft_manifest(), {"agents/a.md": long}), FAULTS)
    assert [one.kind for one in problems] == ["exposed_too_long"]


SOP = {"name": "sort", "entry": "workflows/sort.js", "description": "Sorts.", "inputSchema": {"type": "object"}}
CODE = "export default async (input, ctx) => ctx.call('tool.greet', input);\n"


@pytest.mark.req("MAN-008", "MAN-012")
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"description": None}, "'description' is a required property"),
        ({"description": " "}, "workflows.0.description"),
        ({"description": "汉" * 201}, "workflows.0.description"),
    ],
)
async def test_an_sop_has_a_description_of_at_most_200_characters(
    notochord: Platform, packages: PackageMaker, change: dict[str, Any], named: str
) -> None:
    entry = {name: value for name, value in {**SOP, **change}.items() if value is not None}
    package = packages.make(manifest(workflows=[entry]), {**FILES, "workflows/sort.js": "x"})
    with pytest.raises(NotochordError) as caught:
        await notochord.service.install(package)
    assert (caught.value.code, named in caught.value.detail) == (Code.PERM_INVALID, True)
    await install(notochord, packages, {"workflows/sort.js": CODE}, workflows=[{**SOP, "description": "汉" * 200}])


@pytest.mark.req("MAN-027", "MAN-029")
@pytest.mark.parametrize(
    ("change", "accepted"),
    [
        ({"inputSchema": {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}}, True),
        ({"inputSchema": {"type": "thing"}}, False),
        ({"inputSchema": {"type": "object", "required": "n"}}, False),
        ({"outputSchema": {"type": "array", "items": {"type": "string"}}}, True),
        ({"outputSchema": True}, True),
        ({"outputSchema": "array"}, False),
    ],
)
async def test_what_goes_in_and_comes_out_is_told_in_json_schema(
    notochord: Platform, packages: PackageMaker, change: dict[str, Any], accepted: bool
) -> None:
    package = packages.make(manifest(tools=[tool(**change)]))
    if accepted:
        await notochord.service.install(package)
    else:
        assert await code_of(notochord.service.install(package)) is Code.PERM_INVALID


@pytest.mark.req("MAN-032", "PERM-060", "PERM-061", "TOOL-081")
async def test_storage_and_files_are_there_without_a_word_in_the_manifest(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    await install(notochord, packages)
    assert await asked(notochord, talk, "storage.kv.set", key="a", value="1") is None
    assert await asked(notochord, talk, "storage.kv.get", key="a") == "1"
    assert notochord.sandbox.calls[0].namespaces[:4] == ("files", "storage.kv", "storage.sql", "data")
    for name in ("files", "storage"):
        package = packages.make(manifest(version="1.1.0", permissions={name: ["/home"]}))
        assert await code_of(notochord.service.install(package)) is Code.PERM_INVALID


@pytest.mark.req("PERM-003", "PERM-004")
@pytest.mark.parametrize("switch", [{"knowledge": True}, {"email": {"read": True}}])
async def test_knowledge_and_mail_have_to_be_asked_for_by_the_gem(
    notochord: Platform, packages: PackageMaker, switch: dict[str, Any]
) -> None:
    package = packages.make(manifest(tools=[tool(permissions=switch)]))
    assert await code_of(notochord.service.install(package)) is Code.PERM_INVALID


@pytest.mark.req("TOOL-088")
def test_a_draft_asks_for_mail_with_one_word(tmp_path: Path) -> None:
    content = draft_manifest(email=True, exports=[export(), export("other", permissions=[])])
    assert check_draft(written_draft(tmp_path, content), FAULTS) == []


@pytest.mark.req("PKG-025", "PKG-026", "PKG-043")
@pytest.mark.parametrize(
    ("declared", "begins"),
    [
        (table({"a": {"type": "string"}}, more=1), "notochord.json failed schema validation: "),
        (table({"a": {"type": "date"}}), "notochord.json failed schema validation: "),
        (table({"A": {"type": "string"}}), "data:"),
    ],
)
async def test_a_wrong_data_section_is_refused_by_the_check_that_finds_it(
    notochord: Platform, packages: PackageMaker, declared: Json, begins: str
) -> None:
    with pytest.raises(NotochordError) as caught:
        await notochord.service.install(packages.make(manifest(data=declared)))
    assert (caught.value.code, caught.value.detail.startswith(begins)) == (Code.PERM_INVALID, True)


@pytest.mark.req("GEM-008", "TOOL-080", "TOOL-083")
async def test_the_sample_of_the_manual_stores_a_note(tmp_path: Path, packages: PackageMaker, talk: Path) -> None:
    code = """export default async function (input, ctx) {
      const { id } = await ctx.data.collection('notes').insert({ title: input.title, status: 'open' })
      return { id }
    }"""
    schema = {"type": "object", "properties": {"title": {"type": "string"}}}
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox) as notochord,
    ):
        declared = {"collections": {"notes": next(iter(json.loads(json.dumps(NOTES))["collections"].values()))}}
        content = manifest(data=declared, tools=[tool(inputSchema=schema)])
        await notochord.service.install(packages.make(content, {"tools/greet.ts": code}))
        made: Any = await notochord.service.call("greeter", "greet", {"title": "Buy milk"}, talk, Cause())
        store = await notochord.service.data("greeter")
        lines = [json.loads(line) async for line in store.records.export("notes")]
    assert [(line["id"], line["data"]) for line in lines] == [(made["id"], {"title": "Buy milk", "status": "open"})]


@pytest.mark.req("PERM-087", "PERM-089", "PERM-090", "PERM-092")
async def test_a_tool_sees_the_conversations_folder_and_works_on_a_whole_subfolder(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    await install(notochord, packages)
    (talk / "invoices").mkdir()
    for name in ("a.txt", "b.txt"):
        (talk / "invoices" / name).write_text(name)
    top = await asked(notochord, talk, "files.list", path="workspace:")
    assert [entry["name"] for entry in top] == ["invoices"]
    listed = await asked(notochord, talk, "files.list", path="workspace:invoices")
    texts = [await asked(notochord, talk, "files.read", path=f"workspace:invoices/{one['name']}") for one in listed]
    assert texts == ["a.txt", "b.txt"]


@pytest.mark.req("PERM-091")
async def test_a_path_reaches_the_tool_as_the_text_that_the_ai_wrote(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    await install(notochord, packages)
    for path in ("invoices/a.txt", "workspace:a", "/etc/passwd"):
        assert await notochord.service.call("greeter", "greet", {"who": path}, talk, Cause()) == {
            "input": {"who": path}
        }


@pytest.mark.req("PERM-073", "PERM-074", "PERM-088")
async def test_a_run_may_leave_files_of_any_name_and_kind_and_another_gem_finds_them(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    async def leave(_: Json, host: Host) -> Json:
        await host.answer(HostRequest("files.write", {"path": "result.xyz"}, b"42"))
        return "done"

    await install(notochord, packages)
    await install(notochord, packages, id="reader")
    notochord.sandbox.tools["tools/greet.ts"] = leave
    left: Any = await notochord.service.call("greeter", "greet", {}, talk, Cause("talk"))
    assert await asked(notochord, talk, "files.read", "reader", path=f"workspace:{left['folder']}/result.xyz") == "42"


@pytest.mark.req("TOOL-084")
async def test_a_tool_that_says_it_reads_may_write_and_nobody_stops_it(
    notochord: Platform, packages: PackageMaker, session: Session, talk: Path
) -> None:
    await install(notochord, packages, tools=[tool(sideEffect="read")])
    (found,) = await notochord.service.provider.searchable(session)
    assert found.side_effect == "read"
    await asked(notochord, talk, "storage.kv.set", key="a", value="1")
    assert await asked(notochord, talk, "storage.kv.get", key="a") == "1"


@pytest.mark.req("AGENT-050", "MODEL-115")
@pytest.mark.parametrize(
    ("model", "can", "cannot"),
    [
        ("gpt-4o", "image_input", "image_output"),
        ("openai/gpt-4o-audio-preview", "audio_output", "video_input"),
        ("gpt-image-1", "image_output", "audio_output"),
        ("gemini-2.5-pro", "video_input", "image_output"),
        ("gemini-2.5-flash-image", "image_output", "audio_input"),
        ("whisper-1", "audio_input", "image_input"),
        ("veo-3", "video_output", "audio_input"),
        ("claude-sonnet-4-5", "image_input", "audio_input"),
    ],
)
def test_the_bundled_list_knows_what_common_models_can_do(model: str, can: str, cannot: str) -> None:
    found = CapabilityList.bundled().of(model)
    assert (found.known, found.can(can), found.can(cannot)) == (True, True, False)


@pytest.mark.req("AGENT-039")
def test_the_built_in_roles_are_four() -> None:
    assert list(BUILT_IN) == ["chat", "vision", "deep", "local"]


@pytest.mark.req("AGENT-055", "MODEL-120")
async def test_what_an_agent_requires_never_keeps_its_gem_from_being_installed(
    notochord: Platform, packages: PackageMaker
) -> None:
    notochord.models.role_models = dict.fromkeys(notochord.models.role_models)
    header = AGENT.replace("expose", "models: {main: {requires: [video_output]}}\nexpose")
    await install(notochord, packages, {"agents/host.md": header})
    assert (await notochord.service.get("greeter")).agents[0].requires == ("video_output",)


EVERYTHING: Mapping[str, tuple[dict[str, Any], Mapping[str, str]]] = {
    "tools": ({"tools": [tool()]}, FILES),
    "agents": ({}, {"agents/host.md": AGENT}),
    "sops": ({"workflows": [sop()]}, {"workflows/digest.js": "export default async (input, ctx) => 1;\n"}),
    "subscriptions": ({"workflows": [sop(trigger=MAIL)]}, {"workflows/digest.js": "export default () => 1;\n"}),
    "pages": (
        {"pages": [{"name": "board", "title": "Board", "entry": "pages/board.html"}]},
        {"pages/board.html": "<p>"},
    ),
    "skill": ({}, SKILL),
    "docs": ({}, DOCS),
    "data": ({"data": NOTES}, {}),
}


def parts_of(dossier: Dossier) -> set[str]:
    """Return which of EVERYTHING the owner of a gem is told of."""
    gem = dossier.gem
    told = {
        "tools": gem.tools, "agents": gem.agents, "sops": dossier.procedures, "pages": dossier.pages,
        "subscriptions": [one for one in dossier.procedures if one.trigger == "event"],
        "skill": gem.has_skill, "docs": dossier.documents,
    }  # fmt: skip
    return {name for name, found in told.items() if found}


@pytest.mark.req("GEMUI-001", "GEMUI-002", "GEM-009")
@pytest.mark.parametrize("missing", ["", *EVERYTHING])
async def test_a_gem_has_a_manifest_and_any_of_the_other_parts(
    notochord: Platform, packages: PackageMaker, missing: str
) -> None:
    content, files = manifest(tools=[]), dict[str, str]()
    for name, (declared, more) in EVERYTHING.items():
        if name != missing:
            content |= declared
            files |= more
    await notochord.service.install(packages.make(content, files))
    found = parts_of(await notochord.service.dossiers.get("greeter"))
    lost = {missing} if missing != "sops" else set()  # what starts by itself is an SOP as well
    assert found == set(EVERYTHING) - {"data"} - lost
    overview = await (await notochord.service.data("greeter")).overview()
    assert [one.name for one in overview.collections] == ([] if missing == "data" else ["items"])


@pytest.mark.req("GEM-009", "SOP-148")
async def test_what_a_gem_hears_of_by_itself_is_told_with_its_sop(notochord: Platform, packages: PackageMaker) -> None:
    declared, files = EVERYTHING["subscriptions"]
    await install(notochord, packages, dict(files), **declared)
    (found,) = (await notochord.service.dossiers.get("greeter")).procedures
    assert (found.trigger, found.when) == ("event", "email.onNewMessage")


@pytest.mark.req("GEMUI-005")
async def test_storage_files_and_extraction_need_no_permission_and_all_else_does(
    notochord: Platform, packages: PackageMaker, talk: Path
) -> None:
    switches = {"network": True, "llm": True, "knowledge": True, "email": {"read": True}}
    asked_for = {
        "network": {"hosts": ["api.example.com"], "reason": "Asks."}, "providers": {"llm": True},
        "knowledge": {"permissions": ["collections.read:diary"]}, "email": {"read": True},
        "connections": [{"id": "service", "reason": "Asks."}],
    }  # fmt: skip
    free = {"files", "storage.kv", "storage.sql", "data", "extract"}
    await install(notochord, packages)
    await notochord.service.call("greeter", "greet", {}, talk, Cause("talk"))
    assert set(notochord.sandbox.calls[-1].namespaces) == free
    assert await code_of(notochord.service.choose_connection("greeter", "service", "conn")) is Code.NOT_FOUND
    await install(notochord, packages, version="1.1.0", tools=[tool(permissions=switches)], permissions=asked_for)
    await notochord.service.call("greeter", "greet", {}, talk, Cause("talk"))
    assert set(notochord.sandbox.calls[-1].namespaces) - free == {"http", "llm", "knowledge", "email"}
    await notochord.service.choose_connection("greeter", "service", "conn")


@pytest.mark.req("PERM-140")
async def test_a_blob_opens_with_the_key_of_its_gem_and_with_no_other(
    notochord: Platform, packages: PackageMaker
) -> None:
    for gem in ("greeter", "other"):
        await install(notochord, packages, id=gem)
        await notochord.service.data(gem)
    store, caller = await notochord.service.data("greeter"), Caller(Actor.GEM, "greeter", Cause())
    blob = await store.blobs.put(b"canary", caller)
    folder = notochord.folder.gem_store("greeter") / "blobs"
    (file,) = folder.iterdir()
    mine, others = (BlobFiles(folder, notochord.vault.keys[f"gem:{gem}"], os.urandom) for gem in ("greeter", "other"))
    assert mine.read(blob.hash) == b"canary"
    others.save(blob.hash, b"canary")
    (foreign,) = [one for one in folder.iterdir() if one != file]
    assert others.read(blob.hash) == b"canary"
    foreign.write_bytes(file.read_bytes())
    with pytest.raises(NotochordError) as caught:
        others.read(blob.hash)
    assert caught.value.code is Code.STORE_DAMAGED


@pytest.mark.req("AGENT-040")
def test_the_role_local_is_meant_for_models_on_this_computer() -> None:
    assert "on this computer" in BUILT_IN["local"]
