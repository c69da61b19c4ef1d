"""A draft's manifest becomes the package's, field by field, and places lead back to where the author wrote them."""

import json
from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.draft_manifest import place_in_draft, to_package
from notochord.services.gems.packing import assemble
from support.drafts import draft_manifest, export, written_draft
from support.workshops import made_workshop

NETWORK = {"hosts": ["api.example.com"], "reason": "Weather"}


def packed(folder: Path, content: dict[str, Any], files: dict[str, str] | None = None) -> dict[str, Any]:
    manifest: dict[str, Any] = dict(assemble(written_draft(folder, content, files)).manifest)
    return manifest


@pytest.mark.req("STUDIO-018", "STUDIO-019", "STUDIO-020", "STUDIO-061")
def test_exports_become_tools_and_the_rest_stays(tmp_path: Path) -> None:
    manifest = packed(tmp_path, draft_manifest())
    assert manifest["description"] == "Greets people."
    assert [entry["name"] for entry in manifest["tools"]] == ["greet"]
    assert "exports" not in manifest
    assert list(manifest["integrity"]["files"]) == ["tools/greet.ts"]


@pytest.mark.req("STUDIO-031", "STUDIO-063", "DATA-395")
def test_fields_of_a_tool_are_renamed(tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"side_effect": {"type": "string"}}}
    entry = export(side_effect="read", input_schema=schema, output_schema={"type": "object"})
    tool = packed(tmp_path, draft_manifest(exports=[entry]))["tools"][0]
    assert (tool["sideEffect"], tool["inputSchema"], tool["outputSchema"]) == ("read", schema, {"type": "object"})
    assert not {"kind", "side_effect", "input_schema", "output_schema"} & tool.keys()


@pytest.mark.req("STUDIO-021", "STUDIO-062", "STUDIO-064")
def test_an_sop_becomes_a_workflow_with_its_trigger() -> None:
    trigger = {"type": "cron", "expr": "0 8 * * *", "args": {}}
    sop = export("digest", kind="sop", entry="workflows/digest.js", trigger=trigger)
    manifest: Any = to_package(draft_manifest(exports=[export(), sop]))
    assert [entry["name"] for entry in manifest["tools"]] == ["greet"]
    assert [(entry["name"], entry["trigger"]) for entry in manifest["workflows"]] == [("digest", trigger)]


@pytest.mark.req("STUDIO-022", "STUDIO-023", "STUDIO-066")
def test_a_draft_may_be_its_one_tool_itself(tmp_path: Path) -> None:
    short = {**draft_manifest(name="rate"), "kind": "tool", "entry": "tools/greet.ts"}
    del short["exports"]
    manifest = packed(tmp_path, short)
    assert (manifest["name"], manifest["description"]) == ("rate", "Greets people.")
    assert [(tool["name"], tool["description"], tool["entry"]) for tool in manifest["tools"]] == [
        ("rate", "Greets people.", "tools/greet.ts")
    ]


@pytest.mark.req("STUDIO-032")
def test_the_local_network_is_spelled_as_the_package_spells_it(tmp_path: Path) -> None:
    manifest = packed(tmp_path, draft_manifest(network={**NETWORK, "allow_local_network": True}))
    assert manifest["permissions"]["network"] == {**NETWORK, "allowLocalNetwork": True}


@pytest.mark.req("STUDIO-027", "STUDIO-028", "STUDIO-065", "STUDIO-067")
def test_a_tool_without_a_list_gets_all_that_the_gem_asks_for() -> None:
    knowledge = {"permissions": ["facts.read:self:pref.food.*"]}
    manifest: Any = to_package(draft_manifest(network=NETWORK, knowledge=knowledge, email=True, llm=True))
    assert manifest["permissions"] == {
        "network": NETWORK,
        "providers": {"llm": True},
        "knowledge": knowledge,
        "email": {"read": True},
    }
    assert manifest["tools"][0]["permissions"] == {
        "network": True,
        "llm": True,
        "knowledge": True,
        "email": {"read": True},
    }


@pytest.mark.req("STUDIO-029")
def test_a_tool_with_a_list_gets_only_that() -> None:
    entries = [export(permissions=["network"]), export("quiet", permissions=[])]
    manifest: Any = to_package(draft_manifest(network=NETWORK, email=True, exports=entries))
    assert [tool.get("permissions") for tool in manifest["tools"]] == [{"network": True}, None]


