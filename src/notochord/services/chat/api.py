"""The door to conversations."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from notochord.services.agents.api import AgentEvent
from notochord.services.journal.api import Reverted
from notochord.services.models.api import Message, ModelRef
from notochord.services.settings.api import Setting
from notochord.services.tools.api import SideEffect

SUMMARIZE_ABOVE = Setting("chat.summarize_above", 100_000)
"""Size in tokens above which the older part of a conversation is summed up; 0 never (MODEL-064 to MODEL-066)."""


class ChatState(StrEnum):
    IDLE = "idle"
    ANSWERING = "answering"
    WAITING = "waiting"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation; `folder` is where its agent works; times in milliseconds since 1970.

    A sub-agent's has the conversation that it works for as `parent`, and the `role` that it was given, if one was; for
    an agent of a gem that is "GEM/AGENT", also in a conversation that the user has with it.
    """

    id: str
    title: str
    pinned: bool
    folder: Path
    own_folder: bool
    model: str
    plan_mode: bool
    state: ChatState
    changed_at: int
    parent: str = ""
    role: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """How a tool call of a reply went (CHAT-015).

    `state`: "recorded" (not yet run), "running", "done", "failed", "refused", "cancelled", "interrupted" (the program
    ended meanwhile). `reason` is as in `Outcome`.
    """

    id: str
    name: str
    state: str
    code: str = ""
    milliseconds: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the record on the active branch. `siblings` are the ids of its alternatives, itself included.

    `state`: "done", "interrupted", "failed", "cancelled", "cut_off" (the reply reached the model's output limit);
    `error` is the code of what ended it. `usage` counts tokens in and out of the reply. The results of a reply's calls
    follow it as an entry of the role TOOL, which carries `calls`, has the reply as its parent and no alternatives.
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
    calls: tuple[Call, ...] = ()


@dataclass(frozen=True, slots=True)
class Found:
    """A place where a search found its words: `entry` is empty for the title; `text` is what surrounds the words."""

    chat: str
    entry: str
    text: str


@dataclass(frozen=True, slots=True)
class Summary:
    """A divider of the record: everything up to entry `upto` is summed up in `text`."""

    upto: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What went back when the active branch was begun after entry `after` ("" at the beginning).

    `files` are paths that are again what they were; `records` counts what gems had stored. What something else had
    changed since stayed, and is named.
    """

    after: str
    files: tuple[str, ...]
    files_left: tuple[str, ...]
    records: int
    records_left: tuple[str, ...]


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
class TurnBegun:
    """Event: the message `entry` is on the disk, and its answer begins."""

    chat: str
    entry: str


@dataclass(frozen=True, slots=True)
class FilesReverted:
    """Event: a branch was left, and what its answers had changed went back, as far as nothing else changed it since."""

    chat: str
    reverted: Reverted


@dataclass(frozen=True, slots=True)
class FilesStayed:
    """Event: another branch is shown, in which files or gems' data were changed, as in the one before: they stay."""

    chat: str


@dataclass(frozen=True, slots=True)
class ModelReplaced:
    """Event: the model of a conversation is gone; the one that the settings lead to now answers in it (OPEN-083)."""

    chat: str
    before: ModelRef
    after: ModelRef


@dataclass(frozen=True, slots=True)
class NewChat:
    """How a conversation begins; an empty `model` means the agent's; `folder` None means one of its own.

    `role` is `<gem>/<agent>` for a conversation with an agent of a gem, and empty for one with the assistant.
    """

    model: str = ""
    folder: Path | None = None
    plan_mode: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message of the user with the files to take in."""

    text: str
    attachments: Sequence[Path] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class ChatTool:
    """A tool that the agent of a conversation has (CHAT-030); `on` tells that the user did not switch it off."""

    name: str
    description: str
    side_effect: SideEffect
    on: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What the user has written but not sent, and what waits for the answer under way; attachments are files."""

    text: str = ""
    attachments: tuple[Path, ...] = ()
    queue: tuple["Queued", ...] = ()


@dataclass(frozen=True, slots=True)
class Queued:
    """A message that is sent when the answer under way has ended."""

    text: str
    attachments: tuple[Path, ...] = ()


class ExportForm(StrEnum):
    """MARKDOWN is the active branch to be read; JSON holds everything of the record, every branch included."""

    MARKDOWN = "markdown"
    JSON = "json"


@dataclass(frozen=True, slots=True)
class ExportWords:
    """What stands in a Markdown export beside the messages, in the user's language; `states` by `Entry.state`."""

    user: str = "User"
    assistant: str = "Assistant"
    untitled: str = "…"
    states: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, said: Callable[[str], str]) -> "ExportWords":
        """Return the words of a language; `said` gives the text of a key."""
        states = {state: said(f"chat.export.{state}") for state in ("interrupted", "failed", "cancelled", "cut_off")}
        return cls(said("chat.export.user"), said("chat.export.assistant"), said("chat.export.untitled"), states)


