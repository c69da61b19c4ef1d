import asyncio
from types import TracebackType
from typing import Self

from PySide6.QtCore import QCoreApplication

class QEventLoop(asyncio.BaseEventLoop):
    def __init__(
        self, app: QCoreApplication | None = ..., set_running_loop: bool = ..., already_running: bool = ...
    ) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
