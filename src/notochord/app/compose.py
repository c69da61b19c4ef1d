"""Composition root: what a command has before an organization is open."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.paths import Home
from notochord.headless.services import Surroundings


@asynccontextmanager
async def surround(home: Home) -> AsyncIterator[Surroundings]:
    """Give a command the organizations of a home."""
    raise NotochordError(Code.INTERNAL, Fault.BUG, f"nothing is composed for {home.folder}")
    yield
