"""Whatever is written, refused, migrated, cleaned, reopened and killed in whatever order, a store is its model."""

import asyncio
import shutil
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json, decode
from notochord.services.data.api import (
    Append,
    Batches,
    Condition,
    Delete,
    Insert,
    LogQuery,
    MigrationJob,
    Query,
    Read,
    Source,
    Update,
    Write,
)
from notochord.services.data.service import DataService
from support.clocks import HandClock
from support.data import GEM, OWNER
from support.memory_folders import memory
from support.vaults import MemoryVault

DAY = 86_400
IDS = st.sampled_from(["a", "b", "c", "d"])
NAMES = st.one_of(st.none(), st.sampled_from(["x", "X", "é", "\U00010000"]))
NUMBERS = st.one_of(st.none(), st.sampled_from([0, 1, -1.5, 2**53]))
CONTENT = st.fixed_dictionaries({"name": NAMES, "number": NUMBERS})
KEPT_ENTRIES = 4


@dataclass
class Model:
    """What the store should hold."""

    records: dict[str, tuple[int, dict[str, Json]]] = field(default_factory=dict)
    entries: list[int] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    text: str | None = None

    def holder(self, name: Json, but: str) -> bool:
        """Tell whether another record has this unique name."""
        return name is not None and any(
            data.get("name") == name for one, (_, data) in self.records.items() if one != but
        )


def plain(content: dict[str, Json]) -> dict[str, Json]:
    return {name: value for name, value in content.items() if value is not None}


