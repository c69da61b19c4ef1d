"""Fakes behind the doors that the front ends use: small, in memory, and scripted by what is said to them."""

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.clock import SystemClock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.paths import Home, OrganizationFolder
from notochord.core.strict_json import Json
from notochord.headless.services import Services
from notochord.services.agents.api import CallEnded, CallStarted
from notochord.services.approvals.api import (
    Approval,
    ApprovalDecided,
    ApprovalQuestion,
    ApprovalRequested,
    ApprovalState,
)
from notochord.services.chat.api import (
    Chat,
    ChatEvent,
    ChatState,
    Entry,
    ExportForm,
    ExportWords,
    NewChat,
    Outgoing,
    Summary,
)
from notochord.services.data.api import ChangeOverview, CollectionOverview, Overview
from notochord.services.egress.api import NetworkRules, OutsideMode
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
    KnowledgeRight,
    ResourceState,
    Trust,
)
from notochord.services.journal.api import Change, Reverted
from notochord.services.models.api import (
    LocalModel,
    Message,
    ModelRef,
    ModelRole,
    Provider,
    ProviderDraft,
    ProviderKind,
    Role,
    Text,
    TextDelta,
    ToolCall,
)
from notochord.services.organizations.api import KeyPlace, Organization, Unlocked
from notochord.services.raw_databases.api import RawTable
from notochord.services.tools.api import Outcome, OutcomeState
from notochord.services.usage.api import UseTotal
from notochord.services.vault.api import Secret
from support.accounts import MemoryAccounts, MemoryGrants
from support.workshops import made_workshop


