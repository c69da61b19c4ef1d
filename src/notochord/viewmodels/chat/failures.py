"""What can be done about an answer that ended early, by its code."""

from enum import StrEnum

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError, Parameter
from notochord.core.strict_json import decode


class Remedy(StrEnum):
    """Something that the user can do, in the order in which it is offered."""

    RETRY = "retry"
    CONTINUE = "continue"
    CHANGE_MODEL = "change_model"
    MEND_KEY = "mend_key"
    OPEN_NETWORK = "open_network"
    OPEN_LIMITS = "open_limits"
    NEW_CHAT = "new_chat"


_REMEDIES = {
    Code.MODEL_NOT_CHOSEN: (Remedy.CHANGE_MODEL, Remedy.MEND_KEY),
    Code.MODEL_UNKNOWN: (Remedy.CHANGE_MODEL,),
    Code.MODEL_KEY_REFUSED: (Remedy.MEND_KEY, Remedy.RETRY, Remedy.CHANGE_MODEL),
    Code.KEY_MISSING: (Remedy.MEND_KEY, Remedy.RETRY),
    Code.MODEL_QUOTA: (Remedy.CHANGE_MODEL, Remedy.RETRY),
    Code.MODEL_CONTEXT_LENGTH: (Remedy.CHANGE_MODEL, Remedy.NEW_CHAT, Remedy.OPEN_LIMITS),
    Code.MODEL_NO_TOOLS: (Remedy.CHANGE_MODEL,),
    Code.MODEL_NO_IMAGES: (Remedy.CHANGE_MODEL,),
    Code.NETWORK_BLOCKED: (Remedy.OPEN_NETWORK, Remedy.RETRY),
    Code.NETWORK_LOCAL_CLOSED: (Remedy.OPEN_NETWORK, Remedy.RETRY),
    Code.NETWORK_PROXY: (Remedy.OPEN_NETWORK, Remedy.RETRY),
    Code.NETWORK_UNREACHABLE: (Remedy.RETRY, Remedy.CHANGE_MODEL),
    Code.STEP_LIMIT: (Remedy.CONTINUE, Remedy.OPEN_LIMITS),
    Code.TOKEN_LIMIT: (Remedy.OPEN_LIMITS, Remedy.RETRY),
    Code.CANCELLED: (Remedy.RETRY,),
}

OFFLINE = frozenset({Code.NETWORK_UNREACHABLE, Code.NETWORK_PROXY})
"""The failures that mean: there is no way to the provider now."""


CUT_OFF = "cut_off"
"""The state of an answer that reached the model's output limit; it has no code, since nothing failed."""

WORDLESS = "wordless"
"""The state of an answer that ended as it should, but without a text."""


def remedies(code: str, state: str = "failed") -> tuple[Remedy, ...]:
    """Return what can be done, the best first."""
    if state == CUT_OFF:
        return (Remedy.CONTINUE, Remedy.RETRY)
    if state == WORDLESS:
        return (Remedy.RETRY,)
    return _REMEDIES.get(as_code(code), (Remedy.RETRY, Remedy.CHANGE_MODEL))


def seconds_to_wait(error: NotochordError | None) -> int:
    """Return how long the provider asked to wait, 0 if it did not say."""
    found = error.parameters.get("seconds", 0) if error and error.code is Code.MODEL_RATE_LIMITED else 0
    return found if isinstance(found, int) else 0


def as_error(code: str, model: str, error: NotochordError | None) -> NotochordError:
    """Return the failure with what its sentence needs: of a recorded one, only the model is known.

    The model goes by its own name, without its provider's, whenever the failure happened.
    """
    if error is not None and error.code == code:
        return _with_own_name(error)
    provider, _, name = model.partition("/")
    known: dict[str, Parameter] = {"provider": provider, "model": name or provider, "why": "why.not_kept"}
    return NotochordError(as_code(code), Fault.SYSTEM, "", **known)


def _with_own_name(error: NotochordError) -> NotochordError:
    model, provider = error.parameters.get("model"), error.parameters.get("provider")
    if not isinstance(model, str) or not isinstance(provider, str):
        return error
    named = {**error.parameters, "model": model.removeprefix(f"{provider}/")}
    return NotochordError(error.code, error.fault, error.detail, **named)


def as_failure(code: str, reason: str) -> NotochordError | None:
    """Return what a tool call failed of as recorded, None where its code and text say all."""
    found = decode(reason) if reason else None
    if not isinstance(found, dict):
        return None
    parameters = {name: value for name, value in found.items() if isinstance(value, str | int | float)}
    return NotochordError(as_code(code), Fault.POLICY, str(parameters.pop("detail", "")), **parameters)


def as_code(code: str) -> Code:
    """Return a recorded code; one that this version does not know counts as INTERNAL."""
    try:
        return Code(code)
    except ValueError:
        return Code.INTERNAL
