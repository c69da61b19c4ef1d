"""Says what a provider's refusal means: try again, or which error the caller gets."""

import re

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.flat_text import flattened
from notochord.services.models.api import ModelRef
from notochord.services.models.ports import FailureKind, ProviderFailure

ATTEMPTS = 4
FIRST_WAIT = 1.0
LONGEST_WAIT = 60.0
"""Seconds; a provider that asks for more is not waited for."""

_QUOTA = re.compile(r"quota|insufficient|billing|credit|balance|payment", re.IGNORECASE)
_CONTEXT = re.compile(
    r"context.?(length|window|size)|maximum context|too many tokens|prompt is too long|input is too long|"
    r"exceeds? the (model|maximum|limit)|max_model_len|reduce the length",
    re.IGNORECASE,
)
_NO_TOOLS = re.compile(
    r"does(n't| not) support (the use of )?(tools?|functions?)\b|support tool use|tool.{0,20}not supported|"
    r"tool choice requires|enable-auto-tool-choice|function calling is not enabled",
    re.IGNORECASE,
)
_NO_IMAGES = re.compile(r"(does(n't| not) support|not support).{0,30}(image|vision)", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model.{0,80}(not found|does not exist|not exist|unknown|no such)|no endpoints found", re.IGNORECASE
)
_DETAIL = 500


def wait_before_retry(failure: ProviderFailure, attempt: int, chance: float) -> float | None:
    """Return the seconds to wait before the next attempt; None if there should be none.

    `attempt` counts from 1; `chance` (0 to 1) spreads callers that failed together over half of the time.
    """
    if attempt >= ATTEMPTS or not _is_passing(failure):
        return None
    if failure.retry_after is not None:
        return failure.retry_after if failure.retry_after <= LONGEST_WAIT else None
    return float(FIRST_WAIT * 2 ** (attempt - 1)) * (0.5 + chance / 2)


def _is_passing(failure: ProviderFailure) -> bool:
    if failure.kind is FailureKind.LOST:
        return True
    if failure.kind in (FailureKind.BROKEN, FailureKind.FLOOD):
        return False
    if failure.status == 429:
        return _QUOTA.search(failure.detail) is None or failure.retry_after is not None
    return failure.status in (408, 409) or failure.status >= 500


def as_error(failure: ProviderFailure, model: ModelRef, *, begun: bool) -> NotochordError:
    """Return the error that the caller gets. `begun`: a part of the answer had come already.

    What was asked of the provider itself, such as its list, names no model: the provider stands for it.
    """
    code, fault = _code(failure, begun=begun)
    return NotochordError(
        code,
        fault,
        flattened(failure.detail, _DETAIL),
        model=str(model) if model.model else model.provider,
        provider=model.provider,
        status=failure.status,
        reason=flattened(failure.detail, _DETAIL),
        seconds=int(failure.retry_after or 0),
    )


def _code(failure: ProviderFailure, *, begun: bool) -> tuple[Code, Fault]:
    status, text = failure.status, failure.detail
    if failure.kind is FailureKind.FLOOD:
        return Code.MODEL_REPLY_TOO_LONG, Fault.PROVIDER
    if failure.kind is not FailureKind.STATUS:
        broken = begun or failure.kind is FailureKind.BROKEN
        return (Code.MODEL_STREAM_BROKEN, Fault.PROVIDER) if broken else (Code.MODEL_UNAVAILABLE, Fault.NETWORK)
    if status == 402 or (status in (403, 429) and _QUOTA.search(text)):
        return Code.MODEL_QUOTA, Fault.USER
    if status == 429:
        return Code.MODEL_RATE_LIMITED, Fault.PROVIDER
    if status == 401 or (status == 403 and not _NO_MODEL.search(text)):
        return Code.MODEL_KEY_REFUSED, Fault.USER
    if begun:
        return Code.MODEL_STREAM_BROKEN, Fault.PROVIDER
    if _NO_TOOLS.search(text):
        return Code.MODEL_NO_TOOLS, Fault.USER
    if _NO_IMAGES.search(text):
        return Code.MODEL_NO_IMAGES, Fault.USER
    if status == 413 or _CONTEXT.search(text):
        return Code.MODEL_CONTEXT_LENGTH, Fault.USER
    if status in (403, 404) or (status == 400 and _NO_MODEL.search(text)):
        return Code.MODEL_UNKNOWN, Fault.USER
    return (Code.MODEL_UNAVAILABLE, Fault.PROVIDER) if status >= 500 else (Code.MODEL_REFUSED, Fault.PROVIDER)
