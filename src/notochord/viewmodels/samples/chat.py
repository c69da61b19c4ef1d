"""The chat page's view-models in every state, with sample data in both languages."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.sentences import CHINESE
from notochord.core.strict_json import Json, encode
from notochord.services.approvals.api import Approval, ApprovalQuestion, ApprovalState
from notochord.services.chat.api import Chat, ChatState, ChatTool, Found
from notochord.services.files.api import Entry, EntryType, Version
from notochord.services.gems.api import Gems, Trust
from notochord.services.settings.api import Setting
from notochord.services.tools.api import SideEffect
from notochord.viewmodels.chat.chat_list import ChatListModel
from notochord.viewmodels.chat.composer import Attachment
from notochord.viewmodels.chat.conversation import Conversation
from notochord.viewmodels.chat.desk import ChatDesk
from notochord.viewmodels.chat.experts import ExpertsModel
from notochord.viewmodels.chat.files import FilesModel, Preview, Shown
from notochord.viewmodels.chat.live import Activity
from notochord.viewmodels.chat.models import ModelOption, RunsAt
from notochord.viewmodels.chat.outbox import Waiting
from notochord.viewmodels.chat.page import ChatPageModel, OpenChat
from notochord.viewmodels.chat.pieces import (
    Asked,
    Attached,
    CallMade,
    CallState,
    Ended,
    Piece,
    PlanProposed,
    Said,
    SummedUp,
    WentBack,
    Who,
)
from notochord.viewmodels.samples import chat_texts as texts
from notochord.viewmodels.samples.doors import absent
from notochord.viewmodels.shell.navigation import Navigation, Page, Place

Value = TypeVar("Value", bound=Json)

ISSUES = "org.notochord.github-issues"
CHAT = "sample"
MODEL = "Anthropic/claude-sonnet-4-5"
LOCAL = "Ollama/qwen3:8b"
AT = 1_764_500_000_000


class StillClock:
    """A clock that shows one moment."""

    def now(self) -> datetime:
        return datetime.fromtimestamp(AT / 1000, UTC)

    def milliseconds(self) -> int:
        return AT

    def monotonic(self) -> float:
        return 1000.0

    def zone(self) -> tzinfo:
        return UTC

    async def sleep(self, seconds: float) -> None:
        return

    def random_bytes(self, count: int) -> bytes:
        return bytes(count)


class _Defaults:
    def current(self, setting: Setting[Value]) -> Value:
        return setting.default

    async def change(self, setting: Setting[Value], value: Value) -> None:
        return


class _Named:
    async def get(self, gem: str) -> Any:
        return SimpleNamespace(name="GitHub issues", trust=Trust.OFFICIAL)


def desk() -> ChatDesk:
    """Return a desk with models to choose from and nothing going on."""
    none: Any = absent(object)
    found = ChatDesk(
        chats=none, drafts=none, approvals=none, models=none, settings=_Defaults(), files=none, versions=none,
        opening=none, gems=cast(Gems, _Named()), egress=none, events=EventBus(), clock=StillClock(),
    )  # fmt: skip
    found.models.options.reset(
        (
            ModelOption("chat", "chat", MODEL, RunsAt.CLOUD),
            ModelOption("local", "local", LOCAL, RunsAt.COMPUTER),
            ModelOption(MODEL, "", MODEL, RunsAt.CLOUD),
            ModelOption(LOCAL, "", LOCAL, RunsAt.COMPUTER),
            ModelOption("Office/llama-70b", "", "Office/llama-70b", RunsAt.NETWORK),
        )
    )
    found.models.default.set(MODEL)
    found.models._places.update({"Anthropic": RunsAt.CLOUD, "Ollama": RunsAt.COMPUTER, "Office": RunsAt.NETWORK})
    return found


def new_page() -> ChatPageModel:
    """Return the page of a conversation that is about to begin."""
    return ChatPageModel(desk=desk(), navigation=Navigation(Place(Page.CHAT)))


def chat(language: str, state: ChatState = ChatState.IDLE, **changes: Any) -> Chat:
    """Return a conversation with a title."""
    found: dict[str, Any] = {
        "id": CHAT, "title": texts.of(language).title, "pinned": False, "folder": Path("/home/ada/Sales"),
        "own_folder": True, "model": MODEL, "plan_mode": False, "state": state, "changed_at": AT, **changes,
    }  # fmt: skip
    return Chat(**found)


def page(
    language: str,
    pieces: Iterable[Piece],
    *,
    state: ChatState = ChatState.IDLE,
    activity: Activity | None = None,
    **changes: Any,
) -> ChatPageModel:
    """Return the page with an open conversation."""
    model = new_page()
    conversation = model.desk.conversation(CHAT)
    conversation.chat.set(chat(language, state, **changes))
    conversation.pieces.extend(pieces)
    conversation.usage.set((48_210, 3_904))
    conversation.complete.set(True)
    conversation.activity.set(activity or Activity())
    model.shown.set(OpenChat(conversation, model.desk.writing(CHAT)))
    return model


def shown(model: ChatPageModel) -> OpenChat:
    """Return the open conversation of a sample."""
    found = model.shown.value
    assert found is not None
    return found


# -- pieces


def question(text: str, number: int = 0, *, siblings: Sequence[str] = ()) -> Said:
    entry = f"q{number}"
    return Said(f"{entry}/said0", entry, Who.USER, text, AT, siblings=tuple(siblings), among=entry)


def answer(text: str, number: int = 0, *, streaming: bool = False, model: str = MODEL) -> Said:
    entry = f"a{number}"
    return Said(f"{entry}/said0", "" if streaming else entry, Who.ASSISTANT, text, 0 if streaming else AT + 9_000,
                "" if streaming else model, streaming=streaming)  # fmt: skip


def reasoning(text: str, number: int = 0) -> Said:
    return Said(f"a{number}/thought0", f"a{number}", Who.REASONING, text, leads=False)


def long_answer(language: str) -> list[Piece]:
    """A question, reasoning, and an answer with a list, code and a table."""
    found = texts.of(language)
    return [
        question(found.question),
        Attached("q0/files", "q0", ("sales-2026.csv",)),
        reasoning(found.reasoning),
        answer(found.answer),
    ]


def calls(language: str) -> list[Piece]:
    """Tool calls in every state."""
    found = texts.of(language)
    summarize = '{"file":"sales-2026.csv"}'
    made = (
        ("fs.cat", '{"path":"sales-2026.csv"}', CallState.DONE, "month,total\n1,1200", 40),
        ("gem.org.notochord.sales-summary.summarize", summarize, CallState.DONE, '{"folder":"runs/summarize"}', 3_400),
        ("http.request", '{"url":"https://example.org/rates"}', CallState.RUNNING, "", 0),
        ("agent.delegate", '{"task":"…"}', CallState.RECORDED, "", 0),
        ("fs.write", '{"path":"a.txt"}', CallState.FAILED, "E_DISK_FULL: …", 210),
        ("http.request", "{}", CallState.REFUSED, "E_TOOL_REFUSED: …", 0),
        ("fs.search", '{"text":"total"}', CallState.CANCELLED, "E_CANCELLED: …", 61_000),
        ("fs.ls", "{}", CallState.INTERRUPTED, "", 0),
    )
    states = [
        CallMade(
            f"c{n}", "a0", str(n), name, arguments, state, result, "", took, 988.0,
            files=("runs/summarize/summary.md",) if arguments is summarize else (),
        )
        for n, (name, arguments, state, result, took) in enumerate(made)
    ]  # fmt: skip
    lacks: Json = {"why": "why.account_not_chosen", "gem": ISSUES, "name": "GitHub issues", "slot": "github"}
    lacking = CallMade(
        "c20", "a0", "20", f"gem.{ISSUES}.list_issues", "{}", CallState.FAILED, "E_PERM_DENIED: …", Code.PERM_DENIED,
        340, reason=encode(lacks),
    )  # fmt: skip
    return [question(found.question), answer(found.working), *states, lacking]


def asked(*, holds: bool = True, step: str = "9", kind: str = "gem") -> Approval:
    """Return a question that waits."""
    if kind == "gem":
        subject, title = "org.notochord.sales-summary", "gem.org.notochord.sales-summary.summarize"
        arguments = '{"file":"sales-2026.csv","months":[1,2,3]}'
    else:
        subject, title = "api.example.org", "http.request"
        arguments = '{"method":"GET","url":"https://api.example.org/rates"}'
    caller = Caller(Actor.AGENT, "chat", Cause(CHAT, step=step))
    asks = ApprovalQuestion(kind, subject, title, arguments, caller, holds)
    return Approval(f"approval-{step}", asks, ApprovalState.PENDING, AT, 0, "", "")


def approvals(language: str) -> list[Piece]:
    """A call that waits, and a sub-agent's question."""
    found, first, second = texts.of(language), asked(), asked(holds=False, step="10", kind="host")
    waiting = CallMade("c9", "a0", "9", first.question.title, first.question.arguments, CallState.RUNNING, began=990.0,
                       approval=first)  # fmt: skip
    return [question(found.question), answer(found.working), waiting, Asked("asked/10", second)]


