"""Folders that the user chooses for a gem: with all that lies in them at the moment, and nothing else."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.services.gems.knowledge_reach import reached
from notochord.services.gems.ports import KnowledgeFolder
from notochord.services.sandbox.api import Host, HostRequest
from support.gems import PackageMaker, Platform, manifest, platform, tool
from support.knowledge import TestKnowledge

CHOSEN = "collections.read:user-selected"
CONTENT = manifest(
    permissions={"knowledge": {"permissions": [CHOSEN, "collections.read:diary"]}},
    tools=[tool(permissions={"knowledge": True})],
)


@pytest.fixture
def knowledge() -> TestKnowledge:
    return TestKnowledge()


@pytest.fixture
async def shelf(tmp_path: Path, packages: PackageMaker, knowledge: TestKnowledge) -> AsyncIterator[Platform]:
    """A gem that asks for folders, whose permission is on."""
    async with platform(tmp_path / "org", knowledge=knowledge) as made:
        await made.service.install(packages.make(CONTENT))
        await made.service.grants.allow_knowledge("greeter", CHOSEN, allowed=True)
        yield made


async def open_to(shelf: Platform, talk: Path) -> set[str]:
    """Return the folders whose documents the gem may list."""

    async def look(_: Json, host: Host) -> Json:
        seen: list[Json] = []
        for folder in ("work", "plans", "old", "home"):
            asked: Json = {"collection": folder, "timeRange": None, "limit": None}
            try:
                await host.answer(HostRequest("knowledge.documents.list", asked, None))
            except NotochordError as error:
                if error.code is not Code.PERM_DENIED:
                    raise
            else:
                seen.append(folder)
        return seen

    shelf.sandbox.tools["tools/greet.ts"] = look
    value = await shelf.service.call("greeter", "greet", {}, talk, Cause())
    assert isinstance(value, list)
    return {str(folder) for folder in value}


@pytest.mark.req("KB-094", "GEMUI-032", "PERM-160", "PERM-161")
async def test_a_chosen_folder_is_open_with_all_below_it_and_no_other(shelf: Platform, talk: Path) -> None:
    assert await open_to(shelf, talk) == set()
    await shelf.service.grants.choose_collections("greeter", CHOSEN, ["plans"])
    assert await open_to(shelf, talk) == {"plans", "old"}
    await shelf.service.grants.allow_knowledge("greeter", CHOSEN, allowed=False)
    assert await open_to(shelf, talk) == set()


@pytest.mark.req("GEMUI-033", "GEMUI-034")
async def test_what_is_moved_into_a_chosen_folder_is_open_and_what_is_moved_out_is_not(
    shelf: Platform, talk: Path, knowledge: TestKnowledge
) -> None:
    await shelf.service.grants.choose_collections("greeter", CHOSEN, ["work"])
    assert await open_to(shelf, talk) == {"work", "plans", "old"}
    knowledge.parents |= {"plans": "home"}
    assert await open_to(shelf, talk) == {"work"}
    knowledge.parents |= {"home": "work"}
    assert await open_to(shelf, talk) == {"work", "home", "plans", "old"}


async def test_a_folder_that_there_is_not_cannot_be_chosen_and_one_that_went_may_stay_chosen(
    shelf: Platform, knowledge: TestKnowledge
) -> None:
    grants = shelf.service.grants
    with pytest.raises(NotochordError) as refused:
        await grants.choose_collections("greeter", CHOSEN, ["lost"])
    assert refused.value.code is Code.NOT_FOUND
    await grants.choose_collections("greeter", CHOSEN, ["home"])
    del knowledge.parents["home"]
    await grants.choose_collections("greeter", CHOSEN, ["home", "work"])
    assert (await grants.rights("greeter")).knowledge[0].collections == ("home", "work")


def test_folders_in_a_circle_end_the_search_and_are_open_only_if_one_is_chosen() -> None:
    circle = (KnowledgeFolder("a", "A", "b"), KnowledgeFolder("b", "B", "a"), KnowledgeFolder("c", "C", "gone"))
    assert reached(["c"], circle) == {"c"}
    assert reached(["a"], circle) == {"a", "b"}
    assert reached(["gone"], circle) == frozenset()
