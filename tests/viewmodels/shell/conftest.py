"""Folders in memory, and a window's attention over real conversations."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from notochord.viewmodels.shell.attention import Attention, Summons
from notochord.viewmodels.shell.navigation import Navigation
from support.conversations import Office, office_in
from support.scripted_models import Step

__all__ = ["Watch", "watching"]


@dataclass
class Watch:
    """What the tests look at."""

    office: Office
    navigation: Navigation
    attention: Attention
    summoned: list[Summons] = field(default_factory=list)


@asynccontextmanager
async def watching(folder: Path, steps: Iterable[Step] = ()) -> AsyncIterator[Watch]:
    """Follow the conversations in `folder` as a window does that is not looked at."""
    async with office_in(folder, steps, title=()) as office:
        navigation, summoned = Navigation(), list[Summons]()
        attention = Attention(
            chats=office.chats, approvals=office.approvals, settings=office.settings, events=office.events,
            navigation=navigation, summon=summoned.append,
        )  # fmt: skip
        await attention.start()
        try:
            yield Watch(office, navigation, attention, summoned)
        finally:
            await attention.close()