def ended_early(language: str) -> list[Piece]:
    """An answer that was interrupted after some of its text, one that was stopped, one that ended without a text."""
    found = texts.of(language)
    made = CallMade("c5", "a2", "5", "fs.write", '{"path":"a.txt"}', CallState.DONE, "written", "", 210)
    return [
        question(found.question),
        answer(found.answer[:180]),
        Ended("e0", "a0", "interrupted", Code.CANCELLED, False),
        question(found.plan_question, 1),
        Ended("e1", "a1", "cancelled", Code.CANCELLED, False, None, ("a0", "a1"), "a1", LOCAL, True),
        question(found.next_one, 2),
        made,
        Ended("e2", "a2", "wordless", "", True, None, ("a2", "a3"), "a2", MODEL, True),
    ]


def plan(language: str, *, waits: bool = True) -> list[Piece]:
    """A plan that waits, or one that was approved with a remark after one that could not be proposed."""
    found = texts.of(language)
    approval = asked(step="p", kind="plan") if waits else None
    state = CallState.RUNNING if waits else CallState.DONE
    note = "" if waits else found.remark
    proposed = PlanProposed("p0", "a0", "p", found.plan, state, approved=not waits, note=note, approval=approval)
    refused = PlanProposed("p1", "a0", "p1", '{"steps":["1","2"]}', CallState.FAILED)
    return [question(found.plan_question), *([] if waits else [refused]), proposed]


