"""The loop of a windowed program treats coroutines as asyncio's own does."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from PySide6.QtWidgets import QApplication

from notochord.app.desktop.loop import run_with_windows


@pytest.mark.filterwarnings("error")
def test_a_generator_that_is_left_half_read_is_closed_on_the_loop(qapp: QApplication) -> None:
    """A broken stream leaves such generators; what they give back takes an await."""
    closed: list[asyncio.AbstractEventLoop] = []

    async def pieces() -> AsyncGenerator[int, None]:
        try:
            yield 1
            yield 2
        finally:
            await asyncio.sleep(0)
            closed.append(asyncio.get_running_loop())

    async def work() -> asyncio.AbstractEventLoop:
        async for _ in pieces():
            break
        for _ in range(10):
            await asyncio.sleep(0)
        return asyncio.get_running_loop()

    loop = run_with_windows(qapp, work())

    assert closed == [loop]
