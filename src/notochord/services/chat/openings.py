"""How records begin: a conversation, a message of the user, and what the model is told beside the message."""

from collections.abc import Iterable
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.flat_text import flattened
from notochord.services.chat.records import ChatRecord, EntryRecord, Leaf, TitleState
from notochord.services.models.api import ModelChoice, Role, Text

NAMED_ATTACHMENTS = 100


def new_chat(
    chat: str,
    branch: str,
    *,
    folder: Path,
    own_folder: bool,
    choice: ModelChoice,
    now: int,
    title: tuple[str, TitleState] = ("", TitleState.NONE),
    parent: str = "",
    role: str = "",
    plan_mode: bool = False,
    answering: str = "",
) -> ChatRecord:
    return ChatRecord(
        id=chat,
        parent=parent,
        role=role,
        title=title[0],
        title_state=title[1],
        pinned=False,
        folder=folder,
        own_folder=own_folder,
        model=choice.model,
        chosen_by=choice.by,
        plan_mode=plan_mode,
        branch=branch,
        answering=answering,
        failed=False,
        changed_at=now,
    )


def user_entry(
    entry: str,
    branch: str,
    after: Leaf,
    text: str,
    background: str,
    now: int,
    attachments: tuple[str, ...] = (),
) -> EntryRecord:
    """Return a message of the user, which begins a turn of its own."""
    return EntryRecord(
        id=entry,
        branch=branch,
        depth=after.depth + 1,
        parent=after.entry,
        turn=entry,
        role=Role.USER,
        parts=(Text(text),) if text.strip() else (),
        background=background,
        at=now,
        attachments=attachments,
    )


def background_text(clock: Clock, attachments: Iterable[str]) -> str:
    """Return what stands before a message for the model: the time in the user's zone, and attached files by name.

    It stays with the message, so that a provider's cache of the conversation stays good (MODEL-048, CHAT-014).
    """
    moment = clock.now().astimezone(clock.zone())
    names = [flattened(name) for name in attachments]
    shown = f"[Now: {moment:%A %Y-%m-%d %H:%M} {moment.tzname()} (UTC{moment:%z})."
    if names:
        more = f" and {len(names) - NAMED_ATTACHMENTS} more" if len(names) > NAMED_ATTACHMENTS else ""
        shown += f" Attached files: {', '.join(names[:NAMED_ATTACHMENTS])}{more}."
    return f"{shown}]"
