"""Whatever is written, refused, read, upgraded and killed in whatever order, the database equals its model."""

import asyncio
import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from sqlalchemy import Connection, text

from notochord.persistence.database import Database
from notochord.persistence.migrations import Component
from support.databases import KEY

FIRST = Component("kv", (lambda connection: connection.execute("CREATE TABLE kv (k TEXT PRIMARY KEY, v TEXT) STRICT"),))
SECOND = Component("kv", (*FIRST.steps, lambda connection: connection.execute("ALTER TABLE kv ADD COLUMN w TEXT")))
NAMES = st.sampled_from("abc")


class StoreMachine(RuleBasedStateMachine):
    """The model is a dictionary; a kill is a copy of the files as they lie there."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.runner = asyncio.Runner()
        self.component = FIRST
        self.model: dict[str, str] = {}
        self.database = self.opened()

    def opened(self) -> Database:
        return self.runner.run(Database.open(self.folder / "main.db", KEY, (self.component,)))

    @rule(changes=st.dictionaries(NAMES, st.text(max_size=2000), max_size=3), fails=st.booleans())
    def write(self, changes: dict[str, str], fails: bool) -> None:
        def work(connection: Connection) -> None:
            for name, value in changes.items():
                row = text("INSERT INTO kv (k, v) VALUES (:k, :v) ON CONFLICT DO UPDATE SET v = excluded.v")
                connection.execute(row, {"k": name, "v": value.replace("\x00", "")})
            if fails:
                raise LookupError

        try:
            self.runner.run(self.database.write(work))
            self.model.update({name: value.replace("\x00", "") for name, value in changes.items()})
        except LookupError:
            assert fails

    @rule(name=NAMES)
    def remove(self, name: str) -> None:
        row = text("DELETE FROM kv WHERE k = :k")
        self.runner.run(self.database.write(lambda connection: connection.execute(row, {"k": name})))
        self.model.pop(name, None)

    @rule()
    def reopen(self) -> None:
        self.runner.run(self.database.close())
        self.database = self.opened()

    @rule()
    def kill(self) -> None:
        copied = Path(tempfile.mkdtemp())
        for path in self.folder.iterdir():
            if not path.name.endswith("-shm"):
                shutil.copyfile(path, copied / path.name)
        self.runner.run(self.database.close())
        shutil.rmtree(self.folder)
        self.folder = copied
        self.database = self.opened()

    @precondition(lambda self: self.component is FIRST)
    @rule()
    def upgrade(self) -> None:
        self.runner.run(self.database.close())
        self.component = SECOND
        self.database = self.opened()

    @invariant()
    def equals_its_model(self) -> None:
        def look(connection: Connection) -> dict[str, str]:
            return {row.k: row.v for row in connection.execute(text("SELECT k, v FROM kv"))}

        assert self.runner.run(self.database.read(look)) == self.model

    def teardown(self) -> None:
        assert self.runner.run(self.database.check()) == ()
        self.runner.run(self.database.close())
        self.runner.close()
        shutil.rmtree(self.folder)


StoreMachine.TestCase.settings = settings(max_examples=8, stateful_step_count=12)
test_a_database_behaves_like_its_model = StoreMachine.TestCase
