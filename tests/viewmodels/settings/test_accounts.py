"""Accounts: one store with two views; who may use each is shown, and what is deleted takes its secret along."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.sentences import Sentences
from notochord.services.accounts.templates import bundled
from notochord.services.gems.api import AccountChoice, AccountChosen, Gem, Trust
from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.services.vault.api import Grant, GranteeKind, Placement, Registration, SignIn
from notochord.viewmodels.settings.account_rows import AccountForm, Method, draft_of, registration_of
from notochord.viewmodels.settings.accounts import AccountsModel
from notochord.viewmodels.settings.provider_rows import CheckPhase
from support.accounts import PAGE, MemoryAccounts, MemoryGrants
from support.eventually import until
from support.settings_bench import SettingsBench

TEMPLATES = {template.id: template for template in bundled()}
GITHUB = AccountForm(TEMPLATES["github"], "GitHub", secret="secret-key")
GOOGLE = AccountForm(TEMPLATES["google"], "Work", client_id="my-client", scopes="a b", secret="client-secret")


class TwoGems:
    """Two installed gems; `choices` are what the user chose on their pages."""

    def __init__(self) -> None:
        self.choices: tuple[AccountChoice, ...] = ()

    async def all(self) -> tuple[Gem, ...]:
        return tuple(
            Gem(name.lower(), name, "1.0.0", "", Trust.DEVELOPER, (), False, (), "ready") for name in ("Watch", "Notes")
        )

    async def account_choices(self) -> tuple[AccountChoice, ...]:
        return self.choices


@dataclass
class Bench:
    """The section over accounts in memory; `opened` are the pages that the browser was shown."""

    settings: SettingsBench
    memory: MemoryAccounts
    gems: TwoGems
    grants: MemoryGrants
    model: AccountsModel
    opened: list[str] = field(default_factory=list)


@pytest.fixture
async def screen(bench: SettingsBench) -> AsyncIterator[Bench]:
    events = bench.bench.events
    memory, gems, grants, opened = MemoryAccounts(events), TwoGems(), MemoryGrants(), list[str]()

    def browser(address: str) -> bool:
        opened.append(address)
        return True

    model = AccountsModel(
        accounts=memory,
        grants=grants,
        gems=cast(Any, gems),
        models=bench.bench.service,
        events=events,
        sentences=Sentences.load("en"),
        show=browser,
        encrypted=True,
    )
    await model.start()
    yield Bench(bench, memory, gems, grants, model, opened)
    await model.close()


def phase(screen: Bench) -> CheckPhase:
    return screen.model.accounts[0].check.phase


@pytest.mark.req("CRED-001", "CRED-002", "CRED-003")
async def test_an_account_is_listed_with_its_places_and_its_key_is_not_shown(screen: Bench) -> None:
    await screen.model.add(GITHUB)
    (row,) = screen.model.accounts
    assert (row.name, row.service, row.method, row.can_test) == ("GitHub", "GitHub", Method.BEARER, True)
    assert row.hosts == ("api.github.com", "uploads.github.com")
    assert "secret-key" not in repr(row) + repr(GITHUB)
    assert screen.memory.secrets == {row.id: "secret-key"}


@pytest.mark.req("CRED-002", "CRED-020")
async def test_the_key_of_a_provider_is_an_account_and_deleting_it_leaves_the_provider_without_one(
    screen: Bench,
) -> None:
    await screen.settings.providers.connect(ProviderDraft("OpenAI", ProviderKind.OPENAI), "secret-key")
    vault = screen.settings.bench.vault
    (connection,) = await vault.connections()
    screen.memory.kept[connection.id] = connection
    await screen.model.load()
    (row,) = screen.model.accounts
    assert (row.name, row.provider, row.hosts) == ("OpenAI", "OpenAI", ("api.openai.com",))
    await screen.model.delete(row.id)
    assert vault.kept == {}


@pytest.mark.req("CRED-016", "CRED-017", "CRED-018")
async def test_who_may_use_an_account_is_shown_and_at_first_nobody_may(screen: Bench) -> None:
    account = await screen.model.add(GITHUB)
    (row,) = screen.model.accounts
    assert (row.gems, row.projects) == ((), 0)
    choices = [AccountChoice("watch", slot, account) for slot in ("one", "two")]
    screen.gems.choices = (*choices, AccountChoice("notes", "one", account), AccountChoice("notes", "x", "other"))
    screen.grants.given.append(Grant(account, GranteeKind.PROJECT, "p"))
    screen.settings.bench.events.publish(AccountChosen("watch"))
    await until(lambda: screen.model.accounts[0].projects == 1)
    assert screen.model.accounts[0].gems == ("Notes", "Watch")


@pytest.mark.req("CRED-020")
async def test_deleting_an_account_deletes_its_secret(screen: Bench) -> None:
    account = await screen.model.add(GITHUB)
    await screen.model.delete(account)
    assert (screen.memory.secrets, list(screen.model.accounts)) == ({}, [])


async def test_an_account_is_tried_and_how_it_went_stays_in_its_row(screen: Bench) -> None:
    account = await screen.model.add(GITHUB)
    await screen.model.test(account)
    assert phase(screen) == CheckPhase.WORKS
    screen.memory.refusal = NotochordError(Code.ACCOUNT_REFUSED, Fault.USER, "401", name="GitHub", status=401)
    await screen.model.test(account)
    assert screen.model.accounts[0].check.error is screen.memory.refusal
    await screen.model.load()
    assert phase(screen) == CheckPhase.FAILED
    await screen.model.replace_secret(account, "another")
    assert phase(screen) == CheckPhase.NONE
    assert screen.memory.secrets[account] == "another"


async def test_a_user_signs_in_with_the_browser_and_out_again(screen: Bench) -> None:
    account = await screen.model.add(GOOGLE)
    assert screen.model.accounts[0].sign_in is SignIn.NEEDED
    screen.memory.consent.clear()
    task = asyncio.create_task(screen.model.sign_in(account))
    await until(lambda: screen.opened == [PAGE])
    assert screen.model.accounts[0].signing_in
    screen.memory.consent.set()
    await task
    await until(lambda: screen.model.accounts[0].sign_in is SignIn.READY)
    assert not screen.model.accounts[0].signing_in
    await screen.model.sign_out(account)
    await until(lambda: screen.model.accounts[0].sign_in is SignIn.NEEDED)


async def test_a_sign_in_that_is_cancelled_or_refused_leaves_the_row_as_it_was(screen: Bench) -> None:
    account = await screen.model.add(GOOGLE)
    screen.memory.consent.clear()
    task = asyncio.create_task(screen.model.sign_in(account))
    await until(lambda: screen.model.accounts[0].signing_in)
    task.cancel()
    await asyncio.wait([task])
    assert not screen.model.accounts[0].signing_in
    screen.memory.consent.set()
    screen.memory.refusal = NotochordError(Code.SIGN_IN_REFUSED, Fault.USER, "no", reason="access_denied")
    await screen.model.sign_in(account)
    row = screen.model.accounts[0]
    assert (row.check.error, row.sign_in) == (screen.memory.refusal, SignIn.NEEDED)


async def test_an_account_gets_another_name_and_other_places(screen: Bench) -> None:
    account = await screen.model.add(GITHUB)
    await screen.model.change(account, " Mine ", registration_of("git.example.com, api.github.com", "/v1"))
    await until(lambda: screen.model.accounts[0].name == "Mine")
    assert screen.model.accounts[0].hosts == ("git.example.com", "api.github.com")


def test_a_service_of_the_users_own_is_described_by_hand() -> None:
    form = AccountForm(
        None, " Wiki ", Method.HEADER, field_name=" Authorization ", prefix="Token", places="a.example\nb.example:8443",
        paths="/v1，/v2", secret="s",
    )  # fmt: skip
    draft = draft_of(form)
    assert (draft.name, draft.placement, draft.field, draft.prefix) == (
        "Wiki",
        Placement.HEADER,
        "Authorization",
        "Token ",
    )
    assert draft.registration == Registration(("a.example", "b.example:8443"), ("/v1", "/v2"))


def test_one_address_of_the_users_own_network_may_be_without_encryption() -> None:
    assert registration_of("http://192.168.1.20:8080/ api.example.com", "") == Registration(
        ("api.example.com",), (), "http://192.168.1.20:8080"
    )


def test_a_sign_in_by_hand_is_of_addresses_that_the_user_typed() -> None:
    form = AccountForm(
        None, "Own", Method.OAUTH, places="api.example", authorize_url=" https://a.example/auth ",
        token_url="https://a.example/token", client_id="me", scopes="a, b",
    )  # fmt: skip
    client = draft_of(form).oauth
    assert client is not None
    assert (client.authorize_url, client.scopes, client.typed) == ("https://a.example/auth", ("a", "b"), True)
    known = draft_of(GOOGLE).oauth
    assert known is not None
    assert (known.client_id, known.scopes, known.typed) == ("my-client", ("a", "b"), False)


async def test_where_no_browser_opens_the_address_is_shown(bench: SettingsBench) -> None:
    memory = MemoryAccounts(bench.bench.events)
    model = AccountsModel(
        accounts=memory,
        grants=MemoryGrants(),
        gems=cast(Any, TwoGems()),
        models=bench.bench.service,
        events=bench.bench.events,
        sentences=Sentences.load("en"),
        show=lambda _: False,
        encrypted=True,
    )
    account = await model.add(GOOGLE)
    memory.consent.clear()
    task = asyncio.create_task(model.sign_in(account))
    await until(lambda: model.accounts[0].address == PAGE)
    memory.consent.set()
    await task
    assert model.accounts[0].address == ""
    await model.close()
