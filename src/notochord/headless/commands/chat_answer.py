"""An answer as it comes: text, tool cards, and the questions that a person has to answer."""

import asyncio
from typing import TypeAlias

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import Json
from notochord.core.tasks import Lifetime
from notochord.headless.command import OpenContext
from notochord.headless.commands.approvals import described, titled
from notochord.headless.exchange import is_yes, report, tell
from notochord.headless.printable import one_line
from notochord.headless.records import record
from notochord.services.agents.api import AgentEvent, CallEnded, CallStarted
from notochord.services.approvals.api import Approval, ApprovalDecided, ApprovalRequested, ApprovalState
from notochord.services.chat.api import ChatEvent
from notochord.services.models.api import Loading, ReasoningDelta, TextDelta, Waiting

BY = "terminal"
_LONGEST_CARD = 160
_NO = ("", "n", "no", "否")
_TYPES: dict[type[object], str] = {
    TextDelta: "text",
    ReasoningDelta: "reasoning",
    Waiting: "waiting",
    Loading: "loading",
}

Heard: TypeAlias = ChatEvent | ApprovalRequested | ApprovalDecided


class Answer:
    """Shows the events of one conversation in their order. Questions are asked beside it, one at a time."""

    def __init__(self, context: OpenContext, chat: str, lifetime: Lifetime) -> None:
        self._context = context
        self._exchange = context.exchange
        self._chat = chat
        self._lifetime = lifetime
        self._heard: asyncio.Queue[Heard | None] = asyncio.Queue()
        self._asking: dict[str, asyncio.Task[None]] = {}
        self._one_question = asyncio.Lock()
        self._line_open = False

    def hear(self, event: Heard) -> None:
        """Take an event from the bus; those of other conversations are left."""
        mine = event.chat if isinstance(event, ChatEvent) else event.approval.question.caller.cause.conversation
        if mine == self._chat:
            self._heard.put_nowait(event)

    def end(self) -> None:
        """Let `show` return once it has shown what was heard."""
        self._heard.put_nowait(None)

    async def show(self) -> None:
        """Show until `end`. Raises ReaderGone."""
        while (event := await self._heard.get()) is not None:
            if isinstance(event, ChatEvent):
                await self._happened(event.event)
            elif isinstance(event, ApprovalRequested):
                await self._requested(event.approval)
            else:
                self._decided(event.approval)
        await self._close_line()

    async def _happened(self, event: AgentEvent) -> None:
        if self._exchange.json:
            await self._exchange.emit(_as_json(event))
        elif isinstance(event, TextDelta):
            await self._exchange.write(event.text)
            self._line_open = not event.text.endswith("\n")
        else:
            await self._note(event)

    async def _note(self, event: AgentEvent) -> None:
        if isinstance(event, CallStarted):
            await self._close_line()
            arguments = one_line(event.arguments, _LONGEST_CARD)
            await tell(self._exchange, "call.started", name=event.name, arguments=arguments)
        elif isinstance(event, CallEnded):
            outcome = event.outcome
            key = f"call.{outcome.state}"
            text = one_line(outcome.text, _LONGEST_CARD)
            await tell(self._exchange, key, name=event.name, milliseconds=outcome.milliseconds, text=text)
        elif isinstance(event, Waiting):
            await self._close_line()
            await tell(self._exchange, "model.waiting", seconds=round(event.seconds, 1), attempt=event.attempt)
        elif isinstance(event, Loading) and event.share in (0.0, 1.0):
            await tell(self._exchange, "model.loaded" if event.share else "model.loading")

    async def _close_line(self) -> None:
        if self._line_open:
            await self._exchange.write("\n")
            self._line_open = False

    async def _requested(self, approval: Approval) -> None:
        if approval.state is not ApprovalState.PENDING:
            return
        if self._exchange.json:
            await self._exchange.emit({"type": "approval", "approval": record(approval)})
        if self._exchange.interactive:
            self._asking[approval.id] = self._lifetime.start("question", self._ask(approval))
        elif self._context.lasting:
            await tell(self._exchange, "approval.waits", id=approval.id, title=titled(approval, self._exchange))
        else:
            # Nobody could ever answer: this process ends with the command (GEMOPEN-041).
            await self._context.services.approvals.decide(approval.id, approve=False, by=BY, note="no terminal")
            await tell(self._exchange, "approval.refused", title=titled(approval, self._exchange))

    def _decided(self, approval: Approval) -> None:
        """Somebody else answered, or who asked is gone: stop asking."""
        question = self._asking.pop(approval.id, None)
        if question is not None and approval.decided_by != BY:
            question.cancel()

    async def _ask(self, approval: Approval) -> None:
        """Ask the person here; the end of the input is a no, since nobody else may be left to answer."""
        plan = approval.question.kind == "plan"
        question = self._exchange.sentences.sentence("approval.ask.plan" if plan else "approval.ask")
        async with self._one_question:
            await self._close_line()
            await self._exchange.say(described(approval, self._exchange))
            try:
                answer = (await self._exchange.ask(f"{question} ")).strip()
            except NotochordError:
                answer = ""
            yes = is_yes(answer)
            note = answer if plan and not yes and answer.lower() not in _NO else ""
            try:
                await self._context.services.approvals.decide(
                    approval.id, approve=yes, by=BY, note=note, changes=bool(note)
                )
            except NotochordError as error:
                if error.code is not Code.APPROVAL_DECIDED:
                    await report(self._exchange, error)


def _as_json(event: AgentEvent) -> Json:
    kind = _TYPES.get(type(event), "")
    if not kind:
        kind = {CallStarted: "call", CallEnded: "result"}.get(type(event), "step")
    value = record(event)
    return {"type": kind, **value} if isinstance(value, dict) else value
