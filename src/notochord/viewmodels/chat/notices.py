"""What a conversation tells the user beside its messages."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class FilesAreAsTheyWere:
    """Another version of the conversation is shown; its files, and what gems stored, did not go there with it."""


@dataclass(frozen=True, slots=True)
class ModelWasReplaced:
    """The conversation's model is gone; another one answers (OPEN-083)."""

    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Exported:
    """The conversation was written to a file."""

    target: Path


Notice: TypeAlias = Exported | FilesAreAsTheyWere | ModelWasReplaced
