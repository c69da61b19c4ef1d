"""Providers, their models and the roles, as the user sets them up."""

from pathlib import Path

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.egress.api import Leave, Response
from notochord.services.models.addresses import read_address
from notochord.services.models.api import ChosenBy, ModelRef, Provider, ProviderDraft, ProviderKind, RolesChanged
from notochord.services.models.component import COMPONENT
from notochord.services.models.preparation import leave
from notochord.services.models.tables import METADATA
from notochord.services.vault.api import ConnectionDraft, Placement, Registration, Secret
from support.models import CALLER, ModelsBench, models_bench, reply_of, request
from support.schemas import assert_same_schema
from support.strict_servers import OpenAiServer, Say

LINES = {
    "chat": "Everyday conversation and tasks; what a sub-agent gets when no role fits better.",
    "vision": "Reading images: screenshots, photos, scanned pages.",
    "deep": "The strongest model, for hard thinking and output that must be good: planning, analysis, generating a "
    "whole HTML page or a long report.",
    "local": "A model on this computer, so nothing leaves it: for sensitive content such as emails, personal data, "
    "passwords or private documents.",
}
LOCAL = "http://127.0.0.1:1234"


async def code_of(awaitable: object) -> Code:
    with pytest.raises(NotochordError) as caught:
        await awaitable  # type: ignore[misc]
    return caught.value.code


def test_the_tables_are_those_of_the_migrations() -> None:
    assert_same_schema(METADATA, (COMPONENT,))


# -- roles


async def test_a_role_that_there_is_not_is_answered_with_those_that_there_are(bench: ModelsBench) -> None:
    with pytest.raises(NotochordError) as caught:
        await bench.service.set_role("chats", None)
    assert caught.value.parameters["roles"] == "chat, vision, deep, local"


@pytest.mark.req("MODEL-008", "MODEL-010")
async def test_there_are_four_roles_without_a_model_at_first(bench: ModelsBench) -> None:
    roles = await bench.service.roles()
    assert [(role.name, role.model, role.built_in) for role in roles] == [(name, None, True) for name in LINES]


@pytest.mark.req("MODEL-014", "MODEL-015", "MODEL-016", "MODEL-017")
async def test_the_lines_of_the_built_in_roles_are_word_for_word(bench: ModelsBench) -> None:
    assert {role.name: role.description for role in await bench.service.roles()} == LINES


@pytest.mark.req("MODEL-009")
async def test_a_built_in_role_cannot_be_removed_or_described_anew(bench: ModelsBench) -> None:
    assert await code_of(bench.service.remove_role("chat")) is Code.ROLE_INVALID
    assert await code_of(bench.service.describe_role("deep", "x")) is Code.ROLE_INVALID


async def test_the_first_model_goes_into_the_empty_chat_role(bench: ModelsBench) -> None:
    await bench.connect(ProviderKind.OLLAMA, "", "one", "two")
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL, "three", name="q")
    assert (await bench.service.roles())[0].model == ModelRef("p", "one")


@pytest.mark.req("MODEL-007", "MODEL-006")
async def test_a_role_gets_one_of_the_connected_models_and_can_get_another(bench: ModelsBench) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL, "one", "two")
    await bench.service.set_role("deep", ModelRef("p", "two"))
    assert (await bench.service.choose("deep")).model == ModelRef("p", "two")
    await bench.service.set_role("deep", ModelRef("p", "one"))
    assert (await bench.service.choose("deep")).model == ModelRef("p", "one")
    assert await code_of(bench.service.set_role("deep", ModelRef("p", "three"))) is Code.MODEL_UNKNOWN


@pytest.mark.req("MODEL-020", "MODEL-021", "MODEL-023", "MODEL-024")
async def test_a_role_of_ones_own_is_added_with_its_model_described_and_removed(bench: ModelsBench) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL, "one")
    unknown = bench.service.add_role("writer", "Writes.", ModelRef("p", "gone"))
    assert await code_of(unknown) is Code.MODEL_UNKNOWN
    assert len(await bench.service.roles()) == 4
    await bench.service.add_role("writer", "Writes.", ModelRef("p", "one"))
    await bench.service.describe_role("Writer", "Writes letters.")
    own = (await bench.service.roles())[4]
    assert (own.name, own.description, own.model) == ("writer", "Writes letters.", ModelRef("p", "one"))
    await bench.service.remove_role("writer")
    assert len(await bench.service.roles()) == 4


