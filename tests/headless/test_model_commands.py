"""`notochord provider` and `notochord model`."""

from typing import Any, cast

import pytest

from notochord.core.codes import Code
from support.exchanges import KeptExchange
from support.front_bench import Bench, refused

GEM = "eu.example.sums"


async def test_the_key_of_a_provider_is_asked_for_and_shown_nowhere(bench: Bench) -> None:
    secret = "sk-very-secret"
    exchange = await bench.give("provider", "add", "p", "--kind", "openai", to=KeptExchange(secret + "\r"))
    await bench.give("provider", "list", to=exchange)
    assert bench.opener.models.keys == {"p": secret}
    assert len(exchange.hidden) == 1
    assert secret not in exchange.out + "".join(exchange.said)


@pytest.mark.parametrize("words", [("--kind", "ollama"), ("--kind", "compatible", "--no-key")])
async def test_a_provider_without_a_key_asks_for_none(bench: Bench, words: tuple[str, ...]) -> None:
    exchange = await bench.give("provider", "add", "p", *words, to=KeptExchange())
    assert exchange.hidden == []


async def test_an_address_without_encryption_is_warned_of(bench: Bench) -> None:
    words = ("provider", "add", "p", "--kind", "compatible", "--url", "HTTP://box:1", "--no-key")
    exchange = await bench.give(*words, to=KeptExchange())
    assert "is not encrypted" in exchange.said[0]


async def test_a_new_provider_is_tried_and_kept_if_it_does_not_answer(bench: Bench) -> None:
    words = ("provider", "add", "p", "--kind", "openai", "--use", "small")
    exchange = await bench.give(*words, to=KeptExchange("wrong"))
    assert "p could not be tested, but was saved anyway. E_MODEL_KEY_REFUSED" in exchange.said[0]
    assert [one.name for one in await bench.services.models.providers()] == ["p"]


async def test_a_new_provider_is_not_tried_when_that_is_not_wanted(bench: Bench) -> None:
    words = ("provider", "add", "p", "--kind", "openai", "--use", "small", "--no-test")
    assert (await bench.give(*words, to=KeptExchange("wrong"))).said == []


async def test_a_model_that_the_new_provider_does_not_list_is_told(bench: Bench) -> None:
    words = ("provider", "add", "p", "--kind", "openai", "--use", "small", "--use", "smal")
    exchange = await bench.give(*words, to=KeptExchange("k"))
    assert [text for text in exchange.said if "named smal." in text] == exchange.said


@pytest.mark.parametrize(("words", "told"), [((), "and its key was deleted"), (("--no-key",), "p was disconnected.\n")])
async def test_removing_a_provider_tells_of_a_key_only_if_it_had_one(
    bench: Bench, words: tuple[str, ...], told: str
) -> None:
    await bench.give("provider", "add", "p", "--kind", "compatible", *words, to=KeptExchange("k"))
    assert told in (await bench.give("provider", "remove", "p", to=KeptExchange())).out


async def test_testing_a_provider_tells_a_refused_key(bench: Bench) -> None:
    await bench.give("provider", "add", "p", "--kind", "openai", to=KeptExchange("wrong"))
    assert await refused(bench, "provider", "test", "p", to=KeptExchange()) is Code.MODEL_KEY_REFUSED


async def test_models_are_chosen_and_listed_with_their_roles(bench: Bench) -> None:
    await bench.give("provider", "add", "p", "--kind", "openai", to=KeptExchange("k"))
    await bench.give("provider", "models", "p", "small", "org/large", to=KeptExchange())
    await bench.give("model", "role", "chat", "p/org/large", to=KeptExchange())
    exchange = await bench.give("model", "list", to=KeptExchange(json=True))
    assert exchange.values == [[{"model": "p/small", "roles": []}, {"model": "p/org/large", "roles": ["chat"]}]]


async def test_a_new_role_needs_a_description_and_a_model(bench: Bench) -> None:
    words = ("model", "role", "draft", "--describe", "Writes drafts.")
    assert await refused(bench, *words, to=KeptExchange()) is Code.INPUT_INVALID
    await bench.give("model", "role", "draft", "p/small", "--describe", "Writes drafts.", to=KeptExchange())
    exchange = await bench.give("model", "role", to=KeptExchange())
    assert "draft  p/small  Writes drafts." in exchange.out
    await bench.give("model", "role", "draft", "--none", to=KeptExchange())
    await bench.give("model", "role", "draft", "--remove", to=KeptExchange())


