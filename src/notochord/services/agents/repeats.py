"""Notices a model that makes the same failing call over and over, as small models do."""

from collections.abc import Iterable, Sequence

from notochord.core.codes import Code
from notochord.services.models.api import ToolCall
from notochord.services.tools.api import Outcome, OutcomeState

MOST_FAILURES = 3
"""So often the same call may fail before it is run no more."""

TOLD = Outcome(
    OutcomeState.FAILED,
    f"{Code.TOOL_REPEATED}: not run. This same call has failed {MOST_FAILURES} times and would fail again. Do not make "
    "it again. Use another tool or other arguments, or answer the user in plain words now.",
    Code.TOOL_REPEATED,
)
"""What the model is told instead of another failure."""

_FAILED = (OutcomeState.FAILED, OutcomeState.REFUSED)
_Call = tuple[str, str]


class Repeats:
    """Counts how often the calls of one answer failed with the same arguments; any success starts anew."""

    def __init__(self) -> None:
        self._failures: dict[_Call, int] = {}

    def hopeless(self, calls: Iterable[ToolCall]) -> bool:
        """Tell whether each of the calls has failed too often already."""
        return all(self._failures.get((call.name, call.arguments), 0) >= MOST_FAILURES for call in calls)

    def take(self, calls: Sequence[ToolCall], outcomes: Sequence[Outcome]) -> None:
        """Take note of how calls ended."""
        if any(outcome.state is OutcomeState.DONE for outcome in outcomes):
            self._failures.clear()
        for call, outcome in zip(calls, outcomes, strict=True):
            if outcome.state in _FAILED:
                key = (call.name, call.arguments)
                self._failures[key] = self._failures.get(key, 0) + 1
