"""The agents of a package: generated from their files when it is packed, checked when it is installed."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.agent_declarations import PLATFORM_TOOLS, prompt_of, read_agents
from notochord.services.gems.checks import finish, open_package
from notochord.services.gems.draft_checks import check_draft
from notochord.services.gems.packing import pack
from notochord.services.gems.problems import refusal as refused
from support.gems import FAULTS, FILES, TRUSTED, PackageMaker, draft, manifest, rezipped, tool

AGENT = "---\ndescription: Helps.\n---\nYou help."


def agent(**header: Any) -> str:
    lines = [f"{name}: {json.dumps(value)}" for name, value in {"description": "Helps.", **header}.items()]
    return "\n".join(("---", *lines, "---", "You help."))


def refusal(work: Callable[[], object]) -> tuple[Code | None, str]:
    """Return how something ends: (None, "") when it is accepted."""
    try:
        work()
    except NotochordError as error:
        return error.code, error.detail
    return None, ""


def packed(folder: Path, files: dict[str, str], **changes: Any) -> bytes:
    """Check a draft and pack it, as its author would. Raises NotochordError."""
    source = draft(folder / "draft", manifest(**changes), {**FILES, **files})
    if problems := check_draft(source, FAULTS):
        raise refused(problems)
    return pack(source, key=None)


def agents_in(package: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    rezipped(package, lambda files: found.extend(json.loads(files["notochord.json"])["agents"]))
    return found


def installed(folder: Path, package: bytes) -> tuple[Code | None, str]:
    """Return how the six checks end for a package."""
    file, scratch = PackageMaker(folder / "made").keep(package), folder / "scratch"
    scratch.mkdir()
    return refusal(lambda: finish(open_package(file, scratch, TRUSTED), None, FAULTS, allow_unsigned=True))


def with_agents(package: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return a package whose first agent was changed by hand."""

    def rewrite(files: dict[str, bytes]) -> None:
        content = json.loads(files["notochord.json"])
        change(content["agents"][0])
        files["notochord.json"] = json.dumps(content).encode()

    return rezipped(package, rewrite)


FRAGMENTS = st.sampled_from((
    *("---\n", "description: Helps.\n", "tools: [", "]\n", "models: {main: ", "}\n", "expose: true\n", "&a ", "*a"),
    *("\n", "\r\n", ": ", "# ", "- ", "!!python/object:os.system ", "'", '"', "\ufeff", "\x00", "{" * 50, "2026-01-01"),
))  # fmt: skip


@given(content=st.one_of(st.lists(FRAGMENTS, max_size=20).map("".join).map(str.encode), st.binary(max_size=200)))
def test_whatever_stands_in_an_agents_file_is_an_agent_with_a_prompt_or_a_problem(content: bytes) -> None:
    agents, problems = read_agents({"agents/a.md": content})
    assert (len(agents), bool(problems)) in {(1, False), (0, True)}
    assert not agents or prompt_of(content.decode())


@pytest.mark.req("AGENT-001", "AGENT-002", "AGENT-030", "AGENT-027")
def test_each_file_becomes_an_agent_named_after_it(tmp_path: Path) -> None:
    package = packed(tmp_path, {"agents/tidy_up.md": AGENT, "agents/host.md": agent(expose=True)})
    shown = [(found["name"], found["entry"], found["expose"]) for found in agents_in(package)]
    assert shown == [("host", "agents/host.md", True), ("tidy_up", "agents/tidy_up.md", False)]
    assert installed(tmp_path, package) == (None, "")


@pytest.mark.req("AGENT-006", "AGENT-007", "AGENT-008")
@pytest.mark.parametrize("name", ["Host", "1host", "ho-st", "ho st", "h" * 65, "größe", "_h"])
def test_the_name_of_an_agent_is_lower_case_letters_digits_and_underscores(tmp_path: Path, name: str) -> None:
    code, detail = refusal(lambda: packed(tmp_path, {f"agents/{name}.md": AGENT}))
    assert (code, detail.startswith(f"agents/{name}.md")) == (Code.PERM_INVALID, True)


