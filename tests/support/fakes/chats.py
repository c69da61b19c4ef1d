"""Conversations whose answers are scripted by the first word that is said."""

import asyncio
from dataclasses import replace
from pathlib import Path

from notochord.core.caller import Actor, Caller, Cause
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.services.agents.api import CallEnded, CallStarted
from notochord.services.approvals.api import (
    ApprovalQuestion,
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
from notochord.services.models.api import (
    Message,
    Role,
    Text,
    TextDelta,
    ToolCall,
)
from notochord.services.tools.api import Outcome, OutcomeState
from support.fakes.approvals import FakeApprovals

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
            role=new.role,
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
