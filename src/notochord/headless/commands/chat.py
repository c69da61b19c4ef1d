"""`notochord chat`: say something in a conversation, and follow the answer."""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import Lifetime
from notochord.headless.command import Arguments, Command, Declaration, OpenCommand, OpenContext
from notochord.headless.commands.chat_answer import Answer
from notochord.headless.exchange import tell
from notochord.headless.records import record
from notochord.services.approvals.api import ApprovalDecided, ApprovalRequested
from notochord.services.chat.api import Chat, ChatEvent, Entry, NewChat, Outgoing
from notochord.services.models.api import Text

_KINDS = ("gem", "host")


async def chat(context: OpenContext, arguments: Arguments) -> None:
    text = await _text(context, arguments)
    permissions = [await _permission(context, given) for given in arguments.allow]
    await asyncio.to_thread(_require_files, arguments.attach)
    conversation = await _conversation(context, arguments)
    for kind, subject in permissions:
        await context.services.approvals.permit(conversation.id, kind, subject)
    if context.exchange.json:
        await context.exchange.emit({"type": "chat", "chat": conversation.id})
    else:
        await tell(context.exchange, "chat.id", id=conversation.id, path=str(conversation.folder))
    entry = await _answered(context, conversation, Outgoing(text, tuple(arguments.attach)), arguments.seed)
    await _finish(context, conversation, entry)


async def _text(context: OpenContext, arguments: Arguments) -> str:
    given: str | None = arguments.text
    if given is not None and given != "-":
        text = given
    elif given is None and context.exchange.interactive:
        text = await context.exchange.ask(context.exchange.sentences.sentence("chat.ask") + " ")
    else:
        text = await context.exchange.read_all()
    if not text.strip():
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "the message is empty", what="TEXT", why="why.message_empty"
        )
    return text


def _require_files(paths: Sequence[Path]) -> None:
    """Raise FILE_MISSING before anything is begun that would have to be thrown away."""
    for path in paths:
        if not path.is_file():
            raise NotochordError(Code.FILE_MISSING, Fault.USER, "there is no such file", path=str(path))


async def _permission(context: OpenContext, given: str) -> tuple[str, str]:
    """Read KIND:NAME. Raises INPUT_INVALID, GEM_UNKNOWN for a gem that is not installed."""
    kind, colon, subject = given.partition(":")
    if kind not in _KINDS or not colon or not subject:
        raise NotochordError(
            Code.INPUT_INVALID,
            Fault.USER,
            "a permission is written KIND:NAME",
            what="--allow",
            why="why.permission_form",
        )
    if kind == "gem":
        await context.services.gems.get(subject)
    return kind, subject if kind == "gem" else subject.lower()


async def _conversation(context: OpenContext, arguments: Arguments) -> Chat:
    chats = context.services.chats
    if arguments.id is None:
        role = await _role(context, arguments.agent)
        return await chats.create(NewChat(arguments.model or "", arguments.folder, bool(arguments.plan), role))
    if arguments.agent:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a conversation keeps its agent", what="--agent", why="why.agent_stays"
        )
    found = await chats.get(arguments.id)
    if arguments.folder is not None:
        raise NotochordError(
            Code.INPUT_INVALID, Fault.USER, "a conversation keeps its folder", what="--folder", why="why.folder_stays"
        )
    if arguments.model:
        await chats.set_model(found.id, arguments.model)
    if arguments.plan is not None:
        await chats.set_plan_mode(found.id, arguments.plan)
    return found


async def _role(context: OpenContext, given: str) -> str:
    """Read GEM/AGENT. Raises GEM_UNKNOWN, NOT_FOUND for one that is not exposed: only its gem uses it (AGENT-028)."""
    if not given:
        return ""
    gem, _, agent = given.partition("/")
    for found in (await context.services.gems.get(gem)).agents:
        if found.name == agent and not found.exposed:
            raise NotochordError(
                Code.NOT_FOUND, Fault.USER, f"{agent} of {gem} is not exposed", gem=gem, agent=agent,
                why="why.gem_agent_internal",
            )  # fmt: skip
    return f"{gem}/{agent}"


async def _answered(context: OpenContext, conversation: Chat, outgoing: Outgoing, seed: int | None) -> Entry:
    """Send, and show what happens meanwhile. Whatever ends this block ends the answer too."""
    events, lifetime = context.services.events, Lifetime("chat command")
    answer = Answer(context, conversation.id, lifetime)
    ends = [
        events.subscribe(ChatEvent, answer.hear),
        events.subscribe(ApprovalRequested, answer.hear),
        events.subscribe(ApprovalDecided, answer.hear),
    ]
    try:
        showing = lifetime.start("show", answer.show())
        sending = lifetime.start("send", context.services.chats.send(conversation.id, outgoing, seed=seed))
        await asyncio.wait((showing, sending), return_when=asyncio.FIRST_COMPLETED)
        if not sending.done():
            await showing  # it ends of itself only by failing: nobody reads any more
        answer.end()
        await showing
        return await sending
    finally:
        for end in ends:
            end()
        await lifetime.close()


async def _finish(context: OpenContext, conversation: Chat, entry: Entry) -> None:
    if context.exchange.json:
        text = "".join(part.text for part in entry.message.parts if isinstance(part, Text))
        await context.exchange.emit({"type": "done", "chat": conversation.id, "text": text, "entry": record(entry)})
    if entry.state == "failed":
        code = Code(entry.error) if entry.error in set(Code) else Code.INTERNAL
        raise NotochordError(code, Fault.SYSTEM, entry.error)
    if entry.state == "cut_off":
        await tell(context.exchange, "entry.state.cut_off")
    elif entry.state != "done":
        raise NotochordError(Code.CANCELLED, Fault.USER, "the answer was stopped")


def _chat(declaration: Declaration) -> None:
    declaration.add("text", metavar="TEXT", nargs="?")
    declaration.add("--new", action="store_true")
    declaration.add("--id", metavar="ID")
    declaration.add_path("--folder", metavar="DIR")
    declaration.add("--plan", action=argparse.BooleanOptionalAction)
    declaration.add("--allow", metavar="KIND:NAME", action="append", default=[])
    declaration.add("--model", metavar="MODEL")
    declaration.add("--agent", metavar="GEM/AGENT", default="")
    declaration.add_path("--attach", metavar="FILE", action="append", default=[])
    declaration.add("--seed", metavar="NUMBER", type=int)


COMMANDS: tuple[Command, ...] = (OpenCommand(("chat",), chat, _chat),)
