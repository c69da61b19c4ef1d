"""Permissions on the knowledge base: their grammar, what covers what, and what a manifest may declare."""

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.checks import finish, open_package
from notochord.services.gems.knowledge_permissions import (
    FIRST_LEVELS,
    KINDS,
    SELF,
    TARGETS,
    UNSCOPED,
    KnowledgePermission,
    parse,
)
from support.gems import FAULTS, TRUSTED, PackageMaker, manifest, tool

READ = "facts.read:self:pref.food.*"

LEVEL = st.from_regex(r"[a-z][a-z0-9_]{0,8}", fullmatch=True)
PREDICATES = st.builds(
    lambda first, rest: ".".join((first, *rest)), st.sampled_from(FIRST_LEVELS), st.lists(LEVEL, min_size=1, max_size=4)
)
FACTS = st.builds(
    KnowledgePermission,
    st.sampled_from(("facts.read", "facts.write")),
    st.sampled_from((SELF, *KINDS)),
    PREDICATES,
    st.booleans(),
)
OTHERS = st.one_of(
    st.builds(
        KnowledgePermission,
        st.sampled_from(("entities.resolve", "entities.read", "entities.write")),
        st.sampled_from(KINDS),
    ),
    st.builds(
        KnowledgePermission, st.sampled_from(("collections.read", "collections.write")), st.sampled_from(TARGETS)
    ),
    st.builds(KnowledgePermission, st.sampled_from(sorted(UNSCOPED))),
)
PERMISSIONS = st.one_of(FACTS, OTHERS)


def problem(folder: Path, declared: Any, **changes: Any) -> tuple[Code | None, str]:
    """Return how the six checks end for a gem that declares this; (None, "") when they pass."""
    content = manifest(permissions={"knowledge": declared}, **changes)
    package = PackageMaker(folder / "made").make(content, key=None)
    scratch = folder / "scratch"
    scratch.mkdir()
    try:
        finish(open_package(package, scratch, TRUSTED), None, FAULTS, allow_unsigned=True)
    except NotochordError as error:
        return error.code, error.detail
    return None, ""


@pytest.mark.req("PERM-145", "KB-064")
@given(permission=PERMISSIONS)
def test_every_permission_is_read_back_as_it_is_written(permission: KnowledgePermission) -> None:
    assert parse(str(permission)) == permission


@pytest.mark.req("PERM-145", "PERM-169")
@given(text=st.one_of(st.text(max_size=60), st.text(alphabet="factsredw.:*self-x_ ", max_size=40)))
def test_any_other_text_is_refused_or_means_exactly_itself(text: str) -> None:
    with suppress(ValueError):
        assert str(parse(text)) == text


@pytest.mark.req("PERM-148", "KB-073", "KB-074")
@given(permission=FACTS, more=st.lists(LEVEL, min_size=1, max_size=2))
def test_a_prefix_covers_what_is_below_it_and_a_full_predicate_only_itself(
    permission: KnowledgePermission, more: list[str]
) -> None:
    deeper = KnowledgePermission(permission.action, permission.scope, ".".join((permission.predicate, *more)))
    beside = KnowledgePermission(permission.action, permission.scope, f"{permission.predicate}x")
    assert permission.covers(permission)
    assert permission.covers(deeper) is permission.below
    assert not permission.covers(beside)
    assert not deeper.covers(permission)


@given(one=PERMISSIONS, two=PERMISSIONS, three=PERMISSIONS)
def test_covering_goes_on(one: KnowledgePermission, two: KnowledgePermission, three: KnowledgePermission) -> None:
    if one.covers(two) and two.covers(three):
        assert one.covers(three)


@pytest.mark.req("PERM-157", "KB-089", "PERM-153")
@pytest.mark.parametrize("kind", KINDS)
def test_writing_entities_includes_looking_one_up_and_neither_lists_them(kind: str) -> None:
    write, look, read = (KnowledgePermission(f"entities.{name}", kind) for name in ("write", "resolve", "read"))
    assert write.covers(look)
    assert not look.covers(write)
    assert not any(found.covers(read) for found in (write, look))


@pytest.mark.req("PERM-146", "PERM-147", "PERM-150", "PERM-152")
@pytest.mark.parametrize(
    "permission",
    [
        READ,
        "facts.read:person:contact.email",
        "facts.read:self:x.rating.best_of",
        "entities.resolve:person",
        "entities.read:org",
        "entities.write:place",
        "collections.read:diary",
        "collections.write:keep",
        "collections.write:user-selected",
        "collections.create",
        "collections.bulk",
        "changes.manage",
        "origin.override",
    ],
)
def test_these_permissions_are_accepted_at_installation(tmp_path: Path, permission: str) -> None:
    assert problem(tmp_path, {"permissions": [permission]}) == (None, "")


