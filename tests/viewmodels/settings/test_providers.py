"""The table of providers: what is connected, tested, mended and removed, and what else that changes."""

import asyncio
from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.agents.api import BuiltInAgent, model_setting
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind
from notochord.viewmodels.settings.pane import READY, Pane
from notochord.viewmodels.settings.provider_rows import TEMPLATES, CheckPhase
from notochord.viewmodels.settings.providers import ProvidersModel
from support.eventually import until
from support.settings_bench import SettingsBench

OPENAI = ProviderDraft("OpenAI", ProviderKind.OPENAI)


@pytest.mark.req("MODEL-002", "MODEL-003", "MODEL-005", "SETUP-030")
def test_every_kind_of_provider_can_be_chosen() -> None:
    kinds = {template.kind: template for template in TEMPLATES}
    assert set(kinds) == set(ProviderKind) - {ProviderKind.LOCAL}
    assert kinds[ProviderKind.OLLAMA].key_needed is False
    assert kinds[ProviderKind.COMPATIBLE].address_needed


@pytest.mark.req("MODEL-001", "SETUP-031")
async def test_connecting_asks_for_the_models_and_keeps_the_key_out_of_sight(bench: SettingsBench) -> None:
    found = await bench.providers.connect(OPENAI, "secret-key")
    assert found == ("alpha", "beta")
    row = bench.providers.providers[0]
    assert (row.name, row.has_key, row.check.phase, row.check.count) == ("OpenAI", True, CheckPhase.WORKS, 2)
    assert "secret-key" not in repr(row)


@pytest.mark.req("SETUP-029")
async def test_the_set_up_and_the_settings_show_the_same_table(bench: SettingsBench) -> None:
    in_setup = ProvidersModel(models=bench.bench.service, settings=bench.settings, events=bench.bench.events)
    await in_setup.start()
    await in_setup.connect(OPENAI, "key")
    await in_setup.use_models("OpenAI", ("alpha",))
    await until(lambda: [model.name for row in bench.providers.providers for model in row.models] == ["alpha"])
    await bench.providers.use_models("OpenAI", ("alpha", "beta"))
    await until(lambda: [model.name for row in in_setup.providers for model in row.models] == ["alpha", "beta"])
    await in_setup.close()


async def test_a_provider_that_refuses_is_not_kept(bench: SettingsBench) -> None:
    bench.answers.refuse()
    with pytest.raises(NotochordError) as refused:
        await bench.providers.connect(OPENAI, "wrong")
    assert refused.value.code is Code.MODEL_KEY_REFUSED
    assert await bench.bench.service.providers() == ()
    assert bench.bench.vault.kept == {}


