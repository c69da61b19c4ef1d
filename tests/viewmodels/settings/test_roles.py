"""Roles and agents: what each can be given, what is shown of it, and what a role of one's own needs."""

from collections.abc import AsyncIterator

import pytest

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.gems.api import GemAgent, GemInstalled, agent_model
from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.viewmodels.settings.agents import AgentsModel
from notochord.viewmodels.settings.roles import RoleHint, RolesModel
from support.eventually import until
from support.known_gems import KnownGems, gem_with_agents
from support.settings_bench import SettingsBench


@pytest.fixture
async def roles(bench: SettingsBench) -> AsyncIterator[RolesModel]:
    models = ("gpt-5", "gpt-3.5-turbo-instruct")
    await bench.bench.service.add_provider(
        ProviderDraft("Cloud", ProviderKind.COMPATIBLE, "https://models.example.com", models), None
    )
    await bench.bench.service.add_provider(ProviderDraft("Ollama", ProviderKind.OLLAMA, models=("qwen3:8b",)), None)
    model = RolesModel(models=bench.bench.service, settings=bench.settings, events=bench.bench.events)
    await model.start()
    yield model
    await model.close()


@pytest.fixture
def gems() -> KnownGems:
    return KnownGems()


@pytest.fixture
async def agents(bench: SettingsBench, roles: RolesModel, gems: KnownGems) -> AsyncIterator[AgentsModel]:
    del roles
    model = AgentsModel(
        models=bench.bench.service, settings=bench.settings, events=bench.bench.events, gems=gems.door()
    )
    await model.start()
    yield model
    await model.close()


def model_of(roles: RolesModel, name: str) -> str:
    return next(row.model for row in roles.roles if row.name == name)


@pytest.mark.req("MODEL-007", "MODEL-010", "SET-002")
async def test_a_role_gets_one_of_the_connected_models_or_none(roles: RolesModel) -> None:
    assert [option.value for option in roles.options.value] == [
        "Cloud/gpt-5", "Cloud/gpt-3.5-turbo-instruct", "Ollama/qwen3:8b",
    ]  # fmt: skip
    await roles.assign("deep", "Cloud/gpt-5")
    await until(lambda: model_of(roles, "deep") == "Cloud/gpt-5")
    await roles.assign("deep", "")
    await until(lambda: not model_of(roles, "deep"))


@pytest.mark.req("MODEL-020", "MODEL-021")
async def test_a_role_of_ones_own_exists_only_once_it_has_a_model(roles: RolesModel) -> None:
    await roles.begin(" Translator ", " Translates. ")
    await roles.complete("")
    assert all(row.built_in for row in roles.roles)
    await roles.complete("Ollama/qwen3:8b")
    await until(lambda: len(roles.roles) == 5)
    made = roles.roles[4]
    assert (made.name, made.line, made.model, made.built_in) == ("Translator", "Translates.", "Ollama/qwen3:8b", False)
    assert roles.pending.value is None


@pytest.mark.req("MODEL-021")
async def test_a_role_that_is_given_up_never_existed(roles: RolesModel) -> None:
    await roles.begin("Translator", "Translates.")
    await roles.give_up()
    await roles.complete("Ollama/qwen3:8b")
    await roles.load()
    assert all(row.built_in for row in roles.roles)


@pytest.mark.req("MODEL-022")
@pytest.mark.parametrize(("name", "line"), [("Translator", " "), ("", "Translates."), ("CHAT", "Talks.")])
async def test_a_role_needs_a_free_name_and_a_description(roles: RolesModel, name: str, line: str) -> None:
    with pytest.raises(NotochordError) as refused:
        await roles.begin(name, line)
    assert refused.value.code is Code.ROLE_INVALID
    assert roles.pending.value is None


@pytest.mark.req("MODEL-023", "MODEL-024")
async def test_ones_own_role_can_be_described_anew_and_deleted(roles: RolesModel) -> None:
    await roles.begin("Translator", "Translates.")
    await roles.complete("Ollama/qwen3:8b")
    await roles.describe("Translator", "Translates well.")
    await until(lambda: len(roles.roles) == 5 and roles.roles[4].line == "Translates well.")
    await roles.remove("Translator")
    await until(lambda: len(roles.roles) == 4)


@pytest.mark.req("MODEL-009")
async def test_a_built_in_role_cannot_be_deleted(roles: RolesModel) -> None:
    with pytest.raises(NotochordError) as refused:
        await roles.remove("chat")
    assert refused.value.code is Code.ROLE_INVALID