@pytest.mark.req("PERM-149", "PERM-169", "PERM-170", "PERM-172")
@pytest.mark.parametrize(
    "permission",
    [
        "",
        "facts.read",
        "facts.read:self",
        "facts.read:self:*",
        "facts.read:self:location.*",
        "facts.read:self:location",
        "facts.read:self:pref.food.",
        "facts.read:self:pref.food*",
        "facts.read:self:pref.*.like",
        "facts.read:self:pref.food.**",
        "facts.read:self:Pref.food",
        "facts.read:self:taste.food.*",
        "facts.read:me:pref.food.*",
        "facts.read:person:a:pref.food.*",
        "facts.delete:self:pref.food.*",
        " facts.read:self:pref.food.*",
        "facts.read:self:pref.food.*\n",
        "entities.read",
        "entities.read:*",
        "entities.list:person",
        "entities.read:animal",
        "collections.read:01J9ZK3V5Q8T",
        "collections.read:*",
        "collections.read:diary:2026",
        "collections.create:keep",
        "changes.manage:all",
        "all",
        "facts.read:self:" + "pref." + "a" * 300,
    ],
)
def test_a_malformed_permission_makes_the_installation_fail(tmp_path: Path, permission: str) -> None:
    code, detail = problem(tmp_path, {"permissions": [READ, permission]})
    assert (code, "permissions.knowledge.permissions" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("PERM-151", "PERM-171", "KB-080")
@pytest.mark.parametrize(
    ("read", "write", "accepted"),
    [
        ("self:pref.food.*", "self:pref.food.*", True),
        ("self:pref.food.*", "self:pref.food.like", True),
        ("self:pref.food.*", "self:pref.food", True),
        ("self:pref.food", "self:pref.food", True),
        ("self:pref.food", "self:pref.food.*", False),
        ("self:pref.food.like", "self:pref.food.*", False),
        ("self:pref.food.*", "self:pref.foods.like", False),
        ("person:pref.food.*", "self:pref.food.*", False),
        ("", "self:pref.food.*", False),
    ],
)
def test_what_is_written_has_to_be_readable_too(tmp_path: Path, read: str, write: str, accepted: bool) -> None:
    permissions = [*([f"facts.read:{read}"] if read else []), f"facts.write:{write}"]
    code, detail = problem(tmp_path, {"permissions": permissions})
    assert (code is None) is accepted
    assert accepted or f"facts.write:{write} needs" in detail


def predicate(**changes: Any) -> dict[str, Any]:
    plain = {"predicate": "pref.food.rated", "cardinality": "many", "description": "What you rated, e.g. ramen: 5"}
    return {name: value for name, value in {**plain, **changes}.items() if value is not None}


@pytest.mark.req("MAN-042", "MAN-043", "MAN-046", "MAN-047")
@pytest.mark.parametrize(
    "declared",
    [
        {"permissions": []},
        {"permissions": [READ], "predicates": [predicate()]},
        {"permissions": [READ], "predicates": [predicate(aliases=["rating", "评分"], cardinality="one")]},
        {"permissions": [READ], "reason": "To know what you like."},
    ],
)
def test_these_declarations_are_accepted(tmp_path: Path, declared: Any) -> None:
    assert problem(tmp_path, declared) == (None, "")


@pytest.mark.req("MAN-044", "MAN-045", "KB-053", "KB-056")
@pytest.mark.parametrize(
    "declared",
    [
        {},
        {"permissions": READ},
        {"permissions": [5]},
        {"permissions": [READ], "extra": 1},
        {"permissions": [READ], "reason": " "},
        {"permissions": [READ], "predicates": [predicate(predicate="pref")]},
        {"permissions": [READ], "predicates": [predicate(predicate="taste.food")]},
        {"permissions": [READ], "predicates": [predicate(predicate="pref.food.*")]},
        {"permissions": [READ], "predicates": [predicate(predicate="pref..food")]},
        {"permissions": [READ], "predicates": [predicate(cardinality="few")]},
        {"permissions": [READ], "predicates": [predicate(cardinality=None)]},
        {"permissions": [READ], "predicates": [predicate(description=None)]},
        {"permissions": [READ], "predicates": [predicate(description="")]},
        {"permissions": [READ], "predicates": [predicate(aliases="rating")]},
        {"permissions": [READ], "predicates": [predicate(kind="x")]},
        {"permissions": [READ], "predicates": [predicate(), predicate()]},
    ],
)
def test_these_declarations_are_refused(tmp_path: Path, declared: Any) -> None:
    code, detail = problem(tmp_path, declared)
    assert (code, "permissions.knowledge" in detail) == (Code.PERM_INVALID, True)


@pytest.mark.req("KB-057")
@pytest.mark.parametrize(("length", "accepted"), [(200, True), (201, False)])
def test_a_predicates_description_has_at_most_200_characters(tmp_path: Path, length: int, accepted: bool) -> None:
    declared = {"permissions": [READ], "predicates": [predicate(description="汉" * length)]}
    assert (problem(tmp_path, declared)[0] is None) is accepted


@pytest.mark.req("KB-063")
def test_the_samples_of_the_manual_are_accepted(tmp_path: Path) -> None:
    permissions = ["facts.read:self:pref.food.*", "facts.write:self:pref.food.*", "collections.create"]
    declared = {"permissions": permissions, "predicates": [predicate()], "reason": "Recipes you like"}
    (tmp_path / "one").mkdir()
    assert problem(tmp_path / "one", declared) == (None, "")
    (tmp_path / "two").mkdir()
    home = tool(permissions={"knowledge": True})
    assert problem(tmp_path / "two", {"permissions": ["facts.read:self:location.home.*"]}, tools=[home]) == (None, "")
