"""What the vault keeps of accounts: places and use, grants, clients that are signed in to, and old databases."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlalchemy import text

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.persistence.database import Database
from notochord.persistence.migrations import Component
from notochord.services.vault.accounts import StoredAccounts
from notochord.services.vault.api import (
    Attachment,
    ConnectionDraft,
    ConnectionsChanged,
    Grant,
    GranteeKind,
    OAuthClient,
    Placement,
    Registration,
    Secret,
    SignIn,
    Tokens,
)
from notochord.services.vault.component import COMPONENT
from notochord.services.vault.grants import StoredGrants
from notochord.services.vault.service import StoredVault
from support.clocks import HandClock
from support.databases import database_in

TOKEN = "sk-canary-0123456789/+abc"
PLACES = Registration(("api.example.com",))
CLIENT = OAuthClient("https://a.example/auth", "https://a.example/token", "me", ("a",))


@dataclass
class Vaults:
    """The vault, its accounts and grants on one database; `heard` counts the changes that were told."""

    vault: StoredVault
    accounts: StoredAccounts
    grants: StoredGrants
    clock: HandClock
    heard: list[ConnectionsChanged]


@asynccontextmanager
async def vaults_in(folder: Path) -> AsyncIterator[Vaults]:
    clock, redactor, events = HandClock(), Redactor(), EventBus()
    heard: list[ConnectionsChanged] = []
    events.subscribe(ConnectionsChanged, heard.append)
    async with database_in(folder, COMPONENT) as database:
        ids = IdMaker(clock)
        vault = StoredVault(database=database, clock=clock, ids=ids, redactor=redactor, events=events)
        accounts = StoredAccounts(database=database, ids=ids, redactor=redactor, events=events)
        yield Vaults(vault, accounts, StoredGrants(database=database, events=events), clock, heard)
        await vault.close()


def draft(**changes: object) -> ConnectionDraft:
    plain: dict[str, object] = {"name": "A", "kind": "service", "placement": Placement.BEARER, "registration": PLACES}
    return ConnectionDraft(**(plain | changes))  # type: ignore[arg-type]


async def test_text_before_the_key_is_sent_with_it(tmp_path: Path) -> None:
    async with vaults_in(tmp_path) as one:
        made = await one.vault.add(
            draft(placement=Placement.HEADER, field="Authorization", prefix="Token "), Secret(TOKEN)
        )
        found = await one.vault.attachment(made.id, "https://api.example.com/")
        assert isinstance(found, Attachment)
        assert found.headers == (("Authorization", f"Token {TOKEN}"),)


@pytest.mark.parametrize(
    "wrong",
    [
        draft(prefix="Token "),
        draft(placement=Placement.HEADER, field="X", prefix="a\r\nX: y"),
        draft(placement=Placement.HEADER, field="X", prefix=" Token"),
        draft(name="two\nlines"),
        draft(oauth=OAuthClient("http://a.example/auth", "https://a.example/token", "me")),
        draft(oauth=OAuthClient("https://a.example/auth", "http://a.example/token", "me", typed=True)),
        draft(oauth=OAuthClient("https://a.example/auth", "http://localhost:1/token", "me")),
        draft(oauth=OAuthClient("https://a.example/auth", "http://192.168.1.2/token", "me", typed=True)),
        draft(oauth=OAuthClient("javascript:alert(1)", "https://a.example/token", "me")),
        draft(oauth=OAuthClient("https://user@a.example/auth", "https://a.example/token", "me")),
        draft(oauth=OAuthClient("https://a.example/auth#x", "https://a.example/token", "me")),
        draft(oauth=OAuthClient("https://a.example/auth", "https://a.example/token", "")),
        draft(oauth=OAuthClient("https://a.example/auth", "https://a.example/token", "a b")),
        draft(oauth=OAuthClient("https://a.example/auth", "https://a.example/token", "me", ("a b",))),
        draft(placement=Placement.QUERY, field="key", oauth=CLIENT),
    ],
)
async def test_what_no_token_could_be_kept_safe_with_is_refused(tmp_path: Path, wrong: ConnectionDraft) -> None:
    async with vaults_in(tmp_path) as one:
        with pytest.raises(NotochordError) as caught:
            await (one.accounts.add_client(wrong, None) if wrong.oauth else one.vault.add(wrong, Secret(TOKEN)))
        assert caught.value.code is Code.INPUT_INVALID
        assert await one.vault.connections() == ()


async def test_only_requests_that_carry_the_secret_are_counted_and_the_count_lasts(tmp_path: Path) -> None:
    async with vaults_in(tmp_path) as one:
        made = await one.vault.add(draft(), Secret(TOKEN))
        for _ in range(3):
            await one.vault.attachment(made.id, "https://api.example.com/")
        await one.vault.attachment(made.id, "https://other.example/")
        last = one.clock.milliseconds()
        (shown,) = await one.vault.connections()
        assert (shown.uses, shown.last_used) == (3, last)
        one.clock.advance(60)
        await one.vault.attachment(made.id, "https://api.example.com/")
    async with vaults_in(tmp_path) as one:
        (shown,) = await one.vault.connections()
        assert (shown.uses, shown.last_used) == (4, last + 60_000)


async def test_a_request_does_not_fail_for_a_count_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with vaults_in(tmp_path) as one:
        made = await one.vault.add(draft(), Secret(TOKEN))
        one.clock.advance(60)
        write = Database.write

        async def full(_self: Database, _work: object) -> None:
            raise NotochordError(Code.DISK_FULL, Fault.SYSTEM, "full")

        monkeypatch.setattr(Database, "write", full)
        assert isinstance(await one.vault.attachment(made.id, "https://api.example.com/"), Attachment)
        monkeypatch.setattr(Database, "write", write)
        (shown,) = await one.vault.connections()
        assert shown.uses == 1


@pytest.mark.req("CRED-015")
async def test_changed_places_are_the_ones_that_count(tmp_path: Path) -> None:
    async with vaults_in(tmp_path) as one:
        made = await one.vault.add(draft(), Secret(TOKEN))
        await one.accounts.change(made.id, "B", Registration(("new.example",), ("/v1",)))
        assert not isinstance(await one.vault.attachment(made.id, "https://api.example.com/"), Attachment)
        assert isinstance(await one.vault.attachment(made.id, "https://new.example/v1/x"), Attachment)
        for name, places in (("", PLACES), ("B", Registration(())), ("B", Registration(("*.example",)))):
            with pytest.raises(NotochordError) as caught:
                await one.accounts.change(made.id, name, places)
            assert caught.value.code is Code.INPUT_INVALID
        assert len(one.heard) == 2


@pytest.mark.req("CRED-016", "CRED-018", "CRED-020")
async def test_a_project_may_use_what_was_granted_to_it_and_nothing_by_default(tmp_path: Path) -> None:
    async with vaults_in(tmp_path) as one:
        made = await one.vault.add(draft(), Secret(TOKEN))
        other = await one.vault.add(draft(), Secret(TOKEN))
        assert await one.grants.grants() == ()
        for account, project in ((made, "p"), (made, "p"), (made, "q"), (other, "p")):
            await one.grants.grant(Grant(account.id, GranteeKind.PROJECT, project))
        await one.grants.revoke(Grant(made.id, GranteeKind.PROJECT, "q"))
        await one.grants.revoke(Grant(made.id, GranteeKind.PROJECT, "never"))
        given = {(grant.connection, grant.subject) for grant in await one.grants.grants()}
        assert given == {(made.id, "p"), (other.id, "p")}
        await one.vault.remove(made.id)  # a deleted account takes its grants along
        assert [grant.connection for grant in await one.grants.grants()] == [other.id]
        with pytest.raises(NotochordError) as caught:
            await one.grants.grant(Grant(made.id, GranteeKind.PROJECT, "p"))
        assert caught.value.code is Code.NOT_FOUND


@pytest.mark.req("CRED-020")
async def test_deleting_an_account_deletes_its_tokens_and_its_clients_secret(tmp_path: Path) -> None:
    async with vaults_in(tmp_path) as one:
        made = await one.accounts.add_client(draft(oauth=CLIENT), Secret("client-secret"))
        assert made.sign_in is SignIn.NEEDED
        await one.accounts.keep_tokens(made.id, Tokens(Secret("access"), Secret("refresh")))
        await one.vault.remove(made.id)
        for act in (one.accounts.client(made.id), one.accounts.keep_tokens(made.id, Tokens(Secret("late")))):
            with pytest.raises(NotochordError) as caught:
                await act
            assert caught.value.code is Code.NOT_FOUND


async def test_a_renewal_without_a_new_refresh_token_keeps_the_old_and_a_new_sign_in_does_not(tmp_path: Path) -> None:
    async with vaults_in(tmp_path) as one:
        made = await one.accounts.add_client(draft(oauth=CLIENT), None)
        await one.accounts.keep_tokens(made.id, Tokens(Secret("access-1"), Secret("refresh-1")))
        first = (await one.accounts.client(made.id)).refresh
        assert await one.accounts.keep_tokens(made.id, Tokens(Secret("access-2")), instead_of=first)
        kept = (await one.accounts.client(made.id)).refresh
        assert kept is not None
        assert kept.reveal() == "refresh-1"
        assert not await one.accounts.keep_tokens(made.id, Tokens(Secret("access-3")), instead_of=Secret("other"))
        found = await one.vault.attachment(made.id, "https://api.example.com/")
        assert isinstance(found, Attachment)
        assert found.headers == (("Authorization", "Bearer access-2"),)
        await one.accounts.keep_tokens(made.id, Tokens(Secret("access-4")))
        assert (await one.accounts.client(made.id)).refresh is None


async def test_accounts_of_an_older_program_stay_usable(tmp_path: Path) -> None:
    older = Component(COMPONENT.name, COMPONENT.steps[:1])
    row = "('c', 'Old', 'provider', 'bearer', '', '[\"api.example.com\"]', '[]', '', 'old-secret')"
    async with database_in(tmp_path, older) as database:
        await database.write(lambda transaction: transaction.execute(text(f"INSERT INTO connections VALUES {row}")))
    async with vaults_in(tmp_path) as one:
        (shown,) = await one.vault.connections()
        assert (shown.name, shown.sign_in, shown.uses, shown.oauth) == ("Old", SignIn.READY, 0, None)
        found = await one.vault.attachment("c", "https://api.example.com/")
        assert isinstance(found, Attachment)
        assert found.headers == (("Authorization", "Bearer old-secret"),)
