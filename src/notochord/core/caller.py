"""Who asks, and because of what: carried by every call that changes or sends something."""

from dataclasses import dataclass, field
from enum import StrEnum


class Actor(StrEnum):
    """The kind of asker."""

    USER = "user"
    AGENT = "agent"
    GEM = "gem"
    SOP = "sop"
    PROJECT = "project"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Cause:
    """What a change is owed to, from the whole to the single step; an empty text means: no such part.

    `turn` is the message of the user that an answer belongs to; `step` is the single tool call or run step.
    """

    conversation: str = ""
    branch: str = ""
    turn: str = ""
    run: str = ""
    step: str = ""


@dataclass(frozen=True, slots=True)
class Caller:
    """The asker: `name` is the agent's name, the gem's id, the SOP's or the project's id."""

    actor: Actor
    name: str = ""
    cause: Cause = field(default_factory=Cause)
