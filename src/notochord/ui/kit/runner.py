"""Runs the asynchronous commands of view-models for views, which never await."""

import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QObject

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.tasks import Lifetime
from notochord.ui.kit.life import while_alive

Result = TypeVar("Result")
_log = logging.getLogger(__name__)

Failed = Callable[[NotochordError], None]


class Runner(Protocol):
    """Runs one command for a view."""

    def run(
        self,
        owner: QObject,
        name: str,
        command: Coroutine[Any, Any, Result],
        *,
        done: Callable[[Result], None] | None = None,
        failed: Failed | None = None,
    ) -> Callable[[], None]:
        """Start `command`; return what cancels it. It is cancelled when `owner` is destroyed.

        `done` hears the result, `failed` a NotochordError; without `failed` the window's notice tells of it. Neither
        is called once the owner is gone.
        """


class LoopRunner:
    """Runs commands as tasks of the window's lifetime, and gives failures that nobody takes to the presenter."""

    def __init__(self, *, lifetime: Lifetime, present: Failed) -> None:
        self._lifetime = lifetime
        self._present = present

    def run(
        self,
        owner: QObject,
        name: str,
        command: Coroutine[Any, Any, Result],
        *,
        done: Callable[[Result], None] | None = None,
        failed: Failed | None = None,
    ) -> Callable[[], None]:
        """See `Runner.run`."""

        async def watched() -> None:
            try:
                result = await command
            except NotochordError as error:
                (while_alive(owner, failed) if failed else self._present)(error)
            except Exception as error:
                _log.exception("the command %s failed in a way that nobody foresaw", name)
                told = NotochordError(Code.INTERNAL, Fault.BUG, f"unforeseen: {type(error).__name__}")
                (while_alive(owner, failed) if failed else self._present)(told)
            else:
                if done:
                    while_alive(owner, done)(result)

        task = self._lifetime.start(name, watched())

        def cancel() -> None:
            task.cancel()

        owner.destroyed.connect(cancel)
        return cancel
