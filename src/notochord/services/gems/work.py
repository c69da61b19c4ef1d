"""For what a gem works in one call: which accounts it may use and with which calls it shares a process depend on it."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from notochord.core.caller import Cause


class WorkKind(StrEnum):
    """What a call belongs to."""

    CONVERSATION = "conversation"
    RUN = "run"
    """No conversation: a page, an SOP, the command line."""

    PROJECT = "project"
    DRAFT_TEST = "draft_test"


@dataclass(frozen=True, slots=True)
class Work:
    """One conversation, run, project or test of a draft; a conversation of a project is the project's work."""

    kind: WorkKind
    id: str

    @classmethod
    def of(cls, cause: Cause, folder: Path, *, project: str = "") -> "Work":
        """Return what a call belongs to: the project if there is one, else the conversation, run or folder."""
        if project:
            return cls(WorkKind.PROJECT, project)
        if cause.conversation:
            return cls(WorkKind.CONVERSATION, cause.conversation)
        return cls(WorkKind.RUN, cause.run or f"folder:{folder}")

    @property
    def scope(self) -> str:
        """What a guest is kept apart by: works that differ may differ in their rights, so they share no process."""
        return f"{self.kind}:{self.id}"
