"""A runner of view-models' commands for tests of views that have no loop."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from PySide6.QtCore import QObject

from notochord.core.errors import NotochordError

Result = TypeVar("Result")


class HandRunner:
    """Runs each command to its end at once; keeps the names, and the failures that no view took."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.presented: list[NotochordError] = []

    def run(
        self,
        owner: QObject,
        name: str,
        command: Coroutine[Any, Any, Result],
        *,
        done: Callable[[Result], None] | None = None,
        failed: Callable[[NotochordError], None] | None = None,
    ) -> Callable[[], None]:
        self.names.append(name)
        try:
            result = asyncio.run(command)
        except NotochordError as error:
            (failed or self.presented.append)(error)
        else:
            if done:
                done(result)
        return lambda: None