class DataMachine(RuleBasedStateMachine):
    """A kill is a copy of the files as they lie there."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(dir=memory()))
        self.runner = asyncio.Runner()
        self.vault, self.clock = MemoryVault(), HandClock()
        self.version, self.extra, self.stamp = 1, 0, 0
        self.model = Model()
        self.cleaned_at = self.clock.milliseconds()
        self.data = self.made()
        self.store = self.runner.run(self.data.store(self.source()))
        self.runner.run(self.store.settle())

    def made(self) -> DataService:
        return DataService(vault=self.vault, clock=self.clock, device="here")

    def source(self) -> Source:
        fields: dict[str, Any] = {"name": {"type": "string", "unique": True}, "number": {"type": "number"}}
        fields |= {f"extra{n}": {"type": "string"} for n in range(self.extra)}
        fields |= {f"made{n}": {"type": "integer", "required": True} for n in range(2, self.version + 1)}
        table: dict[str, Any] = {"kind": "table", "fields": fields, "indexes": [["number"], ["name", "number"]]}
        if self.version > 1:
            table |= {"version": self.version, "migrations": "m.js"}
        log = {"kind": "log", "fields": {"n": {"type": "integer"}}, "retention": {"maxEntries": KEPT_ENTRIES}}
        declared: Any = {"collections": {"items": table, "seen": log}}
        return Source(OWNER, self.folder, declared, str(self.stamp))

    def required(self) -> dict[str, Json]:
        return {f"made{n}": n for n in range(2, self.version + 1)}

    def tried(self, attempt: Any, expected: Code | None) -> bool:
        """Run a write; return whether it was carried out, and fail unless that was expected."""
        try:
            self.runner.run(attempt)
        except NotochordError as error:
            told: Code | None = error.code
        else:
            told = None
        assert told is expected
        return told is None

    @rule(identifier=IDS, content=CONTENT)
    def insert(self, identifier: str, content: dict[str, Json]) -> None:
        content = {**content, **self.required()}
        taken = identifier in self.model.records
        expected = Code.DATA_CONFLICT if taken else None
        if not taken and self.model.holder(content["name"], identifier):
            expected = Code.DATA_UNIQUE
        if self.tried(self.store.records.insert(Insert("items", content, identifier), GEM), expected):
            self.model.records[identifier] = (1, plain(content))

    @rule(identifier=IDS, patch=CONTENT, version=st.one_of(st.none(), st.integers(1, 3)))
    def update(self, identifier: str, patch: dict[str, Json], version: int | None) -> None:
        found = self.model.records.get(identifier)
        expected = Code.DATA_NOT_FOUND if found is None else None
        if found is not None and version not in (None, found[0]):
            expected = Code.DATA_CONFLICT
        elif found is not None and self.model.holder(patch["name"], identifier):
            expected = Code.DATA_UNIQUE
        if self.tried(self.store.records.update(Update("items", identifier, dict(patch), version), GEM), expected):
            assert found is not None
            self.model.records[identifier] = (found[0] + 1, plain({**found[1], **patch}))

    @rule(identifier=IDS)
    def delete(self, identifier: str) -> None:
        done = self.runner.run(self.store.records.delete(Delete("items", identifier), GEM))
        assert done is (self.model.records.pop(identifier, None) is not None)

    @rule(identifier=IDS, other=IDS, number=NUMBERS, meanwhile=st.booleans())
    def transact(self, identifier: str, other: str, number: Json, meanwhile: bool) -> None:
        """Read one record and write two things; the read may be out of date by then."""
        _, revision = self.runner.run(self.store.records.read("items", identifier))
        if meanwhile and identifier in self.model.records:
            version, data = self.model.records[identifier]
            self.runner.run(self.store.records.update(Update("items", identifier, {"number": 7}), GEM))
            self.model.records[identifier] = (version + 1, {**data, "number": 7})
        stale = meanwhile and identifier in self.model.records
        writes: list[Write] = [Append("seen", {"n": 1}), Update("items", other, {"number": number})]
        reads = [Read("items", identifier, revision)]
        done = False
        told: Code | None = None
        try:
            done = self.runner.run(self.store.records.transact(reads, writes, GEM))
        except NotochordError as error:
            told = error.code
        assert (told is Code.DATA_NOT_FOUND) is (not stale and other not in self.model.records)
        assert told is not None or done is not stale
        if told is None and done:
            version, data = self.model.records[other]
            self.model.records[other] = (version + 1, plain({**data, "number": number}))
            self.model.entries.append(1)

    @rule(number=st.integers(0, 9))
    def append(self, number: int) -> None:
        self.runner.run(self.store.records.append(Append("seen", {"n": number}), GEM))
        self.model.entries.append(number)

    @rule(key=st.sampled_from("kl"), value=st.text(st.characters(exclude_categories=["Cs"]), max_size=5))
    def set_key(self, key: str, value: str) -> None:
        self.runner.run(self.store.kv_set(key, value, GEM))
        self.model.keys[key] = value

    @rule(text=st.sampled_from(["one", "# one\n\ntwo", "- a\n- b\n\n```\nc\n```"]))
    def write_document(self, text: str) -> None:
        documents = self.store.documents
        if self.model.text is None:
            self.runner.run(documents.create(text, GEM, identifier="d", title=""))
        else:
            self.runner.run(documents.update("d", text, GEM))
        self.model.text = text

    @rule()
    def delete_document(self) -> None:
        assert self.runner.run(self.store.documents.delete("d", GEM)) is (self.model.text is not None)
        self.model.text = None

    @rule(days=st.sampled_from([0.5, 1.5]))
    def clean(self, days: float) -> None:
        self.clock.advance(days * DAY)
        self.runner.run(self.store.clean())
        if self.clock.milliseconds() - self.cleaned_at >= DAY * 1000:
            self.cleaned_at = self.clock.milliseconds()
            self.model.entries = self.model.entries[-KEPT_ENTRIES:]

    @rule()
    def reopen(self) -> None:
        self.runner.run(self.data.close())
        self.open_again()

    @rule()
    def kill(self) -> None:
        copied = Path(tempfile.mkdtemp(dir=memory()))
        shutil.copytree(self.folder, copied, dirs_exist_ok=True, ignore=shutil.ignore_patterns("*-shm"))
        self.runner.run(self.data.close())
        shutil.rmtree(self.folder)
        self.folder = copied
        self.open_again()

    def open_again(self) -> None:
        self.data = self.made()
        self.store = self.runner.run(self.data.store(self.source()))
        self.runner.run(self.store.settle())
        if self.clock.milliseconds() - self.cleaned_at >= DAY * 1000:
            self.cleaned_at = self.clock.milliseconds()
            self.model.entries = self.model.entries[-KEPT_ENTRIES:]

    @rule()
    def loosen(self) -> None:
        before = self.source()
        self.extra, self.stamp = self.extra + 1, self.stamp + 1
        self.change(before, fails_at=None, commits=True)

    @rule(fails_at=st.one_of(st.none(), st.integers(0, 3)), commits=st.booleans())
    def migrate(self, fails_at: int | None, commits: bool) -> None:
        before = self.source()
        self.version, self.stamp = self.version + 1, self.stamp + 1
        if self.change(before, fails_at=fails_at, commits=commits):
            made: dict[str, Json] = {f"made{self.version}": self.version}
            self.model.records = {
                name: (version + 1, {**data, **made}) for name, (version, data) in self.model.records.items()
            }
        else:
            self.version, self.stamp = self.version - 1, self.stamp - 1

    def change(self, before: Source, *, fails_at: int | None, commits: bool) -> bool:
        """Change over to the present source; return whether that was done."""

        async def migrate(job: MigrationJob, batches: Batches) -> None:
            while batch := await batches.next():
                results: list[tuple[str, Json]] = []
                for number, (identifier, data) in enumerate(batch):
                    if number == fails_at:
                        raise NotochordError(Code.DATA_SCHEMA, Fault.USER, "half way", reason="half way")
                    results.append((identifier, {**content_of(data), f"made{self.version}": self.version}))
                await batches.put(results)

        async def play() -> bool:
            try:
                activation = await self.data.prepare(self.source(), migrate, before=before)
            except NotochordError:
                return False
            await (activation.commit() if commits else activation.abandon())
            return commits

        done = self.runner.run(play())
        if done:
            self.store = self.runner.run(self.data.store(self.source()))
            self.runner.run(self.store.settle())
            if self.clock.milliseconds() - self.cleaned_at >= DAY * 1000:
                self.cleaned_at = self.clock.milliseconds()
                self.model.entries = self.model.entries[-KEPT_ENTRIES:]
        return done

    @rule(limit=st.integers(1, 3), descending=st.booleans(), name=NAMES)
    def query(self, limit: int, descending: bool, name: Json) -> None:
        conditions = () if name is None else (Condition("name", "==", name),)
        order = (("number", "desc" if descending else "asc"),)
        expected = sorted(
            ((data["number"], one) for one, (_, data) in self.model.records.items()
             if "number" in data and (name is None or data.get("name") == name)), reverse=descending,
        )  # fmt: skip
        found, after = list[str](), ""
        while True:
            page = self.runner.run(self.store.records.page(Query("items", conditions, order, limit, after)))
            found += [one.id for one in page.items]
            after = page.next_cursor
            if not after:
                break
        assert found == [one for _, one in expected]

    @invariant()
    def equals_its_model(self) -> None:
        async def look() -> None:
            page = await self.store.records.page(Query("items"))
            assert {one.id: (one.version, one.data) for one in page.items} == self.model.records
            entries = await self.store.records.entries(LogQuery("seen", newest_first=False, limit=1000))
            assert [one.data["n"] for one in entries.items] == self.model.entries
            assert {key: await self.store.kv_get(key) for key in self.model.keys} == self.model.keys
            document = await self.store.documents.get("d")
            assert (None if document is None else document.markdown) == self.model.text

        self.runner.run(look())

    def teardown(self) -> None:
        assert self.runner.run(self.store.access.database.check()) == ()
        self.runner.run(self.data.close())
        self.runner.close()
        shutil.rmtree(self.folder)


def content_of(data: str) -> dict[str, Json]:
    """Read the content of a record that a migration is given."""
    content = decode(data)
    assert isinstance(content, dict)
    return content


DataMachine.TestCase.settings = settings(max_examples=5, stateful_step_count=20)
test_a_store_behaves_like_its_model = DataMachine.TestCase


@pytest.mark.long
@pytest.mark.timeout(3600)
class TestTenThousandSteps(DataMachine.TestCase):  # type: ignore[misc, valid-type]
    """The same for long."""

    settings = settings(max_examples=200, stateful_step_count=50)
