"""`tool_search` finds tools by keywords in every script, opens what it found, and never asks."""

import json
from dataclasses import replace

import pytest

from notochord.core.ids import IdMaker
from notochord.services.tools.api import Consent, OutcomeState, Session
from notochord.services.tools.ranking import rank
from notochord.services.tools.registry import ToolRegistry
from support.clocks import HandClock
from support.tools import Source, session, tool

SUM = tool("gem.csv.sum", "Adds up the rows of each month.", keywords=("Table wizard", "Works on spreadsheets."))
CLEAN = tool("gem.csv.clean", "Mends broken quoting.", keywords=("Table wizard", "Works on spreadsheets."))
MAIL = tool("gem.post.send", "Sends a letter.", keywords=("Postman", "Delivers."))
INVOICE = tool("gem.fapiao.check", "检查发票的税号与金额", keywords=("发票助手", "处理增值税发票"))
BUILT_IN = tool("http.request", "Fetch a page from the web.")
ALL = [SUM, CLEAN, MAIL, INVOICE, BUILT_IN]


def found(query: str) -> list[str]:
    return [definition.name for definition in rank(query, ALL)]


@pytest.mark.req("GEM-046", "GEM-047", "GEM-048", "GEM-049")
@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("wizard", {"gem.csv.sum", "gem.csv.clean"}),
        ("spreadsheet", {"gem.csv.sum", "gem.csv.clean"}),
        ("sum", {"gem.csv.sum"}),
        ("clean the table", {"gem.csv.clean"}),
        ("months", {"gem.csv.sum"}),
        ("QUOTING", {"gem.csv.clean"}),
        ("发票", {"gem.fapiao.check"}),
        ("税", {"gem.fapiao.check"}),
        ("帮我检查税号", {"gem.fapiao.check"}),
        ("ｗｅｂ", {"http.request"}),
        ("letter to my aunt", {"gem.post.send"}),
    ],
)
def test_the_best_match_comes_first(query: str, first: set[str]) -> None:
    assert found(query)[0] in first


@pytest.mark.parametrize("query", ["", "?!", "zebra", "象"])
def test_what_nothing_matches_finds_nothing(query: str) -> None:
    assert found(query) == []


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    common = [tool(f"a{number}.x", "works with files") for number in range(9)]
    assert rank("files zip", [*common, tool("z.unpack", "opens zip")])[0].name == "z.unpack"


def test_equal_matches_come_by_name() -> None:
    assert [each.name for each in rank("same", [tool("b", "same"), tool("a", "same")])] == ["a", "b"]


class NobodyToAsk:
    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"approvals.{name} was called")


def registry_with(*sources: Source) -> ToolRegistry:
    clock = HandClock()
    registry = ToolRegistry(approvals=NobodyToAsk(), clock=clock, ids=IdMaker(clock))  # type: ignore[arg-type]
    for source in sources:
        registry.register(source)
    return registry


async def search(registry: ToolRegistry, query: str, of: Session) -> tuple[list[str], tuple[str, ...]]:
    outcome = await registry.call("tool_search", json.dumps({"query": query}), of)
    assert outcome.state is OutcomeState.DONE
    return [each["name"] for each in json.loads(outcome.text)["found"]], outcome.opens


@pytest.mark.req("GEM-052", "GEM-054")
async def test_what_was_found_is_opened_whole_and_nobody_is_asked() -> None:
    registry = registry_with(Source(hidden=[SUM, CLEAN, MAIL], consent=Consent("gem", "csv")))
    names, opens = await search(registry, "add up months", session())
    assert (names, opens) == (["gem.csv.sum"], ("gem.csv",))
    after = replace(session(), opened=frozenset(opens))
    assert [each.name for each in await registry.list(after)] == ["gem.csv.clean", "gem.csv.sum", "tool_search"]


@pytest.mark.req("GEM-050")
async def test_built_in_tools_are_found_too() -> None:
    names, opens = await search(registry_with(Source(hidden=[BUILT_IN])), "web page", session())
    assert (names, opens) == (["http.request"], ("http.request",))


@pytest.mark.req("GEM-051")
async def test_at_most_five_gems_and_tools_are_opened() -> None:
    many = [tool(f"gem.g{gem}.t{number}", "same words") for gem in range(8) for number in range(3)]
    names, opens = await search(registry_with(Source(hidden=many)), "same words", session())
    assert opens == tuple(f"gem.g{gem}" for gem in range(5))
    assert {name.rpartition(".")[0] for name in names} == set(opens)


async def test_what_the_user_switched_off_is_not_found() -> None:
    registry = registry_with(Source(hidden=[SUM, CLEAN]))
    names, _ = await search(registry, "wizard", session(switched_off=["gem.csv.sum"]))
    assert names == ["gem.csv.clean"]


async def test_a_search_without_a_match_says_what_to_do() -> None:
    outcome = await registry_with(Source(READ := tool("x.read"))).call("tool_search", '{"query":"zebra"}', session())
    assert READ.name not in outcome.text
    assert "other or fewer keywords" in outcome.text


@pytest.mark.parametrize("query", ["", "   "])
async def test_a_search_for_nothing_is_refused(query: str) -> None:
    outcome = await registry_with().call("tool_search", json.dumps({"query": query}), session())
    assert outcome.code == "E_TOOL_ARGUMENTS"


async def test_searching_runs_in_plan_mode() -> None:
    names, _ = await search(registry_with(Source(hidden=[SUM])), "wizard", session(plan_mode=True))
    assert names == ["gem.csv.sum"]