class Drafts(Protocol):
    """What is not sent yet, kept for each conversation over a restart; the chat "" is the one to be begun."""

    async def draft(self, chat: str) -> Draft: ...

    async def keep(self, chat: str, draft: Draft) -> None:
        """Put the draft in the place of the last one; it is on the disk on return. An empty one is forgotten."""

    async def stage(self, name: str, content: bytes) -> Path:
        """Put pasted content into a file that can be attached. Raises DISK_FULL, DISK_IO.

        It goes when the program starts and no draft names it any more.
        """

    async def unstage(self, files: Sequence[Path]) -> None:
        """Delete files that `stage` made and nothing needs any more; others are left alone."""


class Chats(Protocol):
    """The conversations of the open organization. Methods that name a chat raise CHAT_UNKNOWN."""

    async def create(self, new: NewChat) -> Chat:
        """Begin a conversation; its model is settled now (MODEL-059).

        Raises NotochordError: FOLDER_REFUSED, MODEL_NOT_CHOSEN, INPUT_INVALID (plan mode with an agent of a gem), and
        as `GemAgents.engage` does.
        """

    async def all(self) -> tuple[Chat, ...]:
        """Return the conversations, last active first; those of sub-agents are not among them."""

    async def sub_agents(self, chat: str) -> tuple[Chat, ...]:
        """Return the conversations of the sub-agents that worked for this one, oldest first."""

    async def search(self, words: str, *, most: int = 50) -> tuple[Found, ...]:
        """Return where titles and messages hold all of the words, regardless of case, last active first."""

    async def get(self, chat: str) -> Chat: ...

    async def entries(self, chat: str) -> tuple[Entry, ...]:
        """Return the active branch, oldest first."""

    async def latest(self, chat: str, *, most: int, before: str = "") -> tuple[Entry, ...]:
        """Return the end of the active branch, oldest first: up to `most` messages, those before the entry `before`.

        Results of calls come on top of `most`. Raises NOT_FOUND when `before` is no entry of the conversation.
        """

    async def spent(self, chat: str) -> tuple[int, int]:
        """Return the tokens in and out that the answers of a conversation cost, those of its sub-agents included."""

    async def tools(self, chat: str) -> tuple[ChatTool, ...]:
        """Return the tools that the agent has in this conversation, those switched off included, by name.

        None for an agent of a gem: what it has is its gem's affair.
        """

    async def stop_call(self, chat: str, call: str) -> bool:
        """Stop one tool call of the answer under way, which goes on without it; tell whether it was running."""

    async def written_out(self, chat: str, form: ExportForm, *, words: ExportWords = ...) -> bytes:
        """Return the conversation as it is now: JSON with all of its branches, or Markdown of the active one."""

    async def export(self, chat: str, target: Path, form: ExportForm, *, words: ExportWords = ...) -> None:
        """Write the conversation to the file that the user chose, atomically. Raises DISK_FULL, DISK_IO."""

    async def summaries(self, chat: str) -> tuple[Summary, ...]: ...

    async def taken_back(self, chat: str) -> tuple[TakenBack, ...]:
        """Return what went back where the active branch was begun by a retry or an edit, oldest first."""

    async def send(self, chat: str, outgoing: Outgoing, *, seed: int | None = None) -> Entry:
        """Record a message, answer it, and return the last entry of the answer. Raises CHAT_BUSY while answering.

        The message is durable before the model is asked; cancelling the task stops the answer, as `stop` does. Raises
        CANCELLED when `stop` ended the answer, INPUT_INVALID for nothing to send, and as `services.agents` does.
        """

    async def retry(self, chat: str, entry: str, *, seed: int | None = None) -> Entry:
        """Answer the user's message `entry` anew on a branch of its own, after its effects went back (PERM-103).

        Effects are changed files, and what gems stored; `taken_back` tells which.
        """

    async def edit(self, chat: str, entry: str, text: str, *, seed: int | None = None) -> Entry:
        """Put another message in the place of `entry` on a new branch and answer it (PERM-104)."""

    async def switch_branch(self, chat: str, entry: str) -> None:
        """Make the branch through `entry` the active one; files stay as they are (see `FilesStayed`)."""

    async def stop(self, chat: str) -> None:
        """Stop the answer; what came so far stays, marked."""

    async def set_plan_mode(self, chat: str, plan_mode: bool) -> None:
        """Raises INPUT_INVALID for a conversation with an agent of a gem."""

    async def set_model(self, chat: str, model: str) -> None:
        """Let another model, or the one of a role, answer from the next step on; also for a sub-agent (CHAT-029)."""

    async def switch(self, chat: str, names: Collection[str], *, on: bool) -> None:
        """Let the agent use these tools in this conversation, or not; what else was switched off stays off."""

    async def rename(self, chat: str, title: str) -> None: ...

    async def pin(self, chat: str, pinned: bool) -> None: ...

    async def delete(self, chat: str) -> None:
        """Delete the record, the history of its files and its own folder (not one that the user chose)."""

    async def close(self) -> None:
        """Stop every answer."""
