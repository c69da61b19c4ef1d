"""How a call ended, in the words that a model reads."""

from notochord.core.codes import Code
from notochord.core.errors import NotochordError
from notochord.core.strict_json import encode
from notochord.services.approvals.api import Approval, ApprovalState
from notochord.services.tools.api import Outcome, OutcomeState, ToolOutput

MAX_TEXT = 65_536
MAX_DETAIL = 4_096

_TOLD_BY_HOST = frozenset({Code.NETWORK_BLOCKED, Code.NETWORK_LOCAL_CLOSED})
_NEXT = {
    Code.NOT_FOUND: "Check the name.",
    Code.FILE_MISSING: "Use fs.list to see what is there.",
    Code.FILE_EXISTS: "Choose another name.",
    Code.TIMEOUT: "Try it with less work at once.",
}


def done(output: ToolOutput) -> Outcome:
    """Return the outcome of a call that succeeded; a long result is cut, and says so."""
    value = output.value
    text = value if isinstance(value, str) else encode(value)
    return Outcome(OutcomeState.DONE, _cut(text), opens=output.opens)


def failed(error: NotochordError) -> Outcome:
    """Return the outcome of a call that was stopped by an error that somebody understood."""
    if error.code is Code.CANCELLED:
        return cancelled()
    detail = error.detail[:MAX_DETAIL] or "the call failed"
    sentence = detail if detail.endswith((".", "!", "?")) else f"{detail}."
    text = " ".join(part for part in (f"{error.code}: {sentence}", _NEXT.get(error.code, "")) if part)
    return Outcome(OutcomeState.FAILED, text, code=error.code.value, reason=_reason(error, detail))


def _reason(error: NotochordError, detail: str) -> str:
    """Return what people are told of a failure whose sentence has no English in it; of others the text says enough."""
    if "why" not in error.parameters and error.code not in _TOLD_BY_HOST:
        return ""
    return encode({"detail": detail, **error.parameters})


def broken() -> Outcome:
    """Return the outcome of a call that failed by a fault of the program; the log has it."""
    text = f"{Code.INTERNAL}: the tool failed by a fault of its own. Do it another way, or tell the user."
    return Outcome(OutcomeState.FAILED, text, code=Code.INTERNAL.value)


def cancelled() -> Outcome:
    """Return the outcome of a call that was stopped before it ended."""
    return Outcome(OutcomeState.CANCELLED, f"{Code.CANCELLED}: the call was cancelled.", code=Code.CANCELLED.value)


def after(approval: Approval) -> Outcome | None:
    """Return the outcome of a call whose consent was not given; None when it may run."""
    if approval.state is ApprovalState.APPROVED:
        return None
    if approval.state is ApprovalState.WITHDRAWN:
        return cancelled()
    note = f' They say: "{approval.note[:MAX_DETAIL]}"' if approval.note else ""
    text = (
        f"{Code.TOOL_REFUSED}: the user refused this call; it did not run.{note} "
        "Do not try it again; go on without it or ask the user."
    )
    return Outcome(OutcomeState.REFUSED, text, code=Code.TOOL_REFUSED.value)


def _cut(text: str) -> str:
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:MAX_TEXT]}\n[cut: {len(text) - MAX_TEXT} more characters; ask for a smaller part]"
