"""Opens an organization on fakes of all its services."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, cast

from notochord.core.caller import Cause
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.headless.services import Services
from notochord.services.egress.api import NetworkRules, OutsideMode
from notochord.services.journal.api import Change, Reverted
from notochord.services.organizations.api import Unlocked
from notochord.services.usage.api import UseTotal
from support.accounts import MemoryAccounts, MemoryGrants
from support.developers import MemoryDevelopers
from support.fakes.approvals import FakeApprovals
from support.fakes.chats import FakeChats
from support.fakes.gems import FakeDossiers, FakeGems
from support.fakes.models import FakeModels
from support.fakes.organizations import FakeOrganizations
from support.settings import MemorySettings
from support.workshops import made_workshop


class FakeEgress:
    def __init__(self) -> None:
        self._rules = NetworkRules(OutsideMode.BLOCK, (), (), ())

    def rules(self) -> NetworkRules:
        return self._rules

    def normal_entry(self, entry: str, *, local: bool) -> str:
        return entry.lower().rstrip(".")

    async def change_rules(self, rules: NetworkRules) -> None:
        await asyncio.sleep(0)
        if "localhost" in rules.local:
            raise NotochordError(Code.NETWORK_RULE_INVALID, Fault.USER, "name the port", entry="localhost")
        self._rules = rules


class FakeFiles:
    async def check_choice(self, folder: Path) -> Path:
        if folder.name == "refused":
            raise NotochordError(Code.FOLDER_REFUSED, Fault.POLICY, "system", folder=str(folder), reason="system")
        return folder


class FakeUsage:
    async def totals(self, *, since_day: str = "") -> tuple[UseTotal, ...]:
        return (UseTotal("2026-11-30", "chat", "here", "small", 2, 100, 20),)


class FakeJournal:
    async def changes(self, cause: Cause) -> tuple[Change, ...]:
        if cause.turn == "nothing":
            return ()
        return (Change("files", cause.turn, "report.md overwritten", 0, True),)

    async def revert(self, cause: Cause) -> Reverted:
        return Reverted(await self.changes(cause), ())


class FakeOpener:
    """Opens with the hold of FakeOrganizations; `opened` are the services of the last opening."""

    def __init__(self, organizations: FakeOrganizations) -> None:
        self._organizations = organizations
        self.opened: Services | None = None
        self.models = FakeModels()
        self.accounts = MemoryAccounts()
        self.gems = FakeGems()
        self.developers = MemoryDevelopers()

    @asynccontextmanager
    async def open(self, organization: str) -> AsyncIterator[Services]:
        unlocked = await self._organizations.unlock(organization)
        try:
            self.opened = self._services(unlocked)
            yield self.opened
        finally:
            await self._organizations.release(unlocked)

    def _services(self, unlocked: Unlocked) -> Services:
        events = EventBus()
        approvals = FakeApprovals(events)
        absent = cast(Any, None)
        return Services(
            unlocked=unlocked,
            settings=MemorySettings(events),
            vault=absent,
            grants=MemoryGrants(),
            accounts=self.accounts,
            egress=cast(Any, FakeEgress()),
            models=cast(Any, self.models),
            usage=cast(Any, FakeUsage()),
            tools=absent,
            approvals=approvals,
            journal=cast(Any, FakeJournal()),
            files=cast(Any, FakeFiles()),
            versions=absent,
            data=absent,
            gems=cast(Any, self.gems),
            gem_pages=absent,
            dossiers=cast(Any, FakeDossiers()),
            developers=self.developers,
            workshop=made_workshop(),
            store=absent,
            agents=absent,
            chats=cast(Any, FakeChats(events, approvals, unlocked.folder.folder)),
            drafts=absent,
            sandbox=absent,
            events=events,
            clock=SystemClock(),
        )
