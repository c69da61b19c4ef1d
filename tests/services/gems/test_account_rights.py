"""Which account a gem may use depends on the work it is called for: a real vault, its grants, and the real gateway."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.core.log import Redactor
from notochord.core.strict_json import Json
from notochord.services.egress.service import EgressService
from notochord.services.gems.account_rights import AccountRights
from notochord.services.gems.manifest import read
from notochord.services.gems.records import Records
from notochord.services.gems.work import Work, WorkKind
from notochord.services.sandbox.api import Host, HostRequest
from notochord.services.tools.api import Session
from notochord.services.vault.api import ConnectionDraft, Grant, GranteeKind, Placement, Registration, Secret
from notochord.services.vault.component import COMPONENT as VAULT
from notochord.services.vault.grants import StoredGrants
from notochord.services.vault.service import StoredVault
from support.databases import database_in
from support.egress import PUBLIC, HandResolver, MemorySettings, RecordingSender
from support.gems import PackageMaker, Platform, manifest, platform, tool

SECRET = "s3cret-canary"
TOOL = "gem.greeter.greet"
CONTENT = manifest(
    tools=[tool(permissions={"network": True})],
    permissions={
        "network": {"hosts": ["a.example"], "reason": "Tests"},
        "connections": [{"id": "service", "reason": "Tests"}, {"id": "other", "reason": "Tests"}],
    },
)


@dataclass
class Desk:
    """A gem whose tool fetches with its connection `service`, and an account that was chosen for that."""

    notochord: Platform
    vault: StoredVault
    grants: StoredGrants
    sender: RecordingSender
    account: str
    folder: Path

    async def work(self, project: str = "", slot: str = "service") -> str:
        """Let an agent call the tool; return why the account was refused or not sent, "sent" if it was."""
        before = len(self.sender.sent)

        async def fetch(_: Json, host: Host) -> Json:
            asked: Json = {"url": "https://a.example/x", "connection": slot}
            answer = (await host.answer(HostRequest("http.fetch", asked, None))).value
            assert isinstance(answer, dict)
            denied = answer["credentialDenied"]
            return denied["reason"] if isinstance(denied, dict) else "sent"

        self.notochord.sandbox.tools["tools/greet.ts"] = fetch
        session = Session(Caller(Actor.AGENT, "chat", Cause("talk")), self.folder, project=project)
        try:
            return str((await self.notochord.service.provider.run(TOOL, {}, session)).value)
        except NotochordError as error:
            refused = error.code is Code.PERM_DENIED and len(self.sender.sent) == before
            return str(error.parameters["why"]) if refused else "sent all the same"

    def carried(self) -> list[bool]:
        """Return for each request that went out whether the secret was in it."""
        return [any(SECRET in value for _, value in sent.headers) for sent in self.sender.sent]


@asynccontextmanager
async def desk_in(folder: Path) -> AsyncIterator[Desk]:
    clock, events, sender = SystemClock(), EventBus(), RecordingSender()
    async with database_in(folder, VAULT) as database:
        ids = IdMaker(clock)
        vault = StoredVault(database=database, clock=clock, ids=ids, redactor=Redactor(), events=events)
        grants = StoredGrants(database=database, events=events)
        egress = EgressService(
            settings=MemorySettings(),
            vault=cast(Any, vault),
            resolver=HandResolver({"a.example": [PUBLIC]}),
            sender=sender,
            environment={},
        )
        async with platform(folder / "org", gateway=egress, account_grants=grants) as notochord:
            await notochord.service.install(PackageMaker(folder / "packages").make(CONTENT))
            draft = ConnectionDraft("Work", "service", Placement.BEARER, Registration(("a.example",)))
            account = (await vault.add(draft, Secret(SECRET))).id
            await notochord.service.choose_connection("greeter", "service", account)
            (folder / "talk").mkdir()
            yield Desk(notochord, vault, grants, sender, account, folder / "talk")
        await egress.close()
        await vault.close()


@pytest.fixture
async def desk(tmp_path: Path) -> AsyncIterator[Desk]:
    async with desk_in(tmp_path) as made:
        yield made


@pytest.mark.req("CRED-018", "PROJ-079", "CRED-019", "CRED-017")
async def test_in_a_project_a_gem_uses_the_account_while_it_is_checked_there_and_elsewhere_without_that(
    desk: Desk,
) -> None:
    one = Grant(desk.account, GranteeKind.PROJECT, "one")
    assert await desk.work() == "sent"
    assert await desk.work("one") == "why.account_not_checked"
    await desk.grants.grant(one)
    assert await desk.work("one") == "sent"
    assert await desk.work("two") == "why.account_not_checked"
    await desk.grants.revoke(one)
    assert await desk.work("one") == "why.account_not_checked"
    assert desk.carried() == [True, True]


@pytest.mark.req("CRED-016", "PERM-013")
async def test_a_project_does_not_open_an_account_that_was_not_chosen_on_the_gems_page(desk: Desk) -> None:
    await desk.grants.grant(Grant(desk.account, GranteeKind.PROJECT, "one"))
    assert await desk.work("one", slot="other") == "why.account_not_chosen"
    await desk.notochord.service.choose_connection("greeter", "service", "")
    assert [await desk.work("one"), await desk.work()] == ["why.account_not_chosen"] * 2


@pytest.mark.req("CRED-021", "TOOL-037")
@pytest.mark.parametrize("project", ["", "one"])
async def test_of_a_deleted_account_nothing_is_sent_and_the_gem_is_told_so_in_a_project_too(
    desk: Desk, project: str
) -> None:
    await desk.grants.grant(Grant(desk.account, GranteeKind.PROJECT, "one"))
    assert await desk.work(project) == "sent"
    await desk.vault.remove(desk.account)
    assert await desk.work(project) == "not_connected"
    assert desk.carried() == [True, False]


async def test_the_uses_of_an_account_are_counted_and_refused_requests_are_none(desk: Desk) -> None:
    for project in ("", "one", ""):
        await desk.work(project)
    (account,) = await desk.vault.connections()
    assert (account.uses, account.last_used > 0) == (2, True)


async def test_a_page_of_the_gem_uses_what_was_chosen_for_it(desk: Desk) -> None:
    await desk.work()  # sets what the tool does
    assert await desk.notochord.service.pages.call("greeter", "board", "greet", {}) == "sent"


async def test_works_that_differ_share_no_guest(desk: Desk) -> None:
    for project in ("", "one", "two", "one"):
        await desk.work(project)
    await desk.notochord.service.pages.call("greeter", "board", "greet", {})
    scopes = [call.context.scope for call in desk.notochord.sandbox.calls]
    assert scopes[1] == scopes[3]
    assert len(set(scopes)) == 4


async def test_a_test_of_a_draft_uses_no_account_even_one_that_was_chosen(tmp_path: Path) -> None:
    class Chosen(Records):
        async def connection(self, gem: str, slot: str) -> str | None:
            return "account"

    async with database_in(tmp_path, VAULT) as database:
        rights = AccountRights(Chosen(database), StoredGrants(database=database, events=EventBus()))
        asked = read({**CONTENT, "integrity": {"files": {}}, "agents": []})
        assert await rights.account(asked, "service", Work(WorkKind.RUN, "page")) == "account"
        with pytest.raises(NotochordError) as refused:
            await rights.account(asked, "service", Work(WorkKind.DRAFT_TEST, "draft-test.1"))
    assert refused.value.parameters["why"] == "why.account_in_test"
