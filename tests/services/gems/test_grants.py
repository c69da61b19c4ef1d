"""What the user allows a gem: off after the installation, kept over an upgrade, gone with the gem."""

from pathlib import Path
from typing import Any

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.gems.api import (
    GemRights,
    GemRightsChanged,
    KnowledgePredicate,
    KnowledgeRight,
    ModelNotice,
    agent_model,
)
from notochord.services.gems.grants.component import COMPONENT
from notochord.services.gems.grants.tables import METADATA
from notochord.services.models.api import Capabilities, ModelRef
from support.gems import FILES, PackageMaker, Platform, manifest, platform
from support.knowledge import TestKnowledge
from support.mail import TestMail
from support.schemas import assert_same_schema
from support.vaults import MemoryVault

FOOD, HOME = "facts.read:self:pref.food.*", "facts.read:self:location.home.*"
CHOSEN = "collections.read:user-selected"
RATED = {"predicate": "pref.food.rated", "cardinality": "many", "description": "Ratings.", "aliases": ["stars"]}


def package(packages: PackageMaker, *permissions: str, mail: bool = True, **changes: Any) -> Path:
    asked: dict[str, Any] = {"knowledge": {"permissions": list(permissions), "predicates": [RATED], "reason": "Why."}}
    if mail:
        asked["email"] = {"read": True}
    return packages.make(manifest(permissions=asked, **changes))


def allowed(rights: GemRights) -> list[str]:
    return [right.permission for right in rights.knowledge if right.allowed]


async def code_of(work: Any) -> Code:
    with pytest.raises(NotochordError) as caught:
        await work
    return caught.value.code


def test_the_table_is_what_the_migration_makes() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


@pytest.mark.req("KB-004", "KB-066", "TOOL-090", "MAN-050")
async def test_after_the_installation_everything_that_is_asked_for_is_off(
    notochord: Platform, packages: PackageMaker
) -> None:
    await notochord.service.install(package(packages, FOOD, CHOSEN))
    assert await notochord.service.grants.rights("greeter") == GemRights(
        knowledge=(KnowledgeRight(FOOD, False), KnowledgeRight(CHOSEN, False)),
        predicates=(KnowledgePredicate("pref.food.rated", "many", "Ratings.", ("stars",)),),
        reason="Why.",
        reads_mail=True,
    )


@pytest.mark.req("KB-067", "PERM-160", "TOOL-091", "TOOL-092")
async def test_what_is_turned_on_is_told_and_lasts(tmp_path: Path, packages: PackageMaker) -> None:
    vault, changed = MemoryVault(), []
    async with platform(tmp_path / "org", vault=vault, mail=TestMail(), knowledge=TestKnowledge()) as made:
        made.bus.subscribe(GemRightsChanged, lambda event: changed.append(event.gem))
        await made.service.install(package(packages, FOOD, HOME, CHOSEN))
        grants = made.service.grants
        assert [mailbox.id for mailbox in await grants.mailboxes()] == ["work", "home"]
        await grants.allow_knowledge("greeter", FOOD, allowed=True)
        await grants.allow_knowledge("greeter", HOME, allowed=True)
        await grants.allow_knowledge("greeter", HOME, allowed=False)
        await grants.choose_collections("greeter", CHOSEN, ["work", "home"])
        await grants.choose_mailboxes("greeter", ["work"], every=True)
        assert changed == ["greeter"] * 5
    async with platform(tmp_path / "org", vault=vault, mail=TestMail()) as made:
        rights = await made.service.grants.rights("greeter")
    assert allowed(rights) == [FOOD]
    assert rights.knowledge[2] == KnowledgeRight(CHOSEN, False, ("home", "work"))
    assert (rights.mailboxes, rights.every_mailbox) == (("work",), True)


@pytest.mark.req("PERM-014", "PERM-015", "PKG-030")
async def test_an_upgrade_keeps_what_is_on_and_what_it_newly_asks_for_is_off(
    tmp_path: Path, packages: PackageMaker
) -> None:
    async with platform(tmp_path / "org", mail=TestMail()) as made:
        await made.service.install(package(packages, FOOD))
        await made.service.grants.allow_knowledge("greeter", FOOD, allowed=True)
        await made.service.grants.choose_mailboxes("greeter", ["work"])
        for version in ("1.0.0", "1.1.0"):
            await made.service.install(package(packages, FOOD, HOME, version=version))
            rights = await made.service.grants.rights("greeter")
            assert (allowed(rights), rights.mailboxes) == ([FOOD], ("work",))


@pytest.mark.req("PERM-015")
async def test_what_a_version_no_longer_asks_for_is_off_when_a_later_one_asks_again(
    tmp_path: Path, packages: PackageMaker
) -> None:
    async with platform(tmp_path / "org", mail=TestMail()) as made:
        await made.service.install(package(packages, FOOD, HOME))
        await made.service.grants.allow_knowledge("greeter", FOOD, allowed=True)
        await made.service.grants.allow_knowledge("greeter", HOME, allowed=True)
        await made.service.grants.choose_mailboxes("greeter", [], every=True)
        await made.service.install(package(packages, HOME, mail=False, version="1.1.0"))
        await made.service.install(package(packages, FOOD, HOME, version="1.2.0"))
        rights = await made.service.grants.rights("greeter")
    assert (allowed(rights), rights.every_mailbox) == ([HOME], False)