@pytest.mark.req("MODEL-022")
@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("", "x"),
        ("a" * 41, "x"),
        ("ok", ""),
        ("ok", " "),
        ("ok", "x" * 201),
        ("CHAT", "x"),
        ("a/b", "x"),
        ("a\nb", "x"),
    ],
)
async def test_names_and_lines_of_roles_have_limits(bench: ModelsBench, name: str, line: str) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL, "one")
    assert await code_of(bench.service.add_role(name, line, ModelRef("p", "one"))) is Code.ROLE_INVALID


async def test_the_local_role_takes_any_model_and_the_place_of_each_is_known(bench: ModelsBench) -> None:
    await bench.service.add_provider(ProviderDraft("cloud", ProviderKind.OPENAI, models=("gpt",)), Secret("sk-1"))
    await bench.service.set_role("local", ModelRef("cloud", "gpt"))
    await bench.connect(ProviderKind.OLLAMA, "", "x")
    places = {provider.name: provider.on_this_computer for provider in await bench.service.providers()}
    assert places == {"cloud": False, "p": True}


async def test_roles_whose_model_goes_are_unset(bench: ModelsBench) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL, "one", "two")
    await bench.service.set_role("deep", ModelRef("p", "two"))
    await bench.service.add_role("own", "Mine.", ModelRef("p", "two"))
    await bench.service.set_models("p", ("one",))
    assert {role.name: role.model for role in await bench.service.roles()}["deep"] is None
    assert (await bench.service.choose("own")).model == ModelRef("p", "one")
    await bench.service.remove_provider("p")
    assert all(role.model is None for role in await bench.service.roles())


# -- choice


@pytest.mark.req("MODEL-018", "MODEL-038")
async def test_without_a_choice_or_with_an_empty_role_the_chat_role_is_taken(bench: ModelsBench) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL, "one", "two")
    for wanted in ("", "chat", "vision"):
        choice = await bench.service.choose(wanted)
        assert (choice.model, choice.by) == (ModelRef("p", "one"), ChosenBy.CHAT_ROLE)
    assert (await bench.service.choose("", default_role="deep")).by is ChosenBy.CHAT_ROLE


@pytest.mark.req("MODEL-037", "MODEL-027")
async def test_a_choice_is_a_role_or_a_specific_model(bench: ModelsBench) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL, "one", "org/two")
    await bench.service.set_role("deep", ModelRef("p", "org/two"))
    assert (await bench.service.choose("deep")).by is ChosenBy.ROLE
    assert (await bench.service.choose("p/org/two")).model == ModelRef("p", "org/two")
    assert await code_of(bench.service.choose("p/three")) is Code.MODEL_UNKNOWN
    assert await code_of(bench.service.choose("nosuchrole")) is Code.MODEL_UNKNOWN


async def test_with_no_model_at_all_the_choice_fails(bench: ModelsBench) -> None:
    assert await code_of(bench.service.choose()) is Code.MODEL_NOT_CHOSEN


@pytest.mark.req("MODEL-059", "MODEL-032")
async def test_a_choice_that_was_settled_stays_when_the_role_changes(bench: ModelsBench, openai: OpenAiServer) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url, "one", "two")
    settled = await bench.service.choose()
    await bench.service.set_role("chat", ModelRef("p", "two"))
    openai.script(Say("x"))
    await reply_of(bench.service, request("Hi", model=settled.model))
    assert openai.requests[0]["model"] == "one"


# -- providers