class FakeOrganizations:
    """One organization for each folder; a file made exclusively is the hold on it, across processes."""

    def __init__(self, home: Home, language: str = "") -> None:
        self._home = home
        self._language = language
        (home.folder / "organizations").mkdir(parents=True, exist_ok=True)

    async def all(self) -> tuple[Organization, ...]:
        current = self._current.read_text() if self._current.exists() else ""
        names = sorted(folder.name for folder in (self._home.folder / "organizations").iterdir())
        return tuple(
            Organization(name, name, KeyPlace.FILE, "print", 0, self._language, name == current) for name in names
        )

    async def find(self, name_or_id: str = "") -> Organization:
        for one in await self.all():
            if one.id == name_or_id or (not name_or_id and one.current):
                return one
        raise NotochordError(Code.ORG_NOT_FOUND, Fault.USER, "no such organization", name=name_or_id)

    async def create(self, name: str, key_place: KeyPlace) -> Organization:
        self._home.organization(name).folder.mkdir(mode=0o700)
        return replace(next(one for one in await self.all() if one.id == name), key_place=key_place)

    async def choose_key_place(self, organization: str, key_place: KeyPlace) -> Organization:
        return replace(await self.find(organization), key_place=key_place)

    async def check_key_place(self, key_place: KeyPlace) -> None:
        return

    async def lend(self, organization: str, file: Path) -> None:
        return

    @asynccontextmanager
    async def reserved(self, organization: str) -> AsyncIterator[OrganizationFolder]:
        unlocked = await self.unlock(organization)
        yield unlocked.folder
        await self.release(unlocked)

    async def adopt(self, folder: Path) -> Organization:
        return await self.find(folder.name)

    async def rename(self, organization: str, name: str) -> Organization:
        self._home.organization(organization).folder.rename(self._home.organization(name).folder)
        return await self.find(name)

    async def make_current(self, organization: str) -> Organization:
        self._current.write_text(organization)
        return await self.find(organization)

    async def set_language(self, organization: str, language: str) -> Organization:
        self._language = language
        return await self.find(organization)

    async def finish_setup_step(self, organization: str, step: int) -> Organization:
        return replace(await self.find(organization), setup_step=step)

    async def unlock(self, organization: str) -> Unlocked:
        held = self._home.organization(organization).folder / "held"
        with contextlib.suppress(FileNotFoundError, ValueError):
            holder = int(held.read_text())
            if _alive(holder):
                raise NotochordError(Code.ORG_OPEN, Fault.USER, "held", pid=holder, name=organization)
            held.unlink()
        try:
            descriptor = os.open(held, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except FileExistsError as error:
            raise NotochordError(Code.ORG_OPEN, Fault.USER, "held", pid=0, name=organization) from error
        os.write(descriptor, str(os.getpid()).encode())
        os.close(descriptor)
        return Unlocked(await self.find(organization), self._home.organization(organization), b"\0" * 32)

    async def release(self, unlocked: Unlocked) -> None:
        (unlocked.folder.folder / "held").unlink(missing_ok=True)

    async def check_recovery_file(self, file: Path) -> None:
        if file.exists():
            raise NotochordError(Code.FILE_EXISTS, Fault.USER, "there", path=file.name)

    async def save_recovery_key(self, organization: str, file: Path) -> None:
        with file.open("x") as opened:
            opened.write("recovery of " + organization)

    async def recover(self, organization: str, file: Path) -> None:
        if file.read_text() != "recovery of " + organization:
            raise NotochordError(Code.RECOVERY_OTHER_ORG, Fault.USER, "another organization's")

    async def delete(self, organization: str, typed_name: str) -> None:
        self._home.organization(organization).folder.rmdir()

    @property
    def _current(self) -> Path:
        return self._home.folder / "current"


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


class FakeApprovals:
    def __init__(self, events: EventBus) -> None:
        self._events = events
        self._rows: dict[str, Approval] = {}
        self._permitted: set[tuple[str, str, str]] = set()
        self._changed = asyncio.Event()

    async def ask(self, question: ApprovalQuestion) -> Approval:
        key = (question.caller.cause.conversation, question.kind, question.subject)
        state = ApprovalState.APPROVED if key in self._permitted else ApprovalState.PENDING
        approval = Approval(f"a{len(self._rows) + 1}", question, state, 0, 0, "", "")
        self._rows[approval.id] = approval
        if state is ApprovalState.PENDING:
            self._events.publish(ApprovalRequested(approval))
        return approval

    async def wait(self, approval: str) -> Approval:
        while self._rows[approval].state is ApprovalState.PENDING:
            self._changed.clear()
            await self._changed.wait()
        return self._rows[approval]

    async def decide(self, approval: str, *, approve: bool, by: str, note: str = "", changes: bool = False) -> Approval:
        found = await self.get(approval)
        if found.state is not ApprovalState.PENDING:
            raise NotochordError(Code.APPROVAL_DECIDED, Fault.USER, "decided")
        state = ApprovalState.APPROVED if approve else ApprovalState.REJECTED
        self._rows[approval] = replace(found, state=state, decided_by=by, note=note)
        self._changed.set()
        self._events.publish(ApprovalDecided(self._rows[approval]))
        return self._rows[approval]

    async def forget(self, conversation: str) -> None: ...

    async def revoke(self, kind: str, subject: str) -> None: ...

    async def withdraw(self, approval: str) -> None:
        self._rows[approval] = replace(self._rows[approval], state=ApprovalState.WITHDRAWN)

    async def pending(self) -> tuple[Approval, ...]:
        return tuple(row for row in self._rows.values() if row.state is ApprovalState.PENDING)

    async def get(self, approval: str) -> Approval:
        if approval not in self._rows:
            raise NotochordError(Code.APPROVAL_UNKNOWN, Fault.USER, "unknown", id=approval)
        return self._rows[approval]

    async def permit(self, conversation: str, kind: str, subject: str) -> None:
        self._permitted.add((conversation, kind, subject))

    async def permitted(self, conversation: str, kind: str, subject: str) -> bool:
        return (conversation, kind, subject) in self._permitted


ENGLISH = ExportWords()


class FakeChats:
    """Answers by script: the first word of what is said chooses it."""

    def __init__(self, events: EventBus, approvals: FakeApprovals, folder: Path) -> None:
        self._events = events
        self._approvals = approvals
        self._folder = folder
        self._chats: dict[str, Chat] = {}
        self._entries: dict[str, list[Entry]] = {}

    async def create(self, new: NewChat) -> Chat:
        chat = Chat(
            id=f"c{len(self._chats) + 1}",
            title="A talk",
            pinned=False,
            folder=new.folder or self._folder,
            own_folder=new.folder is None,
            model=new.model,
            plan_mode=new.plan_mode,
            state=ChatState.IDLE,
            changed_at=1_700_000_000_000,
        )
        self._chats[chat.id] = chat
        self._entries[chat.id] = []
        return chat

    async def all(self) -> tuple[Chat, ...]:
        return tuple(self._chats.values())

    async def get(self, chat: str) -> Chat:
        if chat not in self._chats:
            raise NotochordError(Code.CHAT_UNKNOWN, Fault.USER, "unknown", id=chat)
        return self._chats[chat]

    async def entries(self, chat: str) -> tuple[Entry, ...]:
        return tuple(self._entries[chat])

    async def summaries(self, chat: str) -> tuple[Summary, ...]:
        return ()

    async def written_out(self, chat: str, form: ExportForm, *, words: ExportWords = ENGLISH) -> bytes:
        if form is ExportForm.JSON:
            return f'{{"format":"notochord.chat","chat":{{"id":"{chat}"}}}}'.encode()
        return f"# A talk\n\n## {words.user}\n\n{words.states}\n".encode()

    async def send(self, chat: str, outgoing: Outgoing, *, seed: int | None = None) -> Entry:
        self._entries[chat].append(Entry("e0", "", Message(Role.USER, (Text(outgoing.text),)), 0))
        text = await self._script(chat, outgoing)
        self._say(chat, text)
        call = ToolCall("1", "fs.list", "{}")
        state = "cut_off" if outgoing.text == "cut" else "done"
        entry = Entry("e1", "e0", Message(Role.ASSISTANT, (call, Text(text))), 0, state)
        self._entries[chat].append(entry)
        return entry

    async def _script(self, chat: str, outgoing: Outgoing) -> str:
        word, _, rest = outgoing.text.partition(" ")
        if word == "approve":
            return await self._approve(chat, rest)
        if word == "slow":
            await self._slow(chat)
        if word == "fail":
            raise NotochordError(Code.MODEL_UNAVAILABLE, Fault.PROVIDER, "the provider is down")
        if word == "bug":
            raise ZeroDivisionError
        if word == "tool":
            self._events.publish(ChatEvent(chat, CallStarted("1", "fs.list", '{"path":"\x1b[2J"}')))
            self._events.publish(ChatEvent(chat, CallEnded("1", "fs.list", Outcome(OutcomeState.DONE, "[]"))))
        return f"said {outgoing.text} with {len(outgoing.attachments)} files"

    async def _approve(self, chat: str, subject: str) -> str:
        kind, _, subject = subject.partition(":")
        caller = Caller(Actor.AGENT, "chat", Cause(conversation=chat))
        question = ApprovalQuestion(kind, subject, f"Use {subject}", '{"secret\x1b[1A":"rm -rf"}', caller, True)
        approval = await self._approvals.ask(question)
        decided = await self._approvals.wait(approval.id)
        return f"{decided.state} {decided.decided_by} {decided.note}".strip()

    async def _slow(self, chat: str) -> None:
        self._say(chat, "thinking")
        try:
            await asyncio.Event().wait()
        finally:
            (self._folder / "stopped").touch()

    def _say(self, chat: str, text: str) -> None:
        for part in (text[:3], text[3:]):
            self._events.publish(ChatEvent(chat, TextDelta(part)))

    async def retry(self, chat: str, entry: str, *, seed: int | None = None) -> Entry:
        return self._entries[chat][-1]

    async def edit(self, chat: str, entry: str, text: str, *, seed: int | None = None) -> Entry:
        return self._entries[chat][-1]

    async def switch_branch(self, chat: str, entry: str) -> None: ...

    async def stop(self, chat: str) -> None: ...

    async def set_plan_mode(self, chat: str, plan_mode: bool) -> None:
        self._chats[chat] = replace(self._chats[chat], plan_mode=plan_mode)

    async def set_model(self, chat: str, model: str) -> None:
        self._chats[chat] = replace(self._chats[chat], model=model)

    async def rename(self, chat: str, title: str) -> None:
        self._chats[chat] = replace(self._chats[chat], title=title)

    async def pin(self, chat: str, pinned: bool) -> None: ...

    async def delete(self, chat: str) -> None:
        del self._chats[chat]

    async def close(self) -> None: ...


class FakeModels:
    """Keeps providers; the keys that came in are in `keys`, to be looked for in what goes out."""

    def __init__(self) -> None:
        self.keys: dict[str, str] = {}
        self._providers: dict[str, Provider] = {}
        self._roles = {"chat": ModelRole("chat", "Answers you.", None, True)}

    async def add_provider(self, draft: ProviderDraft, key: Secret | None) -> Provider:
        self.keys[draft.name] = key.reveal() if key else ""
        local = draft.kind in (ProviderKind.LOCAL, ProviderKind.OLLAMA)
        made = Provider(draft.name, draft.kind, draft.base_url, "connection-1" if key else "", draft.models, local)
        self._providers[draft.name] = made
        return made

    async def remove_provider(self, name: str) -> None:
        del self._providers[name]

    async def providers(self) -> tuple[Provider, ...]:
        return tuple(self._providers.values())

    async def listed_models(self, provider: str) -> tuple[str, ...]:
        if self.keys.get(provider) == "wrong":
            raise NotochordError(Code.MODEL_KEY_REFUSED, Fault.USER, "401", provider=provider)
        return ("small", "large")

    async def set_models(self, provider: str, models: tuple[str, ...]) -> Provider:
        self._providers[provider] = replace(self._providers[provider], models=models)
        return self._providers[provider]

    async def roles(self) -> tuple[ModelRole, ...]:
        return tuple(self._roles.values())

    async def set_role(self, name: str, model: ModelRef | None) -> None:
        self._roles[name] = replace(self._roles[name], model=model)

    async def add_role(self, name: str, description: str, model: ModelRef) -> ModelRole:
        self._roles[name] = ModelRole(name, description, model, False)
        return self._roles[name]

    async def describe_role(self, name: str, description: str) -> None:
        self._roles[name] = replace(self._roles[name], description=description)

    async def local_models(self) -> tuple[LocalModel, ...]:
        return (LocalModel("tiny", 135_000_000, "tiny" in self.keys, "Apache-2.0"),)

    async def obtain_local_model(self, name: str) -> LocalModel:
        self.keys[name] = ""
        return (await self.local_models())[0]

    async def remove_role(self, name: str) -> None:
        del self._roles[name]


class FakeStore:
    """The data of one gem: a table of two records and a Log that is no longer declared."""

    @property
    def records(self) -> "FakeStore":
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


class FakeGems:
    def __init__(self) -> None:
        self.choices: dict[str, str] = {}
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

    async def data(self, gem: str) -> FakeStore:
        await self.get(gem)
        return FakeStore()

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
            settings=absent,
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
            workshop=made_workshop(),
            store=absent,
            agents=absent,
            chats=cast(Any, FakeChats(events, approvals, unlocked.folder.folder)),
            drafts=absent,
            sandbox=absent,
            events=events,
            clock=SystemClock(),
        )