FAILURES = (
    NotochordError(Code.MODEL_RATE_LIMITED, Fault.PROVIDER, "", provider="Anthropic", seconds=24),
    NotochordError(Code.MODEL_KEY_REFUSED, Fault.PROVIDER, "", provider="Anthropic", model="claude-sonnet-4-5"),
    NotochordError(Code.MODEL_CONTEXT_LENGTH, Fault.PROVIDER, "", model="claude-sonnet-4-5"),
    NotochordError(Code.STEP_LIMIT, Fault.POLICY, "", limit=50),
    NotochordError(Code.NETWORK_UNREACHABLE, Fault.SYSTEM, "", host="api.anthropic.com"),
)


def failures(language: str) -> list[Piece]:
    """Answers that failed for each kind of reason; only the last one usually has its buttons."""
    pieces: list[Piece] = [question(texts.of(language).question)]
    pieces += [Ended(f"e{n}", f"a{n}", "failed", error.code, True, error) for n, error in enumerate(FAILURES[:-1])]
    pieces += [Ended("e8", "a8", "cancelled", Code.CANCELLED, False), Ended("e9", "a9", "interrupted", "", False)]
    return pieces


def offline(language: str) -> list[Piece]:
    """An answer without a way to the provider."""
    error = FAILURES[-1]
    return [question(texts.of(language).question), Ended("e0", "a0", "failed", error.code, True, error)]


def branched(language: str) -> list[Piece]:
    """A summary's divider, and a message with alternatives, after what the answer before had changed went back."""
    found = texts.of(language)
    return [
        question(found.plan_question),
        answer(found.working),
        SummedUp("a0/summary0", found.summary, AT),
        question(found.question, 1, siblings=("q0", "q1", "q2")),
        WentBack("q1/back", ("report.md", "runs/summary.md"), ("sales-2026.csv",), 3, ()),
        answer(found.short, 1, model=LOCAL),
    ]


# -- what stands around


def waits(model: ChatPageModel, language: str) -> None:
    """Let a message wait that the user has to let go on."""
    open_chat = shown(model)
    open_chat.writing.outbox.queue.extend((Waiting(1, texts.of(language).next_one),))
    open_chat.writing.outbox.held.set(True)


def begun(language: str) -> list[Piece]:
    """An answer of which a part has come."""
    pieces = long_answer(language)
    pieces[-1] = answer(texts.of(language).answer[:180], streaming=True)
    return pieces