async def test_cancelled_connecting_keeps_nothing(bench: SettingsBench, monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(_: object) -> tuple[str, ...]:
        await asyncio.Event().wait()
        return ()

    monkeypatch.setattr(bench.bench.service._remote, "models", never)
    task = asyncio.create_task(bench.providers.connect(OPENAI, "key"))
    await until(lambda: len(bench.providers.providers) == 1)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert await bench.bench.service.providers() == ()


async def test_a_provider_that_cannot_be_asked_can_be_connected_all_the_same(bench: SettingsBench) -> None:
    bench.answers.refuse(404)
    draft = ProviderDraft("Office", ProviderKind.COMPATIBLE, "http://192.168.1.20:8000")
    await bench.providers.connect_untested(draft, "")
    await until(lambda: [row.name for row in bench.providers.providers] == ["Office"])


async def test_a_test_tells_how_it_went_in_the_row(bench: SettingsBench) -> None:
    await bench.providers.connect(OPENAI, "key")
    bench.answers.refuse()
    await bench.providers.test("OpenAI")
    check = bench.providers.providers[0].check
    assert check.phase is CheckPhase.FAILED
    assert check.error is not None
    assert check.error.code is Code.MODEL_KEY_REFUSED


async def test_a_test_that_is_cancelled_leaves_no_trace(bench: SettingsBench, monkeypatch: pytest.MonkeyPatch) -> None:
    await bench.providers.connect(OPENAI, "key")

    async def never(_: object) -> tuple[str, ...]:
        await asyncio.Event().wait()
        return ()

    monkeypatch.setattr(bench.bench.service._remote, "models", never)
    task = asyncio.create_task(bench.providers.test("OpenAI"))
    await until(lambda: bench.providers.providers[0].check.phase is CheckPhase.RUNNING)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert bench.providers.providers[0].check.phase is CheckPhase.NONE


@pytest.mark.req("SETUP-032")
async def test_models_are_chosen_from_the_list_or_typed_by_hand(bench: SettingsBench) -> None:
    await bench.providers.connect(OPENAI, "key")
    await bench.providers.use_models("OpenAI", ("beta", "typed by hand"))
    await until(lambda: [model.name for model in bench.providers.providers[0].models] == ["beta", "typed by hand"])
    assert await bench.providers.offered("OpenAI") == ("beta", "typed by hand", "alpha")


async def test_models_in_use_are_offered_even_if_the_provider_is_silent(bench: SettingsBench) -> None:
    await bench.providers.connect(OPENAI, "key")
    await bench.providers.use_models("OpenAI", ("beta",))
    bench.answers.refuse(500)
    await until(lambda: bool(bench.providers.providers[0].models))
    assert await bench.providers.offered("OpenAI") == ("beta",)


async def test_another_key_takes_the_place_of_the_first(bench: SettingsBench) -> None:
    await bench.providers.connect(OPENAI, "old")
    await bench.providers.replace_key("OpenAI", "new")
    assert [secret.reveal() for _, secret in bench.bench.vault.kept.values()] == ["new"]
    with pytest.raises(NotochordError):
        await bench.providers.replace_key("OpenAI", "")


async def test_a_provider_without_a_key_can_get_one(bench: SettingsBench) -> None:
    await bench.providers.connect(ProviderDraft("Office", ProviderKind.COMPATIBLE, "http://nas.local:8000"), "")
    await bench.providers.replace_key("Office", "key")
    await until(lambda: bench.providers.providers[0].has_key)


async def test_a_removal_names_the_roles_and_agents_that_lose_their_model(bench: SettingsBench) -> None:
    await bench.providers.connect(OPENAI, "key")
    await bench.providers.use_models("OpenAI", ("alpha", "beta"))
    await bench.bench.service.set_role("deep", ModelRef("OpenAI", "beta"))
    await bench.settings.change(model_setting(BuiltInAgent.BACKGROUND), "OpenAI/alpha")
    await until(lambda: len(bench.providers.providers[0].models) == 2)
    affected = await bench.providers.affected("OpenAI")
    assert affected.models == ("alpha", "beta")
    assert affected.roles == ("chat", "deep")
    assert affected.agents == ("background",)
    await bench.providers.remove("OpenAI")
    await until(lambda: not len(bench.providers.providers))
    assert bench.bench.vault.kept == {}


@pytest.mark.req("MODEL-004")
async def test_a_model_file_is_fetched_used_and_chosen(bench: SettingsBench) -> None:
    await bench.providers.fetch_file("tiny")
    assert bench.providers.files[0].here
    await bench.providers.use_file("tiny", "This computer")
    await until(lambda: bench.providers.files[0].used)
    assert bench.providers.providers[0].kind is ProviderKind.LOCAL
    await bench.providers.add_file(Path("/somewhere/own.gguf"))
    await bench.providers.use_file("own", "This computer")
    await until(lambda: [model.name for model in bench.providers.providers[0].models] == ["tiny", "own"])


async def test_the_first_model_is_in_use_as_soon_as_it_is_fetched(bench: SettingsBench) -> None:
    await bench.providers.fetch_file("tiny", "This computer")
    await until(lambda: bench.providers.files[0].used)
    assert str((await bench.bench.service.roles())[0].model) == "This computer/tiny"


async def test_a_fetched_file_waits_to_be_chosen_where_there_is_a_model(bench: SettingsBench) -> None:
    await bench.providers.connect_untested(ProviderDraft("Ollama", ProviderKind.OLLAMA, models=("qwen3:8b",)), "")
    await until(lambda: len(bench.providers.providers) == 1)
    await bench.providers.fetch_file("tiny", "This computer")
    assert [row.used for row in bench.providers.files] == [False]


@pytest.mark.req("ORG-038")
async def test_a_model_file_that_is_deleted_leaves_its_provider_and_its_roles(bench: SettingsBench) -> None:
    await bench.providers.fetch_file("tiny")
    await bench.providers.use_file("tiny", "This computer")
    await until(lambda: bench.providers.files[0].used)
    assert (await bench.providers.affected_by_file("tiny")).roles == ("chat",)
    await bench.providers.remove_file("tiny")
    await until(lambda: not bench.providers.files[0].here)
    assert all(role.model is None for role in await bench.bench.service.roles())
    assert bench.files.here == set()


async def test_a_file_no_longer_used_stays_on_the_computer(bench: SettingsBench) -> None:
    await bench.providers.fetch_file("tiny")
    await bench.providers.use_file("tiny", "This computer")
    await until(lambda: bench.providers.files[0].used)
    await bench.providers.stop_using_file("tiny")
    await until(lambda: not bench.providers.files[0].used)
    assert bench.files.here == {"tiny"}


@pytest.mark.req("SETUP-047")
async def test_an_ollama_that_was_found_is_connected_without_a_key(bench: SettingsBench) -> None:
    bench.providers.ollama.set(("qwen3:8b",))
    await bench.providers.use_ollama()
    await until(lambda: [row.kind for row in bench.providers.providers] == [ProviderKind.OLLAMA])
    assert not bench.providers.providers[0].has_key
    await bench.providers.look_for_ollama()
    assert bench.providers.ollama.value is None


async def test_a_table_that_cannot_be_read_says_why_until_it_can(
    bench: SettingsBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails() -> None:
        raise NotochordError(Code.DISK_IO, Fault.SYSTEM, "broken")

    with monkeypatch.context() as broken:
        broken.setattr(bench.bench.service, "providers", fails)
        await bench.providers.load()
        assert bench.providers.state.value.pane is Pane.FAILED
    await bench.providers.load()
    assert bench.providers.state.value == READY
