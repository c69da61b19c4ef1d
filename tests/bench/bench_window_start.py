"""How long the window takes until it can be used, as ratios to a bare PySide6 window in the same run.

    PYTHONPATH=src:tests python tests/bench/bench_window_start.py [ROUNDS]

Usable: Home is painted and a key press is answered. Every start is a fresh process; the rounds are interleaved, so that
a busy machine slows all alike, and the medians are compared.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from notochord.core.clock import SystemClock
from notochord.core.ids import IdMaker
from notochord.services.chat import chat_rows, entry_rows
from notochord.services.chat.api import NewChat
from notochord.services.chat.records import EntryRecord
from notochord.services.chat.service import ChatService
from notochord.services.models.api import ModelRef, ProviderDraft, ProviderKind, Role, Text
from notochord.services.organizations.api import KeyPlace
from support.whole import around

ROUNDS = 9
CHATS, MESSAGES = 1000, 100
MOST_OVER_BARE = 3.0
MOST_OVER_EMPTY = 1.3
CHILD = Path(__file__).with_name("window_start_child.py")


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    with tempfile.TemporaryDirectory() as folder:
        empty, full = Path(folder, "empty"), Path(folder, "full")
        asyncio.run(make(empty, 0))
        asyncio.run(make(full, CHATS))
        starts = {"bare": ("bare",), "empty": ("notochord", str(empty)), "full": ("notochord", str(full))}
        for words in starts.values():
            seconds(words)
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in starts}
        for _ in range(rounds):
            for name, words in starts.items():
                taken[name].append(seconds(words))
    usable = {name: statistics.median(one for one, _ in found) for name, found in taken.items()}
    opened = {name: statistics.median(one for _, one in found) for name, found in taken.items()}
    over_bare, over_empty = usable["empty"] / usable["bare"], usable["full"] / usable["empty"]
    print(f"a bare window: {usable['bare'] * 1000:.0f} ms, median of {rounds}")
    print(f"usable: {over_bare:.2f} x a bare window (at most {MOST_OVER_BARE})")
    print(f"usable with {CHATS} chats and {CHATS * MESSAGES} messages: {over_empty:.2f} x an empty store (1.3)")
    print(f"services open: {opened['empty'] / usable['bare']:.2f} x a bare window")
    print(f"services open with all chats: {opened['full'] / opened['empty']:.2f} x an empty store (at most 1.3)")
    return 0 if over_bare <= MOST_OVER_BARE and over_empty <= MOST_OVER_EMPTY else 1


def seconds(words: tuple[str, ...]) -> tuple[float, float]:
    """Start a window and return the seconds until it was usable, and until its services were open."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program does not compile itself at each start
    began = time.monotonic()
    ended = subprocess.run(
        (sys.executable, str(CHILD), *words), check=True, capture_output=True, text=True, env=environment
    )
    usable, opened = map(float, ended.stdout.split())
    assert usable > began, ended.stdout
    return usable - began, opened - began


async def make(home: Path, chats: int) -> None:
    """Make an organization that is set up, with a model, and with this many conversations."""
    home.mkdir()
    async with around(home) as surroundings:
        made = await surroundings.organizations.create("Personal", KeyPlace.FILE)
        await surroundings.organizations.finish_setup_step(made.id, 5)
        async with surroundings.opener.open(made.id) as services:
            await services.models.add_provider(ProviderDraft("Ollama", ProviderKind.OLLAMA, models=("qwen3",)), None)
            await services.models.set_role("chat", ModelRef("Ollama", "qwen3"))
            assert isinstance(services.chats, ChatService)
            for number in range(chats):
                chat = await services.chats.create(NewChat())
                await services.chats.rename(chat.id, f"Conversation {number}")
                await services.chats._database.write(partial(fill, chat.id))


def fill(chat: str, connection: Connection) -> None:
    ids = IdMaker(SystemClock())
    branch = chat_rows.get(connection, chat).branch
    parent, turn = "", ""
    for depth in range(MESSAGES):
        role = Role.ASSISTANT if depth % 2 else Role.USER
        entry = ids.new()
        turn = entry if role is Role.USER else turn
        parts = (Text(f"message {depth} " + "word " * 20),)
        entry_rows.add(
            connection, chat, EntryRecord(entry, branch, depth, parent, turn, role, parts, background="", at=1)
        )
        parent = entry


if __name__ == "__main__":
    sys.exit(main())