def writing(model: ChatPageModel, language: str) -> None:
    """Put a half-written message with files and two waiting ones into an open conversation."""
    found, open_chat = texts.of(language), shown(model)
    open_chat.writing.composer.text.set(found.half)
    open_chat.writing.composer.attachments.extend(
        (Attachment(Path("/home/ada/sales-2026.csv"), 48_200), Attachment(Path("/tmp/pasted-1.png"), 2_410_000))
    )
    open_chat.writing.outbox.queue.extend((Waiting(1, found.next_one), Waiting(2, found.next_two)))
    open_chat.writing.outbox.busy.set(True)


MANY = ("sales-2026.csv", "report.md", "logo.png", "contract-with-a-long-name-final-2026.pdf", "notes.txt", "a.xlsx")


def with_files(language: str) -> list[Piece]:
    """A message with more files than have room beside each other."""
    found = texts.of(language)
    return [question(found.question), Attached("files", "q0", MANY), answer(found.working)]


def attach_many(model: ChatPageModel) -> None:
    """Attach these files to the message that is being written."""
    files = [Attachment(Path("/home/ann") / name, 48_200 * (at + 1)) for at, name in enumerate(MANY)]
    shown(model).writing.composer.attachments.extend(files)


def chat_list(language: str) -> ChatListModel:
    """Return pinned and recent conversations in every state."""
    found = ChatListModel(chats=absent(object), events=EventBus())
    states = (ChatState.ANSWERING, ChatState.WAITING, ChatState.FAILED, ChatState.IDLE, ChatState.IDLE)
    titles = texts.of(language).titles
    chats = [
        chat(language, states[n % len(states)], id=f"c{n}", title=title, pinned=n < 2, changed_at=AT - n)
        for n, title in enumerate(titles)
    ]
    found._known = {one.id: one for one in chats}
    found._arrange()
    found.loaded.set(True)
    return found


def found(chat: str, entry: str) -> Found:
    """Return a place where a search found its words."""
    return Found(chat, entry, "")


def experts(language: str) -> ExpertsModel:
    """Return sub-agents in every state, and tools of which one is off."""
    found = ExpertsModel(CHAT, chats=absent(object), events=EventBus())
    states = (ChatState.ANSWERING, ChatState.WAITING, ChatState.IDLE, ChatState.FAILED)
    roles, models = ("local", "", "deep", ""), (LOCAL, MODEL, MODEL, MODEL)
    found.experts.extend(
        chat(language, state, id=f"x{n}", title=title, parent=CHAT, role=roles[n], model=models[n])
        for n, (state, title) in enumerate(zip(states, texts.of(language).experts, strict=True))
    )
    found.tools.extend(
        ChatTool(name, description, SideEffect.READ, name != "http.request")
        for name, description in texts.of(language).tools
    )
    found.loaded.set(True)
    return found


def files(language: str, *, shows: str = "") -> FilesModel:
    """Return a folder; `shows` previews one of its files: "table", "text", "nothing"."""
    none: Any = absent(object)
    found = FilesModel(chat(language), files=none, versions=none, opening=none, events=EventBus(), clock=StillClock())
    found.entries.extend(
        (
            Entry("runs", EntryType.FOLDER, 0, AT),
            Entry("report.md", EntryType.FILE, 4_120, AT),
            Entry("sales-2026.csv", EntryType.FILE, 48_200, AT),
            Entry(texts.of(language).file, EntryType.FILE, 2_410_000, AT),
        )
    )
    found.loaded.set(True)
    if shows:
        found.versions.extend((Version("v1", AT - 60_000, True), Version("v2", AT - 90_000, False)))
        found.preview.set(_preview(shows))
    return found


def _preview(shows: str) -> Preview:
    if shows == "table":
        rows = (("month", "region", "total"), *((str(n), "north", str(1200 + 37 * n)) for n in range(1, 13)))
        return Preview("sales-2026.csv", Shown.TABLE, 48_200, rows=rows)
    if shows == "markdown":
        return Preview("report.md", Shown.MARKDOWN, 4_120, text=texts.of("en").answer, version="v1")
    return Preview("archive.bin", Shown.NOTHING, 88_000_000)


def working(found: ChatDesk, language: str) -> Conversation:
    """Return the work of a sub-agent."""
    conversation = found.conversation("x0")
    conversation.chat.set(chat(language, ChatState.ANSWERING, id="x0", parent=CHAT))
    conversation.pieces.extend(calls(language))
    return conversation


LANGUAGES = ("en", CHINESE)
