"""`notochord account`: secrets come from a hidden prompt, and none is ever shown."""

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.vault.api import Placement, Registration, SignIn
from support.accounts import PAGE, MemoryAccounts
from support.exchanges import KeptExchange
from support.front_bench import Bench, refused

SECRET = "secret-canary"
GEM = "eu.example.sums"


def accounts(bench: Bench) -> MemoryAccounts:
    assert isinstance(bench.services.accounts, MemoryAccounts)
    return bench.services.accounts


async def add(bench: Bench, *words: str, json: bool = False) -> KeptExchange:
    return await bench.give("account", "add", *words, to=KeptExchange(SECRET, json=json))


@pytest.mark.req("CRED-001", "CRED-008")
async def test_an_account_is_added_by_a_service_and_its_key_asked_for_hidden(bench: Bench) -> None:
    exchange = await add(bench, "Mine", "--service", "github", json=True)
    assert exchange.hidden == ["Key, password or client secret of Mine (not shown): "]
    assert accounts(bench).secrets == {"account-1": SECRET}
    listed = await bench.give("account", "list", to=KeptExchange(json=True))
    shown = await bench.give("account", "show", "mine", to=KeptExchange())
    assert SECRET not in str(exchange.values) + str(exchange.said) + str(listed.values) + shown.out
    assert "Sent only to: api.github.com, uploads.github.com (paths: /)" in shown.out
    assert "Gems that may use it: –" in shown.out


async def test_a_service_of_ones_own_is_described_by_options(bench: Bench) -> None:
    words = ("--method", "header", "--field", "X-Key", "--prefix", "Token", "--host", "a.example", "--path", "/v1")
    await add(bench, "Own", *words, "--host", "http://192.168.1.2:80")
    (made,) = accounts(bench).kept.values()
    assert (made.placement, made.field, made.prefix) == (Placement.HEADER, "X-Key", "Token ")
    assert made.registration == Registration(("a.example",), ("/v1",), "http://192.168.1.2:80")


async def test_an_unknown_service_or_account_is_named(bench: Bench) -> None:
    assert await refused(bench, "account", "add", "x", "--service", "none", to=KeptExchange("k")) is Code.NOT_FOUND
    assert await refused(bench, "account", "show", "x", to=KeptExchange()) is Code.NOT_FOUND
    await add(bench, "Mine", "--service", "github")
    await add(bench, "Mine", "--service", "gitlab")
    assert await refused(bench, "account", "show", "mine", to=KeptExchange()) is Code.INPUT_INVALID
    exchange = await bench.give("account", "show", "account-2", to=KeptExchange())
    assert "GitLab" in exchange.out


@pytest.mark.req("CRED-016", "CRED-017", "CRED-021")
async def test_an_account_is_given_to_a_gem_taken_back_and_deleted(bench: Bench) -> None:
    await add(bench, "Mine", "--service", "github")
    given = await bench.give("account", "grant", "Mine", GEM, "service", to=KeptExchange())
    assert given.out == "Sums may use the account Mine.\n"
    assert GEM in (await bench.give("account", "list", to=KeptExchange())).out
    await bench.give("account", "revoke", "Mine", GEM, to=KeptExchange())
    assert await bench.services.gems.account_choices() == ()
    await bench.give("account", "grant", "Mine", GEM, "service", to=KeptExchange())
    kept = await bench.give("account", "remove", "Mine", to=KeptExchange("n"))
    assert kept.said == [f"These gems stop working where they need it: {GEM}"]
    assert accounts(bench).secrets != {}
    await bench.give("account", "remove", "Mine", "--yes", to=KeptExchange())
    assert accounts(bench).secrets == {}


async def test_a_user_signs_in_at_the_address_that_is_told(bench: Bench) -> None:
    exchange = await add(bench, "Work", "--service", "google", "--client-id", "me", "--scope", "a")
    assert exchange.said == ['Sign in next: notochord account sign-in "Work"']
    signed = await bench.give("account", "sign-in", "work", to=KeptExchange())
    assert signed.said == [f"Open this address in a browser on this computer and sign in:\n{PAGE}"]
    assert signed.out == "You are signed in to Work.\n"
    await bench.give("account", "sign-out", "work", to=KeptExchange())
    assert accounts(bench).kept["account-1"].sign_in is SignIn.NEEDED
    accounts(bench).refusal = NotochordError(Code.SIGN_IN_REFUSED, Fault.USER, "no", reason="access_denied")
    assert await refused(bench, "account", "sign-in", "work", to=KeptExchange()) is Code.SIGN_IN_REFUSED


async def test_an_account_is_tried_and_its_secret_replaced(bench: Bench) -> None:
    await add(bench, "Mine", "--service", "github")
    exchange = await bench.give("account", "test", "Mine", to=KeptExchange())
    assert exchange.out == "The service accepts the account Mine.\n"
    await bench.give("account", "replace", "Mine", to=KeptExchange("another"))
    assert accounts(bench).secrets == {"account-1": "another"}
    services = await bench.give("account", "services", to=KeptExchange())
    assert "openweather  OpenWeather" in services.out
