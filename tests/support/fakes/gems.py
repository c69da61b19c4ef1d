"""One installed gem with its data, its files and its page."""

from collections.abc import AsyncIterator, Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

from notochord.core.caller import Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json
from notochord.services.data.api import ChangeOverview, CollectionOverview, Overview
from notochord.services.gem_authoring.api import DraftTest
from notochord.services.gem_logs.api import LogLine
from notochord.services.gems.api import (
    AccountChoice,
    AskedAccount,
    Dossier,
    Gem,
    GemAgent,
    GemFailure,
    GemProcedure,
    GemResource,
    GemRights,
    GemTool,
    KnowledgeFolder,
    KnowledgeRight,
    ModelNotice,
    ResourceState,
    Trust,
)
from notochord.services.raw_databases.api import RawTable


class FakeGemData:
    """The data of one gem: a table of two records and a Log that is no longer declared."""

    @property
    def records(self) -> "FakeGemData":
        return self

    async def overview(self, *, changes: int = 0) -> Overview:
        return Overview(
            collections=(
                CollectionOverview("notes", "table", 1, True, 2, 2048),
                CollectionOverview("seen", "log", 1, False, 0, 0),
            ),
            documents=1,
            blobs=1,
            blob_size=5,
            keys=3,
            folder_size=3 * 1024**2,
            last_changes=(ChangeOverview(0, "gem", "sums", "record", "notes/a", "added"),) * min(changes, 1),
        )

    async def export(self, collection: str) -> AsyncIterator[str]:
        for name in ("a", "b"):
            yield f'{{"id":"{name}","data":{{"of":"{collection}"}}}}'


DIARY, CHOSEN = "collections.read:diary", "collections.read:user-selected"


class FakeRights:
    """What a gem that asks for the diary and for chosen folders is allowed."""

    def __init__(self) -> None:
        self.allowed: set[str] = set()
        self.chosen: tuple[str, ...] = ()
        self.there: tuple[KnowledgeFolder, ...] = ()
        self.folder = ""

    async def rights(self, gem: str) -> GemRights:
        asked = (
            KnowledgeRight(DIARY, DIARY in self.allowed),
            KnowledgeRight(CHOSEN, CHOSEN in self.allowed, self.chosen),
        )
        return GemRights(asked, reads_mail=True, works_alone=True, working_folder=self.folder)

    async def model_notice(self, gem: str, agent: str, chosen: str) -> ModelNotice:
        return ModelNotice.LACKS if chosen == "p/small" else ModelNotice.NONE

    async def folders(self) -> tuple[KnowledgeFolder, ...]:
        return self.there

    async def allow_knowledge(self, gem: str, permission: str, *, allowed: bool) -> None:
        (self.allowed.add if allowed else self.allowed.discard)(permission)

    async def choose_collections(self, gem: str, permission: str, collections: Collection[str]) -> None:
        self.chosen = tuple(collections)

    async def choose_working_folder(self, gem: str, folder: Path | None) -> None:
        self.folder = "" if folder is None else str(folder)

    async def working_folder_lost(self, gem: str) -> bool:
        return self.folder.endswith("gone")


class FakeGems:
    def __init__(self) -> None:
        self.choices: dict[str, str] = {}
        self.grants = FakeRights()
        self._gem = Gem(
            id="eu.example.sums",
            name="Sums",
            version="1.0.0",
            description="Adds up.",
            trust=Trust.DEVELOPER,
            tools=(GemTool("add", "Adds.", True, "read"),),
            has_skill=False,
            hosts=(),
            state="ready",
            agents=(GemAgent("helper", "Helps.", True), GemAgent("inner", "For its pages.", False)),
        )

    async def check(self, package: Path) -> Gem:
        trust = Trust.UNSIGNED if "unsigned" in package.name else Trust.DEVELOPER
        return replace(self._gem, trust=trust)

    async def install(self, package: Path, *, allow_unsigned: bool = False) -> Gem:
        gem = await self.check(package)
        if gem.trust is Trust.UNSIGNED and not allow_unsigned:
            raise NotochordError(Code.UNSIGNED, Fault.USER, "not signed")
        return gem

    async def all(self) -> tuple[Gem, ...]:
        return (self._gem,)

    async def get(self, gem: str) -> Gem:
        if gem != self._gem.id:
            raise NotochordError(Code.GEM_UNKNOWN, Fault.USER, "unknown", gem=gem)
        return self._gem

    async def test(self, draft: Path) -> tuple[DraftTest, ...]:
        failed = DraftTest("tests/b.test.ts", "adds", "E_TOOL_FAILED", "1 is not 2")
        return (DraftTest("tests/a.test.ts", "adds"), *((failed,) if draft.name == "failing" else ()))

    async def remove(self, gem: str) -> None: ...

    async def choose_connection(self, gem: str, slot: str, connection: str) -> None:
        await self.get(gem)
        if slot != "service":
            raise NotochordError(Code.NOT_FOUND, Fault.USER, "no such slot", why="why.account_slot")
        self.choices.pop(slot, None)
        if connection:
            self.choices[slot] = connection

    async def account_choices(self) -> tuple[AccountChoice, ...]:
        return tuple(AccountChoice(self._gem.id, slot, account) for slot, account in self.choices.items())

    async def call(self, gem: str, tool: str, arguments: Json, folder: Path, cause: Cause) -> Json:
        return {"arguments": arguments, "folder": str(folder)}

    async def resources(self, gem: str) -> tuple[GemResource, ...]:
        await self.get(gem)
        return (GemResource("A table", 2048, ("files.example",), False, "table", ResourceState.ABSENT, 0),)

    async def download(self, gem: str, resource: str) -> None:
        await self.get(gem)

    async def data(self, gem: str) -> FakeGemData:
        await self.get(gem)
        return FakeGemData()

    async def log(self, gem: str, count: int) -> tuple[LogLine, ...]:
        await self.get(gem)
        return (LogLine("sum", 0, "first\nsecond"), LogLine("sum", 1_000, "E_TOOL_FAILED: no"))[-count:]

    async def raw_tables(self, gem: str) -> tuple[RawTable, ...]:
        return (RawTable("totals", 3),)

    async def close(self) -> None: ...


class FakeDossiers:
    """What the owner of the one gem sees of it."""

    async def get(self, gem: str) -> Dossier:
        return Dossier(
            gem=replace(await FakeGems().get(gem), agents=(GemAgent("helper", "Helps.", True),)),
            publisher="example",
            installed_at=1_764_500_000_000,
            size=2048,
            procedures=(GemProcedure("digest", "Sums up.", "cron", "0 8 * * *", ("storage.kv.get", "tool.add")),),
            accounts=(AskedAccount("bank", "To read the amounts."),),
            rights=GemRights((KnowledgeRight("facts.read:self:pref.food.*", False),), reads_mail=True),
            failures=(GemFailure("add", "E_TOOL_FAILED", 3, 1_764_500_000_000),),
        )

    async def verify(self, gem: str) -> Dossier:
        found = await self.get(gem)
        return replace(found, gem=replace(found.gem, state="E_FILES_CHANGED"), changed_file="tools/add.js")

    async def export(self, gem: str, collection: str, file: Path, *, progress: Any = None) -> int:
        await FakeGems().get(gem)
        file.write_text('{"id":"1"}\n')
        return 1