@pytest.mark.req("KB-273")
async def test_removing_a_gem_forgets_what_it_was_allowed(tmp_path: Path, packages: PackageMaker) -> None:
    async with platform(tmp_path / "org", mail=TestMail(), knowledge=TestKnowledge()) as made:
        await made.service.install(package(packages, FOOD, CHOSEN))
        await made.service.grants.allow_knowledge("greeter", FOOD, allowed=True)
        await made.service.grants.choose_collections("greeter", CHOSEN, ["home"])
        await made.service.grants.choose_mailboxes("greeter", ["home"])
        await made.service.remove("greeter")
        await made.service.install(package(packages, FOOD, CHOSEN))
        rights = await made.service.grants.rights("greeter")
    assert [(right.allowed, right.collections) for right in rights.knowledge] == [(False, ()), (False, ())]
    assert rights.mailboxes == ()


async def test_removing_a_gem_forgets_the_model_chosen_for_its_agents(
    notochord: Platform, packages: PackageMaker
) -> None:
    files = {**FILES, "agents/host.md": "---\ndescription: Hosts.\n---\nYou host."}
    await notochord.service.install(packages.make(files=files))
    await notochord.settings.change(agent_model("greeter", "host"), "deep")
    await notochord.service.install(packages.make(manifest(version="1.1.0"), files))
    assert notochord.settings.current(agent_model("greeter", "host")) == "deep"
    await notochord.service.remove("greeter")
    assert notochord.settings.current(agent_model("greeter", "host")) == ""


async def test_nothing_can_be_allowed_that_the_gem_does_not_ask_for(tmp_path: Path, packages: PackageMaker) -> None:
    async with platform(tmp_path / "org", mail=TestMail()) as made:
        await made.service.install(package(packages, FOOD, mail=False))
        grants = made.service.grants
        assert await code_of(grants.allow_knowledge("greeter", HOME, allowed=True)) is Code.NOT_FOUND
        assert await code_of(grants.choose_collections("greeter", FOOD, ["c1"])) is Code.NOT_FOUND
        assert await code_of(grants.choose_mailboxes("greeter", ["work"])) is Code.NOT_FOUND
        assert await code_of(grants.rights("nobody")) is Code.GEM_UNKNOWN
        await made.service.install(package(packages, FOOD, version="1.1.0"))
        assert await code_of(grants.choose_mailboxes("greeter", ["lost"])) is Code.NOT_FOUND


@pytest.mark.req("AGENT-051", "AGENT-052", "AGENT-053", "AGENT-054")
@pytest.mark.parametrize(
    ("requires", "chosen", "notice"),
    [
        (["image_input"], "cloud/seer", ModelNotice.NONE),
        (["image_input", "audio_output"], "cloud/seer", ModelNotice.NONE),
        (["video_output"], "cloud/seer", ModelNotice.LACKS),
        (["image_input"], "cloud/made-up", ModelNotice.UNKNOWN),
        (["image_input"], "vision", ModelNotice.NO_MODEL),
        (["image_input"], "gone", ModelNotice.NO_MODEL),
        (["image_input"], "", ModelNotice.NONE),
        (["image_input"], "deep", ModelNotice.UNKNOWN),
        ([], "cloud/made-up", ModelNotice.NONE),
    ],
)
async def test_the_chosen_model_is_compared_with_what_the_agent_requires(
    notochord: Platform, packages: PackageMaker, requires: list[str], chosen: str, notice: ModelNotice,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    known = Capabilities(vision=True, abilities=("audio_output",))
    unknown = Capabilities(known=False)
    monkeypatch.setattr(notochord.models, "capabilities", lambda name: known if name == "seer" else unknown)
    notochord.models.role_models["chat"] = ModelRef("cloud", "seer")
    header = f"---\ndescription: Hosts.\nmodels: {{main: {{requires: {requires}}}}}\n---\nYou host."
    await notochord.service.install(packages.make(files={**FILES, "agents/host.md": header}))
    assert await notochord.service.grants.model_notice("greeter", "host", chosen) is notice


async def test_the_gem_tells_what_its_agents_are_and_require(notochord: Platform, packages: PackageMaker) -> None:
    text = "---\ndescription: Hosts.\ntools: [greet]\nplatform_tools: [fs.cat]\n---\nYou host."
    gem = await notochord.service.install(packages.make(files={**FILES, "agents/host.md": text}))
    (agent,) = gem.agents
    assert (agent.name, agent.description, agent.exposed) == ("host", "Hosts.", False)
    assert (agent.tools, agent.platform_tools, agent.requires) == (("greet",), ("fs.cat",), ())
    assert await code_of(notochord.service.grants.model_notice("greeter", "nobody", "")) is Code.NOT_FOUND


@pytest.mark.req("DATA-498")
async def test_what_is_allowed_in_one_organization_is_not_in_another(tmp_path: Path, packages: PackageMaker) -> None:
    async with platform(tmp_path / "one") as one, platform(tmp_path / "two") as two:
        for made in (one, two):
            await made.service.install(package(packages, FOOD, mail=False))
        await one.service.grants.allow_knowledge("greeter", FOOD, allowed=True)
        assert allowed(await one.service.grants.rights("greeter")) == [FOOD]
        assert allowed(await two.service.grants.rights("greeter")) == []