@pytest.mark.req("STUDIO-034", "STUDIO-036")
@pytest.mark.parametrize("field", ["data", "resources"])
def test_what_is_written_the_same_in_both_is_taken_over(field: str) -> None:
    value: Any = {"collections": {}} if field == "data" else [{"id": "model"}]
    assert to_package(draft_manifest(**{field: value}))[field] == value


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("tools.0.description", "exports.1.description"),
        ("tools.greet.inputSchema", "exports.1.input_schema"),
        ("tools.greet.inputSchema.properties.sideEffect", "exports.1.input_schema.properties.sideEffect"),
        ("workflows.digest.entry", "exports.0.entry"),
        ("permissions.network.allowLocalNetwork", "network.allow_local_network"),
        ("permissions.providers.llm", "llm"),
        ("author.publisherId", "author.publisherId"),
        ("skill/SKILL.md", "skill/SKILL.md"),
    ],
)
def test_a_place_in_the_package_leads_back_to_the_draft(path: str, place: str) -> None:
    sop = export("digest", kind="sop", entry="workflows/digest.js")
    assert place_in_draft(path, draft_manifest(exports=[sop, export()])) == place


@pytest.mark.req("DOCS-005", "PKG-005", "PKG-006", "PKG-007")
def test_tests_history_and_pictures_of_the_docs_stay_out_of_the_package(tmp_path: Path) -> None:
    files = {
        "docs/README.en.md": "# Greeter",
        "docs/picture.png": "x",
        "tests/greet.test.ts": "export {};",
        ".git/config": "x",
        ".notochord/notochord.d.ts": "x",
        "SIGNATURE.json": "{}",
    }
    manifest = packed(tmp_path, draft_manifest(), files)
    assert list(manifest["integrity"]["files"]) == ["docs/README.en.md", "tools/greet.ts"]
    assert manifest["agents"] == []


def test_the_schemas_of_both_manifests_share_their_forms() -> None:
    folder = Path(__file__).parents[3] / "resources" / "schemas"
    package, draft = (
        json.loads((folder / f"{name}.schema.json").read_text(encoding="utf-8"))["$defs"]
        for name in ("notochord", "manifest")
    )
    shared = package.keys() & draft.keys()
    assert {"id", "version", "item", "line", "text", "address", "slot"} <= shared
    assert {name for name in shared if package[name] != draft[name]} == set()


EVERYTHING = draft_manifest(
    license="MIT",
    network={**NETWORK, "allow_local_network": True},
    llm=True,
    connections=[{"id": "crm", "reason": "Customers"}],
    exports=[
        export(side_effect="read", input_schema={"type": "object", "properties": {}}, output_schema=True, expose=True),
        export("quiet", permissions=[]),
        export("online", permissions=["network"]),
    ],
)


@pytest.mark.req("STUDIO-077")
@pytest.mark.parametrize("content", [draft_manifest(), EVERYTHING, draft_manifest(exports=[], llm=True)])
async def test_a_package_opens_as_a_draft_that_packs_to_the_same_content(tmp_path: Path, content: Any) -> None:
    files = {"docs/README.en.md": "# A", "skill/SKILL.md": "s", "lib/汉.ts": "x"}
    workshop = made_workshop()
    first = await workshop.pack(written_draft(tmp_path / "draft", content, files), tmp_path / "a.gem")
    await workshop.open_package(first.package, tmp_path / "opened")
    assert await workshop.check(tmp_path / "opened") == []
    second = assemble(tmp_path / "opened")
    before = assemble(tmp_path / "draft")
    assert (second.manifest, second.files) == (before.manifest, before.files)


async def test_what_is_no_package_opens_as_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.gem").write_bytes(b"PK no")
    with pytest.raises(NotochordError) as refused:
        await made_workshop().open_package(tmp_path / "a.gem", tmp_path / "opened")
    assert refused.value.code is Code.PACKAGE_INVALID
    assert not (tmp_path / "opened").exists()


async def test_a_package_is_never_opened_over_files(tmp_path: Path) -> None:
    packed = await made_workshop().pack(written_draft(tmp_path / "draft"), tmp_path / "a.gem")
    with pytest.raises(NotochordError) as refused:
        await made_workshop().open_package(packed.package, tmp_path / "draft")
    assert refused.value.code is Code.FILE_EXISTS
