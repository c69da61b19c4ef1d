"""Measures a step of an agent without its model: against the same durable writes by hand, and behind a long history.

    PYTHONPATH=src:tests python tests/bench/bench_agent_step.py [FOLDER]

FOLDER is where the databases lie during the run (default: the system's folder for temporary files).
"""

import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

from sqlalchemy import Connection

from notochord.core.clock import SystemClock
from notochord.core.ids import IdMaker
from notochord.persistence.connection import connect
from notochord.services.agents.api import MAX_STEPS
from notochord.services.chat import chat_rows, entry_rows
from notochord.services.chat.api import SUMMARIZE_ABOVE, NewChat, Outgoing
from notochord.services.chat.records import EntryRecord, SummaryRecord
from notochord.services.models.api import ModelEvent, ModelRequest, Role, Text
from support.conversations import Office, office_in
from support.databases import KEY
from support.scripted_models import call, say, use

STEPS = 60
ROUNDS = 5
MOST_OVER_HAND = 3.0
MOST_OVER_TEN = 1.2
LONG = 10_000
SHORT = 10


async def main(folder: Path) -> None:
    async with office_in(folder, clock=SystemClock()) as office:
        await office.settings.change(MAX_STEPS, STEPS + 1)
        await office.settings.change(SUMMARIZE_ABOVE, 0)
        answer_instantly(office)
        over_hand = await compare_with_hand(office, folder)
        over_ten = await compare_histories(office)
    print(f"a step: {over_hand:.2f} x the same writes by hand (at most {MOST_OVER_HAND})")
    print(f"{LONG} messages behind a summary: {over_ten:.2f} x {SHORT} messages (at most {MOST_OVER_TEN})")
    sys.exit(0 if over_hand <= MOST_OVER_HAND and over_ten <= MOST_OVER_TEN else 1)


def answer_instantly(office: Office) -> None:
    reading, done = use(call("note.read", {"name": "a"})), say("Done.")

    async def stream(request: ModelRequest) -> AsyncIterator[ModelEvent]:
        steps = office.models.scripts["chat"]
        steps.pop()
        yield reading if steps else done

    office.models.stream = stream  # type: ignore[method-assign]


async def compare_with_hand(office: Office, folder: Path) -> float:
    """Take turns, so that a slow minute of the disk hits both."""
    ratios = []
    for _ in range(ROUNDS):
        chat = (await office.chats.create(NewChat())).id
        steps = await seconds_per_step(office, chat)
        ratios.append(steps / by_hand(folder / "main.db", chat))
    return statistics.median(ratios)


async def compare_histories(office: Office) -> float:
    ratios = []
    for _ in range(ROUNDS):
        seconds = []
        for messages in (SHORT, LONG):
            chat = (await office.chats.create(NewChat())).id
            await office.database.write(fill(chat, messages))
            seconds.append(await seconds_per_step(office, chat))
        ratios.append(seconds[1] / seconds[0])
    return statistics.median(ratios)


async def seconds_per_step(office: Office, chat: str) -> float:
    """Let the agent take STEPS steps, each with one call of a tool, and return the mean time of one."""
    office.models.scripts["chat"] = [say("step")] * STEPS
    began = time.perf_counter()
    await office.chats.send(chat, Outgoing("Go on"))
    return (time.perf_counter() - began) / STEPS


def by_hand(database: Path, chat: str) -> float:
    """Store what a step stores, in its two transactions, on a bare connection; return the mean time of one step."""
    connection = connect(database, KEY)
    ids = IdMaker(SystemClock())
    end = "UPDATE chat_calls SET state = 'done', text = '\"ok\"', milliseconds = 1 WHERE entry = ? AND call = 'call_1'"
    entries = "INSERT INTO chat_entries VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
    try:
        branch = ids.new()
        began = time.perf_counter()
        for depth in range(STEPS):
            entry = ids.new()
            row = (
                entry,
                chat,
                branch,
                depth,
                "",
                "t",
                "assistant",
                '[{"call":"call_1"}]',
                "",
                1,
                "done",
                "",
                "p",
                "m",
                1,
                1,
            )
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(entries, row)
            connection.execute(
                "INSERT INTO chat_calls VALUES (?,0,'call_1','note.read','running','','',0,'')", (entry,)
            )
            connection.execute("UPDATE chats SET answering = 't', failed = 0, changed_at = 1 WHERE id = ?", (chat,))
            connection.execute("COMMIT")
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(end, (entry,))
            connection.execute("COMMIT")
        return (time.perf_counter() - began) / STEPS
    finally:
        connection.close()


def fill(chat: str, messages: int) -> Callable[[Connection], None]:
    """Put messages into a conversation; all but the last SHORT are behind a summary."""
    ids = IdMaker(SystemClock())

    def store(connection: Connection) -> None:
        branch = chat_rows.get(connection, chat).branch
        parent, turn = "", ""
        for depth in range(messages):
            role = Role.ASSISTANT if depth % 2 else Role.USER
            entry = ids.new()
            turn = entry if role is Role.USER else turn
            parts = (Text(f"message {depth} " + "word " * 20),)
            entry_rows.add(
                connection, chat, EntryRecord(entry, branch, depth, parent, turn, role, parts, background="", at=1)
            )
            parent = entry
            if depth == messages - SHORT - 1:
                summary = SummaryRecord(ids.new(), branch, depth, entry, "What was said.", 1)
                entry_rows.add_summary(connection, chat, summary)

    return store


if __name__ == "__main__":
    if len(sys.argv) > 1:
        with tempfile.TemporaryDirectory(dir=sys.argv[1]) as chosen:
            asyncio.run(main(Path(chosen)))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            asyncio.run(main(Path(temporary)))
