"""The manifest and its declarations: what is accepted, and what an author is told about the rest."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.checks import finish, open_package
from support.gems import FAULTS, FILES, TRUSTED, PackageMaker, manifest, rezipped, tool

NETWORK = {"hosts": ["api.example.com"], "reason": "Weather"}


def problem(folder: Path, content: dict[str, Any], files: dict[str, str] | None = None) -> tuple[Code | None, str]:
    """Return how the six checks end for a gem: (None, "") when they pass."""
    package = PackageMaker(folder / "made").make(content, {**FILES, **(files or {})}, key=None)
    scratch = folder / "scratch"
    scratch.mkdir()
    try:
        finish(open_package(package, scratch, TRUSTED), None, FAULTS, allow_unsigned=True)
    except NotochordError as error:
        return error.code, error.detail
    return None, ""


def without(field: str) -> dict[str, Any]:
    return {name: value for name, value in manifest().items() if name != field}


def tools(*entries: dict[str, Any]) -> dict[str, Any]:
    return manifest(tools=list(entries))


def network(**changes: Any) -> dict[str, Any]:
    return manifest(permissions={"network": {**NETWORK, **changes}})


@pytest.mark.req("GEM-001", "MAN-028", "MAN-031", "MAN-033")
@pytest.mark.parametrize(
    ("content", "files"),
    [
        (manifest(), {}),
        (without("tools"), {}),
        (manifest(tools=[]), {"skill/SKILL.md": "text"}),
        (manifest(license="MIT", author={"name": "A", "publisherId": "a", "url": "https://a.example"}), {}),
        (manifest(workflows=[], resources=[], agents_note=None) | {}, {}),
        (tools(tool(sideEffect="read", permissions={}, outputSchema={}, expose=False)), {}),
        (network(hosts=["api.example.com:8443", "xn--bcher-kva.example"]), {}),
        (network(hosts=[], allowLocalNetwork=True), {}),
        (network(hosts=["127.0.0.1", "localhost", "[::1]:8080"], allowLocalNetwork=True), {}),
        (manifest(permissions={"providers": {"llm": True}}), {}),
        (manifest(permissions={"connections": [{"id": "crm", "reason": "Your customers"}]}), {}),
        (manifest(id="a.b-c", version="1.0.0-rc.1+build.5", description="汉" * 200), {}),
        (manifest(), {"docs/README.en.md": "# Hi", "docs/examples/a.en.md": "x"}),
    ],
    ids=lambda value: None,
)
def test_these_are_accepted(tmp_path: Path, content: dict[str, Any], files: dict[str, str]) -> None:
    content = {name: value for name, value in content.items() if name != "agents_note"}
    assert problem(tmp_path, content, files) == (None, "")


@pytest.mark.req("MAN-001", "PKG-023", "PKG-049")
@pytest.mark.parametrize(
    ("content", "named"),
    [
        (manifest(extra=1), "extra"),
        (manifest(author={"name": "A", "publisherId": "a", "mail": "x"}), "mail"),
        (tools(tool(timeout=5)), "timeout"),
        (tools(tool(maxTurns=5)), "maxTurns"),
        (manifest(maxCostUsd=5), "maxCostUsd"),
        (manifest(permissions={"files": []}), "files"),
        (manifest(permissions={"storage": True}), "storage"),
        (network(wild=True), "wild"),
        (manifest(permissions={"providers": {"llm": True, "images": True}}), "images"),
        (manifest(permissions={"connections": [{"id": "a", "reason": "r", "scope": "x"}]}), "scope"),
        (tools(tool(permissions={"files": True})), "files"),
    ],
)
def test_an_unknown_field_anywhere_is_refused_by_name(tmp_path: Path, content: dict[str, Any], named: str) -> None:
    code, detail = problem(tmp_path, content)
    assert code is Code.PERM_INVALID
    assert detail.startswith("notochord.json failed schema validation: ")
    assert named in detail


@pytest.mark.req("MAN-006", "MAN-019", "MAN-024", "MAN-026")
@pytest.mark.parametrize("field", ["id", "name", "version", "author", "description"])
def test_a_missing_field_is_named(tmp_path: Path, field: str) -> None:
    code, detail = problem(tmp_path, without(field))
    assert (code, field in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("MAN-007", "MAN-019", "MAN-024", "MAN-025")
@pytest.mark.parametrize("field", ["name", "entry", "description", "inputSchema"])
def test_a_missing_field_of_a_tool_is_named(tmp_path: Path, field: str) -> None:
    entry = {name: value for name, value in tool().items() if name != field}
    code, detail = problem(tmp_path, tools(entry))
    assert (code, field in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("MAN-010", "MAN-014", "MAN-016", "MAN-017")
@pytest.mark.parametrize("text", ["", " \n\t", "x" * 201, "汉" * 201])
def test_a_description_of_the_gem_is_neither_empty_nor_over_200_characters(tmp_path: Path, text: str) -> None:
    code, detail = problem(tmp_path, manifest(description=text))
    assert (code, "description" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("MAN-011", "GEM-090", "GEM-091")
@pytest.mark.parametrize(
    ("length", "exposed", "accepted"), [(512, False, True), (513, False, False), (200, True, True), (201, True, False)]
)
def test_a_description_of_a_tool_has_512_characters_or_200_if_exposed(
    tmp_path: Path, length: int, exposed: bool, accepted: bool
) -> None:
    code, _ = problem(tmp_path, tools(tool(description="汉" * length, expose=exposed)))
    assert (code is None) is accepted


@pytest.mark.req("MAN-020", "MAN-021", "MAN-022")
@pytest.mark.parametrize("name", ["Greet", "1greet", "gre-et", "gre et", "", "g" * 65, "größe", "greet\n", "_g"])
def test_a_tool_name_is_lowercase_letters_digits_and_underscores(tmp_path: Path, name: str) -> None:
    assert problem(tmp_path, tools(tool(name)))[0] is Code.PERM_INVALID


@pytest.mark.req("PKG-024")
@pytest.mark.parametrize(
    "identifier", ["draft-test.a", "A", "a_b", "a..b", "-a", "a/b", "../a", "a\n", "a" * 129, "con", "nul.x", ""]
)
def test_an_id_that_cannot_name_a_gem_is_refused(tmp_path: Path, identifier: str) -> None:
    code, detail = problem(tmp_path, manifest(id=identifier))
    assert (code, "id" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.parametrize("version", ["1", "1.0", "01.0.0", "1.0.0-", "v1.0.0", "1.0.0\n", "1.0.0-01", "1.0.0/../x"])
def test_a_version_is_semantic(tmp_path: Path, version: str) -> None:
    assert problem(tmp_path, manifest(version=version))[0] is Code.PERM_INVALID


@pytest.mark.req("GEM-087", "GEM-088", "GEM-093")
def test_at_most_five_items_are_exposed_and_no_two_share_a_name(tmp_path: Path) -> None:
    for folder in ("five", "six", "twice"):
        (tmp_path / folder).mkdir()
    five = [tool(f"t{number}") for number in range(5)]
    assert problem(tmp_path / "five", tools(*five, tool("inner", expose=False))) == (None, "")
    for folder, entries in (("six", [*five, tool("t5")]), ("twice", [tool(), tool(expose=False)])):
        code, detail = problem(tmp_path / folder, tools(*entries))
        assert (code, detail.startswith("expose:")) == (Code.PERM_INVALID, True)


@pytest.mark.parametrize("entry", ["tools/none.ts", "tools/greet.py", "../greet.ts", "tools"])
def test_an_entry_is_a_module_of_the_package(tmp_path: Path, entry: str) -> None:
    files = {"tools/greet.py": ""}
    code, detail = problem(tmp_path, tools(tool(entry=entry)), files)
    assert (code, "entry" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("PERM-018", "PERM-019", "PERM-020", "PERM-023")
@pytest.mark.parametrize(
    "host",
    [
        "https://api.example.com",
        "api.example.com/path",
        "*.example.com",
        "bücher.example",
        "user@example.com",
        "a b",
        "-a.example",
        "a..example",
        "example.com:0",
        "example.com:99999",
        "example.com:port",
        "x?y",
    ],
)
def test_a_host_is_a_bare_name(tmp_path: Path, host: str) -> None:
    code, detail = problem(tmp_path, network(hosts=[host]))
    assert (code, "hosts" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("PERM-024", "PERM-025", "PERM-027")
@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1",
        "8.8.8.8",
        "::1",
        "[::1]",
        "[::1]:80",
        "localhost",
        "LOCALHOST.",
        "2130706433",
        "0x7f.1",
        "a.localhost",
    ],
)
def test_addresses_and_localhost_need_the_local_network(tmp_path: Path, host: str) -> None:
    for folder in ("closed", "open"):
        (tmp_path / folder).mkdir()
    assert problem(tmp_path / "closed", network(hosts=[host]))[0] is Code.PERM_INVALID
    assert problem(tmp_path / "open", network(hosts=[host], allowLocalNetwork=True)) == (None, "")


@pytest.mark.req("PERM-001", "PERM-017", "PERM-028", "PERM-029")
@pytest.mark.parametrize(
    "content",
    [
        manifest(permissions={"network": {"hosts": ["a.example"]}}),
        manifest(permissions={"network": {"reason": "r"}}),
        network(hosts=[]),
        network(reason=" "),
        network(hosts="a.example"),
        tools(tool(permissions={"network": True})),
    ],
)
def test_the_network_permission_has_hosts_and_a_reason_and_is_the_gems_first(
    tmp_path: Path, content: dict[str, Any]
) -> None:
    code, detail = problem(tmp_path, content)
    assert (code, "network" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("SKILL-006", "SKILL-010", "SKILL-011", "SKILL-012")
@pytest.mark.parametrize(
    "files",
    [
        {"skill/SKILL.md": "x" * 65_537},
        {"skill/SKILL.md": "x", "skill/references/a.md": "x" * 65_537},
        {"skill/SKILL.md": "x", "skill/references/a.js": "x"},
        {"skill/SKILL.md": "x", "skill/references/a.py": "x"},
        {"skill/SKILL.md": "x", "skill/references/a": "x"},
    ],
)
def test_skill_files_are_short_texts(tmp_path: Path, files: dict[str, str]) -> None:
    code, detail = problem(tmp_path, manifest(), files)
    assert (code, "skill/" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("SKILL-013", "SKILL-014", "SKILL-015")
@pytest.mark.parametrize(
    "files",
    [
        {"skill/references/a.md": "x"},
        {"skill/SKILL.md": "x", "skill/more.md": "x"},
        {"skill/SKILL.md": "x", "skill/other/a.md": "x"},
    ],
)
def test_a_skill_holds_only_its_text_and_its_references(tmp_path: Path, files: dict[str, str]) -> None:
    assert problem(tmp_path, manifest(), files)[0] is Code.PERM_INVALID


@pytest.mark.req("SKILL-007", "SKILL-009", "SKILL-017", "SKILL-018")
def test_a_gem_may_be_a_skill_alone(tmp_path: Path) -> None:
    endings = ["md", "txt", "json", "jsonl", "csv", "tsv", "yaml", "yml", "XML"]
    references = {f"skill/references/deep/er/a.{ending}": "x" for ending in endings}
    files = {"skill/SKILL.md": "See skill/references/none.md" + "x" * 65_000, **references}
    assert problem(tmp_path, manifest(tools=[]), files) == (None, "")


@pytest.mark.req("DOCS-004", "DOCS-007", "DOCS-008")
@pytest.mark.parametrize("path", ["docs/a.png", "docs/a.html", "docs/deep/a.txt", "docs/a"])
def test_docs_hold_only_markdown(tmp_path: Path, path: str) -> None:
    code, detail = problem(tmp_path, manifest(), {path: "x"})
    assert (code, path in detail) == (Code.PERM_INVALID, True)


@pytest.mark.parametrize("number", ["1e999", "-1e999", "9007199254740993"])
def test_a_number_that_cannot_be_kept_exactly_is_refused(tmp_path: Path, number: str) -> None:
    package = PackageMaker(tmp_path / "made").make(tools(tool(inputSchema={"default": 12345})), key=None)

    def change(files: dict[str, bytes]) -> None:
        files["notochord.json"] = files["notochord.json"].replace(b"12345", number.encode())

    package.write_bytes(rezipped(package.read_bytes(), change))
    (tmp_path / "scratch").mkdir()
    with pytest.raises(NotochordError, match="too large") as caught:
        open_package(package, tmp_path / "scratch", TRUSTED)
    assert caught.value.code is Code.PERM_INVALID


def test_all_faults_are_told_a_line_each(tmp_path: Path) -> None:
    _, detail = problem(tmp_path, manifest(extra=1, version="x", description=""))
    assert len(detail.splitlines()) == 3
