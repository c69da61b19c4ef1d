"""The raw-database child: reads orders from standard input, writes what became of them to standard output."""

import os
import sys
from pathlib import Path
from typing import Any

from notochord.adapters.raw_databases import frames
from notochord.adapters.raw_databases.confinement import confine
from notochord.adapters.raw_databases.engine import Engine, Failure, Limits

MAX_DETAIL = 1_000


def main() -> int:
    """Run until standard input ends. Nothing but frames reaches standard output."""
    orders = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    first = frames.read(orders)
    if first is None:
        return 0
    child = Child(answers)
    if not child.open(first):
        return 1
    while (order := frames.read(orders)) is not None:
        child.carry_out(order)
    child.close()
    return 0


class Child:
    """Carries out one order after the other."""

    def __init__(self, answers: Any) -> None:
        self._answers = answers
        self._engine: Engine | None = None

    def open(self, first: frames.Frame) -> bool:
        """Open the database and run its script; what fails is told, and nothing is open then."""
        head = first.head
        database = Path(head["database"])
        limits = Limits(**head["limits"])
        confine(database, limits.database_bytes, limits.heap_bytes)
        try:
            engine = Engine(database, bytes.fromhex(head["key"]), limits)
            script = frames.unpack(first.body, b"").head
            migrations = [(one["number"], one["name"], one["sql"]) for one in script["migrations"]]
            migrated = engine.run_script(script["schema"], migrations, lambda: self._send({"is": "step"}))
        except Failure as failure:
            self._fail(failure)
            return False
        self._engine = engine
        self._send({"is": "ready", "migrated": migrated})
        return True

    def carry_out(self, order: frames.Frame) -> None:
        assert self._engine is not None
        try:
            match order.head["do"]:
                case "query":
                    rows, odd = self._engine.query(order.body)
                    self._send({"is": "rows", "odd": odd}, rows)
                case "insert":
                    self._send({"is": "added", "id": self._engine.insert(order.body)})
                case _:
                    self._send({"is": "tables", "tables": self._engine.tables()})
        except Failure as failure:
            self._fail(failure)

    def close(self) -> None:
        assert self._engine is not None
        self._engine.close()

    def _fail(self, failure: Failure) -> None:
        self._send({"is": "failed", "why": failure.why, "detail": str(failure)[:MAX_DETAIL]})

    def _send(self, head: frames.Head, body: bytes = b"") -> None:
        for part in frames.pack(frames.Frame(head, body)):
            left = memoryview(part)
            while left:
                left = left[self._answers.write(left) :]


if __name__ == "__main__":
    sys.exit(main())
