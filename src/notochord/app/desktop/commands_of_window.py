"""Runs the commands of whatever the window shows, and ends them before the services behind them are closed."""

from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from PySide6.QtCore import QObject

from notochord.core.errors import NotochordError
from notochord.core.tasks import Lifetime
from notochord.ui.kit.runner import Failed, LoopRunner

Result = TypeVar("Result")


class WindowRunner:
    """Implements `ui.kit.runner.Runner` for the life of the window; `quiet` may be called any number of times."""

    def __init__(self, present: Failed) -> None:
        self._present = present
        self._begin()

    def run(
        self,
        owner: QObject,
        name: str,
        command: Coroutine[Any, Any, Result],
        *,
        done: Callable[[Result], None] | None = None,
        failed: Callable[[NotochordError], None] | None = None,
    ) -> Callable[[], None]:
        """See `Runner.run`."""
        return self._runner.run(owner, name, command, done=done, failed=failed)

    async def quiet(self) -> None:
        """Cancel what runs and wait until it has ended; later commands run as before."""
        ending = self._lifetime
        self._begin()
        await ending.close()

    def _begin(self) -> None:
        self._lifetime = Lifetime("window")
        self._runner = LoopRunner(lifetime=self._lifetime, present=self._present)
