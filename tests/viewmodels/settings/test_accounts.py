"""Accounts: one store with two views; what is deleted takes its secret along."""

from collections.abc import AsyncIterator

import pytest

from notochord.services.models.api import ProviderDraft, ProviderKind
from notochord.services.vault.api import ConnectionDraft, Placement, Registration, Secret
from notochord.viewmodels.settings.accounts import AccountsModel
from support.eventually import until
from support.settings_bench import SettingsBench


@pytest.fixture
async def accounts(bench: SettingsBench) -> AsyncIterator[AccountsModel]:
    model = AccountsModel(vault=bench.bench.vault, models=bench.bench.service, events=bench.bench.events)
    await model.start()
    yield model
    await model.close()


@pytest.mark.req("CRED-001", "CRED-002", "CRED-003")
async def test_the_key_of_a_provider_is_an_account_and_not_shown(bench: SettingsBench, accounts: AccountsModel) -> None:
    await bench.providers.connect(ProviderDraft("OpenAI", ProviderKind.OPENAI), "secret-key")
    await until(lambda: len(accounts.accounts) == 1)
    row = accounts.accounts[0]
    assert (row.name, row.provider, row.hosts) == ("OpenAI", "OpenAI", ("api.openai.com",))
    assert "secret-key" not in repr(row)


@pytest.mark.req("CRED-020")
async def test_deleting_a_providers_account_leaves_the_provider_without_a_key(
    bench: SettingsBench, accounts: AccountsModel
) -> None:
    await bench.providers.connect(ProviderDraft("OpenAI", ProviderKind.OPENAI), "secret-key")
    await until(lambda: len(accounts.accounts) == 1)
    await accounts.delete(accounts.accounts[0].id)
    assert bench.bench.vault.kept == {}
    await until(lambda: not bench.providers.providers[0].has_key)
    assert list(accounts.accounts) == []


@pytest.mark.req("CRED-020")
async def test_deleting_another_account_deletes_its_secret(bench: SettingsBench, accounts: AccountsModel) -> None:
    draft = ConnectionDraft("Weather", "service", Placement.BEARER, Registration(("api.example.com",)))
    await bench.bench.vault.add(draft, Secret("token"))
    await accounts.load()
    assert [(row.name, row.provider) for row in accounts.accounts] == [("Weather", "")]
    await accounts.delete(accounts.accounts[0].id)
    assert bench.bench.vault.kept == {}
