"""How the end of a process, or an error of a gem, is told."""

import re
from collections.abc import Sequence

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.services.sandbox.api import MAX_RESULT_CHARACTERS
from notochord.services.sandbox.messages import MESSAGE_CHARACTERS, Thrown, clean
from notochord.services.sandbox.ports import GuestExit

_OUT_OF_MEMORY = ("out of memory", "memory allocation of", "reached heap limit")
_TAIL_CHARACTERS = 300
_REFUSAL = re.compile(
    r"\bRequires \w+ access\b|\bNotCapable\b|\bPermissionDenied\b|--no-npm is\b"
    r"|\bos error (1|13)\)|\bUnsupported scheme\b|\bImporting ext: modules\b"
)


def exit_error(ended: GuestExit) -> NotochordError:
    """Return the error for the calls of a process that ended by itself."""
    if ended.flooded:
        return protocol_error("it flooded its error output")
    if any(sign in ended.stderr.lower() for sign in _OUT_OF_MEMORY):
        return NotochordError(Code.GUEST_MEMORY, Fault.GUEST, "the tool needed more memory than a tool may have")
    how = f"signal {-ended.status}" if ended.status < 0 else f"status {ended.status}"
    return NotochordError(Code.GUEST_CRASHED, Fault.GUEST, f"the tool's process ended by itself with {how}", how=how)


def start_error(ended: GuestExit) -> NotochordError:
    """Return the error for a process that ended before any gem code ran."""
    reason = clean(ended.stderr.strip()[-_TAIL_CHARACTERS:], _TAIL_CHARACTERS) or f"status {ended.status}"
    return NotochordError(Code.GUEST_START, Fault.SYSTEM, f"the sandbox did not start: {reason}", reason=reason)


def refused_start(reason: str) -> NotochordError:
    """Return the error for code that is not run at all."""
    return NotochordError(Code.GUEST_START, Fault.GUEST, f"the code is not run: {reason}", reason=reason)


def protocol_error(what: str) -> NotochordError:
    """Return the error for the calls of a process that was killed for what it sent."""
    detail = f"the tool's process was ended because of what it sent: {what}"
    return NotochordError(Code.GUEST_PROTOCOL, Fault.GUEST, detail, what=what)


def bystander_error() -> NotochordError:
    """Return the error for calls that died because another call of their process would not stop."""
    detail = "the tool was ended because another call of the same gem had to be stopped; call it again"
    return NotochordError(Code.GUEST_CRASHED, Fault.GUEST, detail, how="stopped")


def stopped_error() -> NotochordError:
    """Return the error for calls whose process was ended by the program."""
    return NotochordError(Code.CANCELLED, Fault.USER, "the tool was stopped")


def timeout_error(seconds: float) -> NotochordError:
    return NotochordError(
        Code.TIMEOUT, Fault.GUEST, f"the tool ran longer than {seconds:g} s", seconds=seconds, why="why.tool_slow"
    )


def told(code: Code, detail: str) -> str:
    """Return what a guest reads of a refusal."""
    return f"{code}: {detail}" if detail else str(code)


def explains_itself(error: NotochordError) -> bool:
    """Tell whether a refusal says to people what they can do about it, as what users have not allowed does."""
    return error.fault is Fault.POLICY or "why" in error.parameters


def thrown_error(thrown: Thrown, refusals: Sequence[NotochordError] = ()) -> NotochordError:
    """Return the error for a call whose code threw; a refusal of this very call that it did not catch stays what it is.

    Nothing is gained by throwing the words of one: it was refused all the same.
    """
    if thrown.too_large:
        return too_large_error()
    for refusal in refusals:
        if thrown.message == clean(told(refusal.code, refusal.detail), MESSAGE_CHARACTERS):
            return refusal
    plain = not thrown.name or thrown.name == "Error"
    detail = thrown.message if plain else f"{thrown.name}: {thrown.message}"
    return NotochordError(Code.TOOL_FAILED, Fault.GUEST, detail, message=detail)


def is_refusal(error: NotochordError) -> bool:
    """Tell whether a call's code threw what the runtime refused it; by the words, which a gem can choose too."""
    return error.code is Code.TOOL_FAILED and _REFUSAL.search(error.detail) is not None


def too_large_error() -> NotochordError:
    detail = f"the tool's value is longer than {MAX_RESULT_CHARACTERS} characters of JSON; write it to a file"
    return NotochordError(
        Code.PAYLOAD_TOO_LARGE, Fault.GUEST, detail, limit=MAX_RESULT_CHARACTERS, why="why.result_too_large"
    )
