"""What nobody foresaw is logged and told: a window that is silently dead helps nobody."""

import asyncio
import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError

_log = logging.getLogger(__name__)

Tell = Callable[[NotochordError], None]


def unforeseen(failure: BaseException | None) -> NotochordError:
    """Return what people are told of a failure that nobody foresaw; its text may hold anything and stays in the log."""
    kind = type(failure).__name__ if failure is not None else "a failure"
    return NotochordError(Code.INTERNAL, Fault.BUG, f"unforeseen: {kind}")


@contextmanager
def faults_told(loop: asyncio.AbstractEventLoop, tell: Tell) -> Iterator[None]:
    """While the block runs, tell of exceptions that Qt's slots or the loop's callbacks let out."""

    def in_slot(kind: type[BaseException], failure: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, failure, trace)
            return
        _log.error("a part of the window failed", exc_info=(kind, failure, trace))
        tell(unforeseen(failure))

    def in_loop(_: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        failure = context.get("exception")
        _log.error("a callback failed: %s", context.get("message"), exc_info=failure)
        if isinstance(failure, Exception):
            tell(unforeseen(failure))

    before = sys.excepthook
    sys.excepthook = in_slot
    loop.set_exception_handler(in_loop)
    try:
        yield
    finally:
        sys.excepthook = before
        loop.set_exception_handler(None)