@pytest.mark.req("SETUP-030", "MODEL-002", "MODEL-003", "MODEL-005")
@pytest.mark.parametrize(
    ("kind", "typed", "base"),
    [
        (ProviderKind.OPENAI, "https://api.openai.com/v1", "https://api.openai.com/v1"),
        (ProviderKind.ANTHROPIC, "", "https://api.anthropic.com"),
        (ProviderKind.GEMINI, "", "https://generativelanguage.googleapis.com/v1beta/openai"),
        (ProviderKind.OPENROUTER, "", "https://openrouter.ai/api/v1"),
        (ProviderKind.OLLAMA, "", "http://localhost:11434/v1"),
        (ProviderKind.COMPATIBLE, "http://10.0.0.5:8000", "http://10.0.0.5:8000/v1"),
    ],
)
async def test_every_kind_of_provider_can_be_connected(
    bench: ModelsBench, kind: ProviderKind, typed: str, base: str
) -> None:
    key = None if kind in (ProviderKind.OLLAMA, ProviderKind.COMPATIBLE) else Secret("sk-1")
    provider = await bench.service.add_provider(ProviderDraft("x", kind, typed, ("m",)), key)
    assert provider.base_url == base
    assert await bench.service.providers() == (provider,)


@pytest.mark.parametrize(
    ("kind", "typed", "base"),
    [
        (ProviderKind.COMPATIBLE, f"{LOCAL}/v1", f"{LOCAL}/v1"),
        (ProviderKind.COMPATIBLE, f"{LOCAL}/v1/", f"{LOCAL}/v1"),
        (ProviderKind.COMPATIBLE, f"{LOCAL}/", f"{LOCAL}/v1"),
        (ProviderKind.COMPATIBLE, f"{LOCAL}//v1//", f"{LOCAL}/v1"),
        (ProviderKind.COMPATIBLE, f"{LOCAL}/v1/chat/completions", f"{LOCAL}/v1"),
        (ProviderKind.COMPATIBLE, f"{LOCAL}/api", f"{LOCAL}/api/v1"),
        (ProviderKind.COMPATIBLE, "localhost:8080", "http://localhost:8080/v1"),
        (ProviderKind.COMPATIBLE, "models.example.com", "https://models.example.com/v1"),
        (ProviderKind.COMPATIBLE, "https://h.example/api/v3", "https://h.example/api/v3"),
        (ProviderKind.COMPATIBLE, "HTTP://LocalHost:80/V1", "http://localhost/V1/v1"),
        (ProviderKind.OLLAMA, "http://localhost:11434/api/", "http://localhost:11434/v1"),
        (ProviderKind.ANTHROPIC, "https://api.anthropic.com/v1/", "https://api.anthropic.com"),
        (ProviderKind.COMPATIBLE, "http://[::1]:80/", "http://[::1]/v1"),
    ],
)
def test_an_address_leads_to_the_same_place_however_it_is_typed(kind: ProviderKind, typed: str, base: str) -> None:
    """Known fault K4."""
    assert read_address(typed, kind).base == base


@pytest.mark.parametrize(
    "typed",
    [
        "http://models.example.com",
        "ftp://h/",
        "https://u:p@h/",
        "https://h/?k=1",
        "https://h/#x",
        "https://",
        "https://h:99999/",
        "https://h/a b",
        "htp:/x",
        "htps://h/",
        "https:/h/",
        "mailto:me",
        "https://h..example/",
        "",
    ],
)
def test_an_address_that_cannot_be_meant_is_refused(typed: str) -> None:
    with pytest.raises(NotochordError) as caught:
        read_address(typed, ProviderKind.COMPATIBLE)
    assert caught.value.code is Code.INPUT_INVALID
    assert caught.value.detail


@pytest.mark.req("SETUP-031", "SETUP-033")
async def test_the_key_goes_to_the_vault_bound_to_the_providers_host(bench: ModelsBench) -> None:
    await bench.service.add_provider(ProviderDraft("cloud", ProviderKind.OPENAI, models=("m",)), Secret("sk-1"))
    await bench.service.add_provider(ProviderDraft("near", ProviderKind.COMPATIBLE, LOCAL), Secret("sk-2"))
    cloud, near = (connection for connection, _ in bench.vault.kept.values())
    assert cloud.registration == Registration(("api.openai.com",))
    assert near.registration == Registration(("127.0.0.1:1234",), plain_http=LOCAL)
    assert cloud.placement is Placement.BEARER
    await bench.service.remove_provider("cloud")
    assert [connection.name for connection in await bench.vault.connections()] == ["near"]


