"""`ctx.knowledge`: the whole interface is there, and every call is held against what the user allows at that moment."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json, encode
from notochord.services.gems.api import KnowledgePredicate
from notochord.services.gems.predicates import predicate_for
from notochord.services.sandbox.api import Host, HostRequest
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.guests import real_sandbox

ALL = [
    "facts.read:self:pref.food.*",
    "facts.write:self:pref.food.*",
    "entities.resolve:org",
    "entities.read:person",
    "entities.write:person",
    "collections.read:diary",
    "collections.write:diary",
    "collections.read:user-selected",
    "collections.create",
    "changes.manage",
    "origin.override",
]
RATED = {"predicate": "pref.food.rated", "cardinality": "many", "description": "Ratings.", "aliases": ["Stars"]}
SWITCH = {"knowledge": True}

QUERIES: list[tuple[str, dict[str, Json]]] = [
    ("profile.get", {"prefix": "location.home"}),
    ("profile.get", {"prefix": None}),
    ("facts.lookup", {"subject": "self", "prefix": "pref.food"}),
    ("facts.lookup", {"subject": "someone-elses-ref", "prefix": None}),
    ("search", {"query": "", "collections": ["diary"], "timeRange": None, "entities": None, "limit": None}),
    ("collections.list", {}),
    ("changes.list", {"since": None, "status": "conflict", "limit": None}),
]

FACT: dict[str, Json] = {"predicateHint": "pref.food.like", "value": "tea"}
DOCUMENT: dict[str, Json] = {"collection": "diary", "title": "A", "body": "a"}

SINGLE: list[tuple[str, dict[str, Json], Json, str]] = [
    ("facts.put", {}, FACT, "facts.write:self:pref.food.like"),
    ("facts.put", {}, {**FACT, "predicateHint": "stars"}, "facts.write:self:pref.food.rated"),
    ("facts.put", {}, {**FACT, "subject": "ref"}, "facts.write"),
    ("facts.put", {}, {**FACT, "origin": "me"}, "origin.override"),
    ("facts.retract", {"fact": "ref"}, None, "facts.write"),
    ("entities.resolve", {"identifier": {"url": "a.b"}, "kind": "org", "create": None}, None, "entities.resolve:org"),
    ("entities.resolve", {"identifier": {"name": "A"}, "kind": None, "create": True}, None, "entities.write:person"),
    ("entities.get", {"entity": "ref"}, None, "entities.read"),
    ("entities.list", {"kind": "person", "query": None, "limit": None}, None, "entities.read:person"),
    ("entities.addIdentifier", {"entity": "ref", "type": "email", "value": "a@b.c"}, None, "entities.write"),
    ("documents.upsert", {}, DOCUMENT, "collections.write:diary"),
    ("documents.upsert", {}, {**DOCUMENT, "collection": "ref"}, "collections.write:user-selected"),
    ("documents.get", {"document": "ref", "range": None}, None, "collections.read"),
    ("documents.getByKey", {"collection": "diary", "key": "2026-09-22"}, None, "collections.read:diary"),
    ("documents.list", {"collection": "ref", "timeRange": None, "limit": None}, None, "collections.read:user-selected"),
    ("documents.delete", {"document": "ref"}, None, "collections.write"),
    ("collections.create", {"name": "Recipes", "parent": None}, None, "collections.create"),
    ("collections.create", {"name": "Recipes", "parent": "diary"}, None, "collections.write:diary"),
    ("changes.revert", {"change": "ref", "runId": None}, None, "changes.manage"),
]  # fmt: skip


SLIPS: list[tuple[str, dict[str, Json], Json]] = [
    ("facts.put", {}, {"value": 1}),
    ("facts.put", {}, {**FACT, "confidence": 1}),
    ("facts.put", {}, [1]),
    ("facts.put", {}, None),
    ("entities.resolve", {"identifier": {"passport": "x"}, "kind": None, "create": None}, None),
    ("entities.resolve", {"identifier": {}, "kind": None, "create": None}, None),
    ("entities.resolve", {"identifier": {"name": "A"}, "kind": "animal", "create": None}, None),
    ("entities.resolve", {"identifier": {"name": "A"}, "kind": None, "create": "yes"}, None),
    ("search", {"query": "", "secret": True}, None),
]


@dataclass
class Desk:
    notochord: Platform
    talk: Path

    async def ask(self, method: str, arguments: dict[str, Json], content: Json = None) -> Json:
        """Ask as the code of the tool does."""
        attachment = None if content is None else encode(content).encode()

        async def play(_: Json, host: Host) -> Json:
            return (await host.answer(HostRequest(f"knowledge.{method}", arguments, attachment))).value

        self.notochord.sandbox.tools["tools/greet.ts"] = play
        return await self.notochord.service.call("greeter", "greet", {}, self.talk, Cause())

    async def refusal(self, method: str, arguments: dict[str, Json], content: Json = None) -> tuple[Code, str]:
        with pytest.raises(NotochordError) as caught:
            await self.ask(method, arguments, content)
        return caught.value.code, caught.value.detail

    async def allow(self, *permissions: str, allowed: bool = True) -> None:
        for permission in permissions:
            await self.notochord.service.grants.allow_knowledge("greeter", permission, allowed=allowed)


def content() -> dict[str, Any]:
    declared = {"knowledge": {"permissions": ALL, "predicates": [RATED]}}
    return manifest(permissions=declared, tools=[tool(permissions=SWITCH)])


@pytest.fixture
async def desk(notochord: Platform, packages: PackageMaker, talk: Path) -> Desk:
    await notochord.service.install(packages.make(content()))
    return Desk(notochord, talk)


@pytest.mark.req("MAN-052", "KB-048", "KB-001")
@pytest.mark.parametrize(("switch", "there"), [(SWITCH, True), ({"knowledge": False}, False), ({}, False)])
async def test_a_tool_has_the_knowledge_only_with_its_own_switch(
    notochord: Platform, packages: PackageMaker, talk: Path, switch: dict[str, Any], there: bool
) -> None:
    declared = {"knowledge": {"permissions": ALL}}
    await notochord.service.install(packages.make(manifest(permissions=declared, tools=[tool(permissions=switch)])))
    await notochord.service.call("greeter", "greet", {}, talk, Cause())
    assert ("knowledge" in notochord.sandbox.calls[0].namespaces) is there


@pytest.mark.req("PERM-175", "KB-110", "KB-112", "KB-115")
async def test_a_query_leaves_out_what_is_not_allowed_and_raises_nothing(desk: Desk) -> None:
    before = [await desk.ask(*query) for query in QUERIES]
    await desk.allow(*ALL)
    assert before == [await desk.ask(*query) for query in QUERIES] == [[]] * len(QUERIES)


@pytest.mark.req("PERM-176", "PERM-012", "PERM-164", "KB-156")
async def test_an_operation_on_a_single_object_throws_and_names_the_missing_permission(desk: Desk) -> None:
    for method, arguments, content, missing in SINGLE:
        refused = await desk.refusal(method, arguments, content)
        assert (method, *refused) == (method, Code.PERM_DENIED, f"lacks knowledge permission {missing}")


@pytest.mark.req("PERM-173", "PERM-174", "KB-068", "KB-069")
async def test_what_is_allowed_counts_from_the_very_next_call_and_so_does_taking_it_back(desk: Desk) -> None:
    ask: tuple[str, dict[str, Json]] = ("documents.getByKey", {"collection": "diary", "key": "2026-09-22"})
    assert (await desk.refusal(*ask))[0] is Code.PERM_DENIED
    await desk.allow("collections.read:diary")
    assert await desk.ask(*ask) is None
    await desk.allow("collections.read:diary", allowed=False)
    assert (await desk.refusal(*ask))[0] is Code.PERM_DENIED


@pytest.mark.req("PERM-173")
async def test_it_is_read_anew_within_one_call_of_the_tool(desk: Desk) -> None:
    async def play(_: Json, host: Host) -> Json:
        request = HostRequest("knowledge.entities.list", {"kind": "person", "query": None, "limit": None}, None)
        with pytest.raises(NotochordError):
            await host.answer(request)
        await desk.allow("entities.read:person")
        before = (await host.answer(request)).value
        await desk.allow("entities.read:person", allowed=False)
        with pytest.raises(NotochordError):
            await host.answer(request)
        return before

    desk.notochord.sandbox.tools["tools/greet.ts"] = play
    assert await desk.notochord.service.call("greeter", "greet", {}, desk.talk, Cause()) == []


@pytest.mark.req("PERM-154", "PERM-157", "PERM-158", "PERM-159")
async def test_what_is_allowed_finds_nothing_as_in_an_empty_knowledge_base(desk: Desk) -> None:
    await desk.allow(
        "entities.write:person", "entities.read:person", "collections.read:diary", "facts.write:self:pref.food.*"
    )
    look: dict[str, Json] = {"identifier": {"email": "a@b.c"}, "kind": "person", "create": None}
    assert await desk.ask("entities.resolve", look) is None
    assert await desk.ask("entities.list", {"kind": "person", "query": None, "limit": None}) == []
    assert await desk.ask("documents.list", {"collection": "diary", "timeRange": None, "limit": None}) == []
    for method, arguments, missing in (
        ("entities.get", {"entity": "ref"}, "no entity"),
        ("documents.get", {"document": "ref", "range": None}, "no document"),
        ("facts.retract", {"fact": "ref"}, "no fact"),
    ):
        code, detail = await desk.refusal(method, dict(arguments))
        assert (code, missing in detail) == (Code.NOT_FOUND, True)


async def test_a_write_is_refused_and_says_why_while_there_is_no_knowledge_base(desk: Desk) -> None:
    await desk.allow(*ALL)
    for method, content in (("facts.put", FACT), ("documents.upsert", DOCUMENT)):
        code, detail = await desk.refusal(method, {}, content)
        assert (method, code, "no knowledge base yet" in detail) == (method, Code.PERM_DENIED, True)
    code, detail = await desk.refusal("collections.create", {"name": "Recipes", "parent": None})
    assert (code, "no knowledge base yet" in detail) == (Code.PERM_DENIED, True)


async def test_arguments_that_do_not_fit_are_told(desk: Desk) -> None:
    for method, arguments, content in SLIPS:
        code, _ = await desk.refusal(method, arguments, content)
        assert (method, code) == (method, Code.INPUT_INVALID)


@pytest.mark.req("KB-139", "KB-144", "KB-147")
@pytest.mark.parametrize(
    ("hint", "predicate"),
    [
        ("pref.food.like", "pref.food.like"),
        (" stars ", "pref.food.rated"),
        ("ratings.", "pref.food.rated"),
        ("Shoe size (EU)", "x.shoe_size_eu"),
        ("鞋码", "x.fact"),
        ("42", "x.fact_42"),
        ("pref", "x.pref"),
    ],
)
def test_a_hint_means_a_predicate_an_alias_a_description_or_something_new(hint: str, predicate: str) -> None:
    declared = (KnowledgePredicate("pref.food.rated", "many", "Ratings.", ("Stars",)),)
    assert predicate_for(hint, declared) == predicate


@pytest.mark.req("KB-122", "KB-330")
async def test_a_real_guest_gets_empty_answers_and_errors_that_it_can_catch(
    tmp_path: Path, packages: PackageMaker, talk: Path
) -> None:
    code = """export default async (input, ctx) => {
      const home = await ctx.knowledge.profile.get('location.home');
      const city = home.find((f) => f.predicate === 'location.home.city')?.value;
      try { await ctx.knowledge.facts.put({ predicateHint: 'pref.food.like', value: 'tea' }); }
      catch (error) { return { error: city ?? 'no city', code: error.code, said: error.message }; }
    };"""
    async with (
        real_sandbox(tmp_path / "guests") as sandbox,
        platform(tmp_path / "org", guests=sandbox) as notochord,
    ):
        await notochord.service.install(packages.make(content(), {"tools/greet.ts": code}))
        value: Any = await notochord.service.call("greeter", "greet", {}, talk, Cause())
    assert (value["error"], value["code"]) == ("no city", "E_PERM_DENIED")
    assert "lacks knowledge permission facts.write:self:pref.food.like" in value["said"]
