"""What a conversation tells the user beside its messages."""

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class FilesWentBack:
    """A branch was left: these files are again what they were, those were left alone since something else changed them.

    (PERM-103 to PERM-105.)
    """

    undone: tuple[str, ...]
    skipped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ModelWasReplaced:
    """The conversation's model is gone; another one answers (OPEN-083)."""

    before: str
    after: str


Notice: TypeAlias = FilesWentBack | ModelWasReplaced
