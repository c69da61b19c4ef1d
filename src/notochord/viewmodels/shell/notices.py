"""What the window tells in passing: commands that failed, and things that were done out of sight."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count

from notochord.core.codes import Code
from notochord.core.errors import NotochordError, Parameter
from notochord.core.observable import ObservableList

MOST = 4


class NoticeKind(StrEnum):
    """How much attention a notice asks for; only INFO and SUCCESS go away by themselves."""

    INFO = "info"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence by key with its parameters, or the failure that it tells of; `times` counts equal ones in a row."""

    id: int
    kind: NoticeKind
    key: str = ""
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    error: NotochordError | None = None
    times: int = 1


class Notices:
    """The notices that stand on the window, oldest first, at most `MOST`."""

    def __init__(self) -> None:
        self.standing: ObservableList[Notice] = ObservableList()
        self._ids = count(1)

    def fail(self, error: NotochordError) -> None:
        """Tell of a failure that no view took; one that the user asked for (CANCELLED) is none."""
        if error.code is Code.CANCELLED:
            return
        for at, notice in enumerate(self.standing):
            if notice.error and (notice.error.code, notice.error.parameters) == (error.code, error.parameters):
                self.standing.replace(at, replace(notice, error=error, times=notice.times + 1))
                return
        self._put(Notice(next(self._ids), NoticeKind.ERROR, error=error))

    def say(self, key: str, kind: NoticeKind = NoticeKind.INFO, /, **parameters: Parameter) -> None:
        """Tell the sentence with this key."""
        self._put(Notice(next(self._ids), kind, key, parameters))

    def dismiss(self, identifier: int) -> None:
        """Take the notice away; one that is gone already is fine."""
        for at, notice in enumerate(self.standing):
            if notice.id == identifier:
                self.standing.remove(at)
                return

    def _put(self, notice: Notice) -> None:
        if len(self.standing) == MOST:
            self.standing.remove(0)
        self.standing.append(notice)
