"""The door to conversations."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.services.agents.api import AgentEvent
from notochord.services.models.api import Message


class ChatState(StrEnum):
    IDLE = "idle"
    ANSWERING = "answering"
    WAITING = "waiting"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation; `folder` is where its agent works; times in milliseconds since 1970."""

    id: str
    title: str
    pinned: bool
    folder: Path
    own_folder: bool
    model: str
    plan_mode: bool
    state: ChatState
    changed_at: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the record on the active branch. `siblings` are the ids of its alternatives, itself included.

    `state`: "done", "interrupted", "failed", "cancelled". `usage` counts tokens in and out of the reply.
    """

    id: str
    parent: str
    message: Message
    at: int
    state: str = "done"
    siblings: tuple[str, ...] = ()
    model: str = ""
    usage: tuple[int, int] = (0, 0)
    attachments: tuple[str, ...] = ()
    error: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """A divider of the record: everything up to entry `upto` is summed up in `text`."""

    upto: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class ChatEvent:
    """Event: something happened in the answer of a conversation."""

    chat: str
    event: AgentEvent


@dataclass(frozen=True, slots=True)
class ChatChanged:
    """Event: title, state, entries or branch of a conversation changed."""

    chat: str


@dataclass(frozen=True, slots=True)
class NewChat:
    """How a conversation begins; an empty `model` means the chat agent's; `folder` None means one of its own."""

    model: str = ""
    folder: Path | None = None
    plan_mode: bool = False


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message of the user with the files to take in."""

    text: str
    attachments: Sequence[Path] = field(default_factory=tuple)


class Chats(Protocol):
    """The conversations of the open organization. Methods that name a chat raise CHAT_UNKNOWN."""

    async def create(self, new: NewChat) -> Chat:
        """Begin a conversation; its model is settled now (MODEL-059). Raises FOLDER_REFUSED, MODEL_NOT_CHOSEN."""

    async def all(self) -> tuple[Chat, ...]:
        """Return the conversations, last active first."""

    async def get(self, chat: str) -> Chat: ...

    async def entries(self, chat: str) -> tuple[Entry, ...]:
        """Return the active branch, oldest first."""

    async def summaries(self, chat: str) -> tuple[Summary, ...]: ...

    async def send(self, chat: str, outgoing: Outgoing, *, seed: int | None = None) -> Entry:
        """Record a message, answer it, and return the last entry of the answer. Raises CHAT_BUSY while answering.

        The message is durable before the model is asked; cancelling the task stops the answer, as `stop` does.
        """

    async def retry(self, chat: str, entry: str, *, seed: int | None = None) -> Entry:
        """Answer the user's message `entry` anew on a branch of its own, after its files went back (PERM-103)."""

    async def edit(self, chat: str, entry: str, text: str, *, seed: int | None = None) -> Entry:
        """Put another message in the place of `entry` on a new branch and answer it (PERM-104)."""

    async def switch_branch(self, chat: str, entry: str) -> None:
        """Make the branch through `entry` the active one."""

    async def stop(self, chat: str) -> None:
        """Stop the answer; what came so far stays, marked."""

    async def set_plan_mode(self, chat: str, plan_mode: bool) -> None: ...

    async def set_model(self, chat: str, model: str) -> None:
        """Let another model answer from the next step on."""

    async def rename(self, chat: str, title: str) -> None: ...

    async def pin(self, chat: str, pinned: bool) -> None: ...

    async def delete(self, chat: str) -> None:
        """Delete the record, the history of its files and its own folder (not one that the user chose)."""

    async def close(self) -> None:
        """Stop every answer."""