@pytest.mark.parametrize("text", ["small", "/small", "p/", ""])
async def test_a_model_is_named_with_its_provider(bench: Bench, text: str) -> None:
    code = await refused(bench, "model", "role", "chat", text, to=KeptExchange())
    assert code in (Code.MODEL_UNKNOWN, Code.INPUT_INVALID)


async def test_a_local_model_is_listed_and_downloaded(bench: Bench) -> None:
    assert "tiny  135 MB  can be downloaded" in (await bench.give("model", "list", "--local", to=KeptExchange())).out
    await bench.give("model", "download", "tiny", to=KeptExchange())
    assert "tiny  135 MB  here" in (await bench.give("model", "list", "--local", to=KeptExchange())).out


@pytest.mark.req("GEM-018", "GEM-019")
async def test_agents_are_listed_with_their_tools_for_gems_which_are_given_and_taken(bench: Bench) -> None:
    async def listed() -> dict[str, list[str]]:
        shown = await bench.give("agent", "list", to=KeptExchange(json=True))
        return {row["agent"]: row["tools"] for row in cast("Any", shown.values[0])}

    both = ["read_skill", "tool_search"]
    none: dict[str, list[str]] = {"background": [], f"{GEM}/helper": [], f"{GEM}/inner": []}
    assert await listed() == {"project": [], "chat": both, "studio": [], **none}
    await bench.give("agent", "tools", "chat", "--take", "tool_search", to=KeptExchange())
    await bench.give("agent", "tools", "project", "--give", "read_skill", "--give", "tool_search", to=KeptExchange())
    assert await listed() == {"project": both, "chat": ["read_skill"], "studio": [], **none}
    told = await bench.give("agent", "tools", "studio", to=KeptExchange())
    assert told.out == "studio has no tools for gems.\n"


async def uses(bench: Bench) -> dict[str, str]:
    shown = await bench.give("agent", "list", to=KeptExchange(json=True))
    return {row["agent"]: row["uses"] for row in cast("Any", shown.values[0])}


@pytest.mark.req("MODEL-037", "MODEL-038", "MODEL-112")
async def test_an_agent_of_the_program_or_of_a_gem_is_given_a_role_or_a_model_and_loses_it(bench: Bench) -> None:
    await bench.give("model", "role", "draft", "p/small", "--describe", "Writes drafts.", to=KeptExchange())
    before = await uses(bench)
    assert set(before.values()) == {"chat"}
    told = await bench.give("agent", "model", "background", "Draft", to=KeptExchange())
    assert (told.out, told.said) == ("background uses draft.\n", [])
    told = await bench.give("agent", "model", f"{GEM}/helper", "p/small", to=KeptExchange())
    assert told.said == ["p/small probably cannot do what the agent has to do."]
    assert await uses(bench) == {**before, "background": "draft", f"{GEM}/helper": "p/small"}
    for name in ("background", f"{GEM}/helper"):
        await bench.give("agent", "model", name, "--default", to=KeptExchange())
    assert await uses(bench) == before


async def test_an_agent_given_a_role_without_a_model_is_told_so(bench: Bench) -> None:
    await bench.give("model", "role", "draft", "p/small", "--describe", "Writes drafts.", to=KeptExchange())
    await bench.give("model", "role", "draft", "--none", to=KeptExchange())
    told = await bench.give("agent", "model", "chat", "draft", to=KeptExchange())
    assert told.said == ["The role draft has no model yet."]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("nobody", "chat"), Code.NOT_FOUND),
        ((f"{GEM}/nobody", "chat"), Code.NOT_FOUND),
        (("other/helper", "chat"), Code.GEM_UNKNOWN),
        (("chat", "no-such-role"), Code.MODEL_UNKNOWN),
        (("chat", "p/small", "--default"), Code.INPUT_INVALID),
    ],
)
async def test_what_is_no_agent_or_no_model_changes_nothing(bench: Bench, words: tuple[str, ...], code: Code) -> None:
    before = await uses(bench)
    assert await refused(bench, "agent", "model", *words, to=KeptExchange()) is code
    assert await uses(bench) == before