async def test_a_local_role_whose_model_is_elsewhere_is_told_of(roles: RolesModel) -> None:
    hints = {row.name: row.hint for row in roles.roles}
    assert hints["local"] is RoleHint.NONE
    await roles.assign("local", "Cloud/gpt-5")
    await until(lambda: {row.name: row.hint for row in roles.roles}["local"] is RoleHint.LEAVES)
    await roles.assign("local", "Ollama/qwen3:8b")
    await until(lambda: {row.name: row.hint for row in roles.roles}["local"] is RoleHint.NONE)


async def test_a_vision_role_whose_model_sees_no_images_is_told_of(roles: RolesModel) -> None:
    await roles.assign("vision", "Cloud/gpt-3.5-turbo-instruct")
    await until(lambda: {row.name: row.hint for row in roles.roles}["vision"] is RoleHint.NO_IMAGES)


@pytest.mark.req("MODEL-036")
async def test_agents_are_listed_in_their_order(agents: AgentsModel) -> None:
    assert [row.name for row in agents.agents] == ["project", "chat", "studio", "background"]


@pytest.mark.req("MODEL-037", "SET-003")
async def test_an_agent_gets_a_role_or_a_model(agents: AgentsModel, bench: SettingsBench, roles: RolesModel) -> None:
    await roles.assign("deep", "Ollama/qwen3:8b")
    await agents.choose("chat", "deep")
    await until(lambda: agents.agents[1].uses is not None and agents.agents[1].uses.model == "qwen3:8b")
    assert bench.settings.current(model_setting(BuiltInAgent.CHAT)) == "deep"
    await agents.choose("background", "Ollama/qwen3:8b")
    await until(lambda: agents.agents[3].value == "Ollama/qwen3:8b")


@pytest.mark.req("SETUP-039")
async def test_what_the_set_up_gave_to_background_tasks_can_be_changed(
    agents: AgentsModel, bench: SettingsBench, roles: RolesModel
) -> None:
    await roles.assign("local", "Ollama/qwen3:8b")
    await bench.settings.change(model_setting(BuiltInAgent.BACKGROUND), "local")
    await until(lambda: agents.agents[3].value == "local")
    await agents.choose("background", "Cloud/gpt-5")
    await until(lambda: agents.agents[3].value == "Cloud/gpt-5")
    assert bench.settings.current(model_setting(BuiltInAgent.BACKGROUND)) == "Cloud/gpt-5"


@pytest.mark.req("MODEL-038")
async def test_an_agent_without_a_choice_uses_the_chat_role(agents: AgentsModel) -> None:
    used = {row.uses.value for row in agents.agents if row.uses is not None}
    assert used == {"Cloud/gpt-5"}
    assert [row.value for row in agents.agents] == [""] * 4


async def test_an_agent_whose_model_is_gone_falls_back_and_says_so(agents: AgentsModel, bench: SettingsBench) -> None:
    await agents.choose("chat", "Ollama/qwen3:8b")
    await until(lambda: agents.agents[1].value == "Ollama/qwen3:8b")
    await bench.bench.service.remove_provider("Ollama")
    await until(lambda: agents.agents[1].gone)
    assert agents.agents[1].uses is not None
    assert agents.agents[1].uses.value == "Cloud/gpt-5"


@pytest.mark.req("AGENT-037", "MODEL-112", "MODEL-108")
async def test_agents_of_gems_come_last_and_follow_the_choice_made_on_the_gems_page(
    agents: AgentsModel, gems: KnownGems, bench: SettingsBench
) -> None:
    reader = GemAgent("reader", "Reads\nreceipts.", False)
    gems.gems.append(gem_with_agents(reader))
    bench.bench.events.publish(GemInstalled("receipts", "1.0.0"))
    await until(lambda: len(agents.agents) == 5)
    row = agents.agents[4]
    assert (row.name, row.gem, row.title, row.about) == (
        "gem.receipts.reader", "Receipts", "reader", "Reads receipts.",
    )  # fmt: skip
    await bench.settings.change(agent_model("receipts", "reader"), "Ollama/qwen3:8b")
    await until(lambda: agents.agents[4].value == "Ollama/qwen3:8b")
    await agents.choose(row.name, "")
    assert bench.settings.current(agent_model("receipts", "reader")) == ""


async def test_deleting_a_role_names_the_agents_that_use_it(agents: AgentsModel, roles: RolesModel) -> None:
    await agents.choose("studio", "deep")
    assert (await roles.affected("deep")).agents == ("studio",)