@pytest.mark.req("AGENT-009")
def test_an_agents_file_in_a_subfolder_is_refused(tmp_path: Path) -> None:
    code, detail = refusal(lambda: packed(tmp_path, {"agents/deep/host.md": AGENT}))
    assert (code, detail.startswith("agents/deep/host.md")) == (Code.PERM_INVALID, True)


@pytest.mark.req("AGENT-013", "MAN-009", "MAN-015")
def test_an_agent_without_a_description_is_refused_when_packed_and_when_installed(tmp_path: Path) -> None:
    code, detail = refusal(lambda: packed(tmp_path, {"agents/host.md": "---\ntools: []\n---\nYou help."}))
    assert (code, "description" in detail) == (Code.PERM_INVALID, True)
    package = with_agents(packed(tmp_path, {"agents/host.md": AGENT}), lambda found: found.pop("description"))
    assert installed(tmp_path, package)[0] is Code.PERM_INVALID


@pytest.mark.req("AGENT-019", "AGENT-020", "AGENT-021", "AGENT-022")
@pytest.mark.parametrize("name", ["tool_search", "read_skill", "agent.spawn_child", "search_gem_catalog"])
def test_no_agent_asks_for_tools_that_find_or_start_others(tmp_path: Path, name: str) -> None:
    code, detail = refusal(lambda: packed(tmp_path, {"agents/host.md": agent(platform_tools=[name])}))
    assert (code, name in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("AGENT-023", "PKG-037", "PKG-050")
@pytest.mark.parametrize("name", ["gem.other.tool", "gem.greeter.greet", "agent.delegate", "browser.fly", "fs"])
def test_a_tool_of_a_gem_or_one_that_there_is_not_is_refused_when_packed_and_when_installed(
    tmp_path: Path, name: str
) -> None:
    code, detail = refusal(lambda: packed(tmp_path, {"agents/host.md": agent(platform_tools=[name])}))
    assert (code, name in detail) == (Code.PERM_INVALID, True)
    package = with_agents(packed(tmp_path, {"agents/host.md": AGENT}), lambda found: found.update(platformTools=[name]))
    code, detail = installed(tmp_path, package)
    assert (code, name in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("AGENT-017", "AGENT-031")
def test_all_tools_of_the_program_that_there_are_may_be_asked_for(tmp_path: Path) -> None:
    names = sorted(PLATFORM_TOOLS)
    package = packed(tmp_path, {"agents/host.md": agent(platform_tools=names)})
    assert agents_in(package)[0]["platformTools"] == names
    assert installed(tmp_path, package) == (None, "")


@pytest.mark.req("PKG-038", "AGENT-016")
def test_a_tool_that_an_agent_names_has_to_be_one_of_the_gem(tmp_path: Path) -> None:
    assert installed(tmp_path, packed(tmp_path, {"agents/host.md": agent(tools=["greet"])})) == (None, "")
    code, detail = refusal(lambda: packed(tmp_path, {"agents/host.md": agent(tools=["sing"])}))
    assert (code, "sing" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("PKG-038")
def test_an_installed_package_is_held_to_the_same_whatever_its_file_says(tmp_path: Path) -> None:
    package = with_agents(packed(tmp_path, {"agents/host.md": AGENT}), lambda found: found.update(tools=["sing"]))
    code, detail = installed(tmp_path, package)
    assert (code, "sing" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("AGENT-024", "AGENT-025", "AGENT-026", "AGENT-042")
@pytest.mark.parametrize(
    ("models", "accepted"),
    [
        ({}, True),
        ({"main": {}}, True),
        ({"main": {"requires": ["image_input"]}, "draw_er": {"requires": ["image_output"]}}, True),
        ({"main": None}, True),
        ({"main": {"model": "gpt-5"}}, False),
        ({"main": {"requires": ["image_input"], "provider": "openai"}}, False),
        ({"Main": {}}, False),
        ({"main": {"requires": "image_input"}}, False),
    ],
)
def test_models_are_names_with_what_they_require_and_nothing_else(
    tmp_path: Path, models: dict[str, Any], accepted: bool
) -> None:
    code, _ = refusal(lambda: packed(tmp_path, {"agents/host.md": agent(models=models)}))
    assert (code is None) is accepted


@pytest.mark.req("AGENT-043", "AGENT-044", "AGENT-045", "MODEL-114")
@pytest.mark.parametrize("ability", ["image_input", "audio_input", "video_input"])
def test_an_ability_that_may_be_required(tmp_path: Path, ability: str) -> None:
    package = packed(tmp_path, {"agents/host.md": agent(models={"main": {"requires": [ability]}})})
    assert agents_in(package)[0]["models"] == {"main": {"requires": [ability]}}
    assert installed(tmp_path, package) == (None, "")


@pytest.mark.req("AGENT-046", "AGENT-047", "AGENT-048", "MODEL-114")
@pytest.mark.parametrize("ability", ["image_output", "audio_output", "video_output"])
def test_another_ability_that_may_be_required(tmp_path: Path, ability: str) -> None:
    package = packed(tmp_path, {"agents/host.md": agent(models={"main": {"requires": [ability]}})})
    assert installed(tmp_path, package) == (None, "")


@pytest.mark.req("AGENT-049")
@pytest.mark.parametrize("ability", ["text", "tools", "image", "IMAGE_INPUT", ""])
def test_any_other_ability_keeps_a_package_from_being_installed(tmp_path: Path, ability: str) -> None:
    models = {"main": {"requires": [ability]}}
    assert refusal(lambda: packed(tmp_path, {"agents/host.md": agent(models=models)}))[0] is Code.PERM_INVALID
    package = with_agents(packed(tmp_path, {"agents/host.md": AGENT}), lambda found: found.update(models=models))
    assert installed(tmp_path, package)[0] is Code.PERM_INVALID


@pytest.mark.req("MAN-003", "MAN-004", "MAN-005")
@pytest.mark.parametrize("field", ["maxTurns", "maxCostUsd", "maxSteps"])
def test_an_agent_has_no_limit_of_its_own(tmp_path: Path, field: str) -> None:
    package = with_agents(packed(tmp_path, {"agents/host.md": AGENT}), lambda found: found.update({field: 5}))
    code, detail = installed(tmp_path, package)
    assert (code, field in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("MAN-013", "GEM-090", "GEM-091")
@pytest.mark.parametrize(
    ("length", "exposed", "accepted"), [(5_000, False, True), (200, True, True), (201, True, False)]
)
def test_a_description_of_an_agent_has_no_limit_unless_it_is_exposed(
    tmp_path: Path, length: int, exposed: bool, accepted: bool
) -> None:
    package = packed(tmp_path, {"agents/host.md": AGENT})
    changed = with_agents(package, lambda found: found.update(description="汉" * length, expose=exposed))
    assert (installed(tmp_path, changed)[0] is None) is accepted


@pytest.mark.req("GEM-087", "GEM-093")
def test_agents_count_among_the_exposed_and_share_names_with_tools(tmp_path: Path) -> None:
    five = [tool(f"t{number}") for number in range(5)]
    code, detail = refusal(lambda: packed(tmp_path / "six", {"agents/host.md": agent(expose=True)}, tools=five))
    assert (code, detail.startswith("expose:")) == (Code.PERM_INVALID, True)
    code, detail = refusal(lambda: packed(tmp_path / "twice", {"agents/greet.md": AGENT}))
    assert (code, detail.startswith("expose:")) == (Code.PERM_INVALID, True)


@pytest.mark.parametrize(
    "change", [{"entry": "agents/other.md"}, {"entry": "tools/greet.ts"}, {"name": "other"}], ids=str
)
def test_an_agent_of_a_package_has_a_file_of_its_name(tmp_path: Path, change: dict[str, str]) -> None:
    package = with_agents(packed(tmp_path, {"agents/host.md": AGENT}), lambda found: found.update(change))
    assert installed(tmp_path, package)[0] is Code.PERM_INVALID


def test_a_file_in_agents_that_the_manifest_does_not_know_is_refused(tmp_path: Path) -> None:
    def forget(files: dict[str, bytes]) -> None:
        content = json.loads(files["notochord.json"])
        content["agents"] = []
        files["notochord.json"] = json.dumps(content).encode()

    code, detail = installed(tmp_path, rezipped(packed(tmp_path, {"agents/host.md": AGENT}), forget))
    assert (code, detail.startswith("agents/host.md")) == (Code.PERM_INVALID, True)
