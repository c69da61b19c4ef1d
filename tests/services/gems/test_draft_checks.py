"""An author is told everything that is wrong with a draft at once: code, place in the manifest, and what to do."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.sentences import LANGUAGES, Sentences
from notochord.services.gem_authoring.api import Problem
from notochord.services.gems import __path__ as sources
from notochord.services.gems.checks import finish, open_package
from notochord.services.gems.packing import assemble, pack
from support.drafts import draft_manifest, export, written_draft
from support.gems import FAULTS, TRUSTED
from support.workshops import checked_draft

REFERENCES = "skill/references"
LIST = "exports.0.permissions"
SHOWN = "exports.0.description"
AGENT = "---\ndescription: Helps.\n---\nYou help."


def found(folder: Path, content: Any = None, files: dict[str, str] | None = None) -> list[tuple[str, str]]:
    """Return place and kind of each problem of a draft."""
    return [(one.path, one.kind) for one in checked_draft(written_draft(folder, content, files))]


def told(problem: Problem, language: str) -> str:
    return Sentences.load(language).sentence(f"problem.{problem.kind}", **problem.parameters)


def test_a_sound_draft_has_no_problems(tmp_path: Path) -> None:
    assert found(tmp_path, draft_manifest(network={"hosts": ["a.example"], "reason": "r"})) == []


@pytest.mark.req("MAN-001", "STUDIO-024")
def test_all_problems_are_told_at_once_in_the_words_of_the_draft(tmp_path: Path) -> None:
    content = draft_manifest(
        id="Not An Id",
        description="x" * 201,
        colour="red",
        exports=[
            export(side_effect="none"),
            export("Bad", entry=""),
            export("lost", entry="tools/lost.ts", input_schema={"type": "object", "uniqueItems": True}),
        ],
        network={"hosts": ["https://a.example"], "reason": "r", "allow_local_network": False},
    )
    assert set(found(tmp_path, content, {"skill/notes.txt": "x"})) == {
        ("", "unknown_field"),
        ("id", "form_id"),
        ("description", "too_long"),
        ("exports.0.side_effect", "not_allowed"),
        ("exports.1.name", "form_item"),
        ("exports.1.entry", "empty"),
        ("exports.2.entry", "entry"),
        ("exports.2.input_schema", "input_schema"),
        ("network.hosts", "host"),
        ("skill/", "skill_missing"),
        ("skill/notes.txt", "skill_only"),
    }


@pytest.mark.parametrize("field", ["id", "name", "version", "author", "description"])
def test_a_missing_field_is_named_and_the_rest_is_looked_at_too(tmp_path: Path, field: str) -> None:
    content = {name: value for name, value in draft_manifest(exports=[export(entry="no.ts")]).items() if name != field}
    problems = checked_draft(written_draft(tmp_path, content))
    assert [(one.kind, one.parameters.get("field")) for one in problems] == [("missing_field", field), ("entry", None)]


@pytest.mark.parametrize(
    ("content", "files", "expected"),
    [
        (draft_manifest(agents=[]), {}, ("agents", "generated_part")),
        (draft_manifest(integrity={}), {}, ("integrity", "generated_part")),
        (draft_manifest(entry="tools/greet.ts"), {}, ("exports", "short_form_mixed")),
        (draft_manifest(exports=[export(), export()]), {}, ("expose", "item_repeated")),
        (draft_manifest(exports=[export(permissions=["network"])]), {}, (LIST, "permission_undeclared")),
        (draft_manifest(exports=[export(permissions=["llm"])]), {}, (LIST, "permission_undeclared")),
        (draft_manifest(exports=[export(f"t{n}", expose=True) for n in range(6)]), {}, ("expose", "exposed_too_many")),
        (draft_manifest(exports=[export(description="汉" * 201, expose=True)]), {}, (SHOWN, "exposed_too_long")),
        (draft_manifest(id="draft-test.x"), {}, ("id", "id_reserved")),
        (draft_manifest(id="com1"), {}, ("id", "id_name")),
        (draft_manifest(network={"hosts": [], "reason": "r"}), {}, ("network.hosts", "hosts_empty")),
        (draft_manifest(exports=[export(permissions=["email"])]), {}, (LIST, "permission_undeclared")),
        (draft_manifest(exports=[export(permissions=["knowledge"])]), {}, (LIST, "permission_undeclared")),
        (draft_manifest(), {"skill/SKILL.md": "a", f"{REFERENCES}/a.py": "b"}, (f"{REFERENCES}/a.py", "skill_kind")),
        (draft_manifest(), {"notochord.json": "{}"}, ("notochord.json", "two_manifests")),
        (draft_manifest(), {"nul.txt": "x"}, ("nul.txt", "file_name")),
        (draft_manifest(), {"lib/a.ts": "x", "lib/A.ts": "y"}, ("lib/A.ts", "file_twice")),
        (draft_manifest(), {"pages/a.html": "x"}, ("pages/", "page_undeclared")),
    ],
)  # fmt: skip
def test_each_problem_has_its_place(
    tmp_path: Path, content: Any, files: dict[str, str], expected: tuple[str, str]
) -> None:
    problems = checked_draft(written_draft(tmp_path, content, files))
    found_kinds = [(one.path, one.kind) for one in problems]
    if expected[1] == "file_twice":
        assert [kind for _, kind in found_kinds] == ["file_twice"]
        return
    assert expected in found_kinds


@pytest.mark.parametrize("text", ["", "{", "[]", "{}}", '{"a": 1, "a": 2}', "null"])
def test_a_manifest_that_cannot_be_read_is_one_problem(tmp_path: Path, text: str) -> None:
    written_draft(tmp_path)
    (tmp_path / "manifest.json").write_text(text, encoding="utf-8")
    assert [(one.path, one.kind) for one in checked_draft(tmp_path)] == [("manifest.json", "no_json")]


def test_an_empty_manifest_lacks_all_that_is_required(tmp_path: Path) -> None:
    problems = checked_draft(written_draft(tmp_path, {}))
    assert {one.kind for one in problems} == {"missing_field"}
    assert {one.parameters["field"] for one in problems} == {"id", "name", "version", "author", "description"}


def test_a_folder_without_a_manifest_has_one_problem_and_a_file_is_no_draft(tmp_path: Path) -> None:
    assert [one.kind for one in checked_draft(tmp_path)] == ["no_manifest"]
    with pytest.raises(NotochordError) as refused:
        checked_draft(tmp_path / "none")
    assert refused.value.code is Code.FILE_MISSING


def test_a_link_is_a_problem_of_its_own_code(tmp_path: Path) -> None:
    written_draft(tmp_path)
    (tmp_path / "link").symlink_to("/etc/passwd")
    assert [(one.code, one.path, one.kind) for one in checked_draft(tmp_path)] == [
        (Code.PATH_TRAVERSAL, "link", "file_special")
    ]


@pytest.mark.req("AGENT-012", "AGENT-013", "PKG-038", "STUDIO-056")
@pytest.mark.parametrize(
    ("path", "text", "kind"),
    [
        ("agents/a.md", "You help.", "agent_header"),
        ("agents/a.md", "---\ntools: []\n---\nYou help.", "missing_field"),
        ("agents/a.md", "---\ndescription: Helps.\ncolour: red\n---\nYou help.", "agent_key"),
        ("agents/a.md", "---\ndescription: a: b\n---\nYou help.", "agent_yaml"),
        ("agents/a.md", "---\ndescription: &a x\ntools: [*a]\n---\nYou help.", "agent_yaml"),
        ("agents/a.md", "---\ndescription: 2026-01-01\n---\nYou help.", "agent_yaml"),
        ("agents/a.md", "---\ndescription: [x]\n---\nYou help.", "agent_value"),
        ("agents/a.md", "---\ndescription: Helps.\n---\n \n", "agent_body"),
        ("agents/a.md", "---\ndescription: Helps.\ntools: [none]\n---\nYou help.", "agent_tool"),
        ("agents/a.md", "---\ndescription: H.\nplatform_tools: [read_skill]\n---\nYou help.", "agent_platform_tool"),
        ("agents/a.md", "---\ndescription: H.\nplatform_tools: [gem.x.y]\n---\nYou help.", "agent_platform_tool"),
        ("agents/a.md", "---\ndescription: H.\nmodels: {main: {requires: [flying]}}\n---\nYou help.", "not_allowed"),
        ("agents/a.md", "---\ndescription: H.\nmodels: {main: {price: 1}}\n---\nYou help.", "unknown_field"),
        ("agents/deep/a.md", AGENT, "agent_folder"),
        ("agents/A.md", AGENT, "agent_name"),
        ("agents/greet.md", AGENT, "item_repeated"),
        ("agents/a.txt", "x", "agent_kind"),
    ],
)
def test_a_fault_of_an_agents_file_is_named(tmp_path: Path, path: str, text: str, kind: str) -> None:
    problems = checked_draft(written_draft(tmp_path, None, {path: text}))
    assert kind in {one.kind for one in problems}
    assert {one.code for one in problems} == {Code.PERM_INVALID}


@pytest.mark.req("AGENT-004", "AGENT-015", "AGENT-029", "AGENT-031")
def test_agents_are_generated_from_the_headers_of_their_files(tmp_path: Path) -> None:
    header = (
        'description: "Sorts: mail # and more"\ntools: [greet]\nplatform_tools: [fs.cat, http.request]\n'
        "models: {main: {requires: [image_input]}, small: }\nexpose: true"
    )
    files = {"agents/b.md": AGENT.replace("\n", "\r\n"), "agents/a.md": f"---\n{header}\n---\nYou sort.\n---\nmore"}
    assert assemble(written_draft(tmp_path, None, files)).manifest["agents"] == [
        {
            "name": "a",
            "entry": "agents/a.md",
            "description": "Sorts: mail # and more",
            "tools": ["greet"],
            "platformTools": ["fs.cat", "http.request"],
            "models": {"main": {"requires": ["image_input"]}, "small": {}},
            "expose": True,
        },
        {
            "name": "b",
            "entry": "agents/b.md",
            "description": "Helps.",
            "tools": [],
            "platformTools": [],
            "models": {},
            "expose": False,
        },
    ]


def test_each_problem_says_in_both_languages_what_to_do() -> None:
    named: set[str] = set()
    for file in Path(sources[0]).glob("*.py"):
        text = file.read_text(encoding="utf-8")
        named |= set(re.findall(r'problem\(\s*"([a-z_0-9]+)"', text))
        named |= set(re.findall(r'_refuse\([^"]*"[^"]*"[^"]*, "([a-z_]+)"', text)) | {"too_many_files"}
    for schema in (Path(__file__).parents[3] / "resources/schemas").glob("*.json"):
        named |= set(re.findall(r'"problem\.([a-z_]+)"', schema.read_text(encoding="utf-8")))
    named |= {"unknown_field", "missing_field", "other"} | set(
        re.findall(r'": "([a-z_]+)",\n', (Path(sources[0]) / "problems.py").read_text(encoding="utf-8"))
    )
    for language in LANGUAGES:
        texts = {key.removeprefix("problem.") for key in Sentences.load(language).texts if key.startswith("problem.")}
        assert named - texts == set()
    assert len(named) > 50


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_problem_is_told_with_its_parameters(tmp_path: Path, language: str) -> None:
    content = draft_manifest(colour="red", exports=[export(entry="no.ts")])
    texts = [told(one, language) for one in checked_draft(written_draft(tmp_path, content))]
    assert [("colour" in texts[0], "no.ts" in texts[1])] == [(True, True)]
    assert not any("…" in text for text in texts)


FIELDS = st.dictionaries(
    st.sampled_from([*draft_manifest(), "network", "llm", "connections", "data", "kind", "entry", "license", "x"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["name", "kind", "entry", "hosts", "reason", "id", ""]), inner, max_size=3
            )
        ),
        max_leaves=6,
    ),
    max_size=4,
)


@settings(max_examples=150)
@given(changes=FIELDS, dropped=st.sets(st.sampled_from(sorted(draft_manifest())), max_size=2))
def test_whatever_a_manifest_holds_the_check_ends_with_a_list(
    tmp_path_factory: pytest.TempPathFactory, changes: dict[str, Any], dropped: set[str]
) -> None:
    """A draft without problems is one that the six checks of an installation accept, and the other way round."""
    content = {name: value for name, value in draft_manifest(**changes).items() if name not in dropped}
    folder = tmp_path_factory.mktemp("draft")
    draft = written_draft(folder / "draft", content)
    problems = checked_draft(draft)
    json.dumps([[one.path, one.detail, dict(one.parameters)] for one in problems])
    if problems:
        return
    (folder / "package").write_bytes(pack(draft))
    (folder / "scratch").mkdir()
    opened = open_package(folder / "package", folder / "scratch", TRUSTED, allow_unsigned=True)
    assert finish(opened, None, FAULTS, allow_unsigned=True).manifest.id == content["id"]