async def test_a_provider_that_cannot_be_added_leaves_no_key(bench: ModelsBench) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, LOCAL)
    draft = ProviderDraft("P", ProviderKind.OPENAI)
    assert await code_of(bench.service.add_provider(draft, Secret("sk-1"))) is Code.PROVIDER_EXISTS
    assert (
        await code_of(bench.service.add_provider(ProviderDraft("q", ProviderKind.OPENAI), None)) is Code.INPUT_INVALID
    )
    assert bench.vault.kept == {}


async def test_a_key_whose_provider_was_never_stored_is_dropped_at_the_start(bench: ModelsBench) -> None:
    await bench.vault.add(ConnectionDraft("x", "model provider", Placement.BEARER, Registration(("h",))), Secret("s"))
    await bench.vault.add(ConnectionDraft("mail", "mail", Placement.BEARER, Registration(("h",))), Secret("s"))
    await bench.service.start()
    assert [connection.name for connection in await bench.vault.connections()] == ["mail"]


@pytest.mark.req("SETUP-032", "MODEL-001")
async def test_the_models_of_a_provider_are_listed_and_chosen(bench: ModelsBench, openai: OpenAiServer) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url)
    assert await bench.service.listed_models("p") == ("alpha", "beta")
    heard: list[RolesChanged] = []
    bench.events.subscribe(RolesChanged, heard.append)
    provider = await bench.service.set_models("p", ("beta", "beta ", "alpha"))
    assert provider.models == ("beta", "alpha")
    assert heard == [RolesChanged()]


@pytest.mark.req("SET-032", "SET-033")
@pytest.mark.parametrize(
    ("kind", "url", "origin"),
    [
        (ProviderKind.OPENAI, "https://api.openai.com/v1", "https://api.openai.com"),
        (ProviderKind.COMPATIBLE, "https://llm.corp.example.com:8443/v1", "https://llm.corp.example.com:8443"),
        (ProviderKind.OLLAMA, "localhost:11434", "http://localhost:11434"),
    ],
)
def test_the_address_of_a_provider_and_no_other_is_an_exception_of_the_network_rules(
    kind: ProviderKind, url: str, origin: str
) -> None:
    provider = Provider("p", kind, url, "key", (), on_this_computer=False)
    found = leave(provider, Leave(CALLER))
    assert (found.typed_origin, found.own, found.connection) == (origin, True, "key")


async def test_the_exception_is_in_force_when_models_are_asked_for(bench: ModelsBench, openai: OpenAiServer) -> None:
    await bench.connect(ProviderKind.COMPATIBLE, openai.base_url)
    await bench.service.listed_models("p")
    assert bench.clients.leaves[0].typed_origin == openai.origin


async def test_what_was_set_up_is_there_after_reopening(tmp_path: Path) -> None:
    async with models_bench(tmp_path) as first:
        await first.connect(ProviderKind.COMPATIBLE, LOCAL, "one")
        before = (await first.service.providers(), await first.service.roles())
    async with models_bench(tmp_path) as second:
        assert (await second.service.providers(), await second.service.roles()) == before


# -- Ollama


def answer(body: bytes, status: int = 200) -> Response:
    return Response(status, "http://localhost:11434/api/tags", (), body)


async def test_a_running_ollama_is_found_with_its_models(bench: ModelsBench) -> None:
    bench.egress.answer = answer(b'{"models": [{"name": "llama3:8b"}, {"name": "qwen3"}]}')
    assert await bench.service.detect_ollama() == ("llama3:8b", "qwen3")
    (asked,) = bench.egress.requests
    assert (asked.method, asked.url, asked.timeout) == ("GET", "http://localhost:11434/api/tags", 1.0)


@pytest.mark.parametrize(
    "found", [NotochordError(Code.TIMEOUT, Fault.NETWORK), answer(b"<html>"), answer(b"{}"), answer(b"x", 404)]
)
async def test_what_does_not_answer_like_an_ollama_is_none(
    bench: ModelsBench, found: Response | NotochordError
) -> None:
    bench.egress.answer = found
    assert await bench.service.detect_ollama() is None
