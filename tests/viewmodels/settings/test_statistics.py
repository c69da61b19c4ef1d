"""Statistics: totals by day, model and feature of a period, and their export."""

import csv
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from notochord.core.errors import NotochordError
from notochord.core.events import EventBus
from notochord.core.ids import IdMaker
from notochord.persistence.database import Database
from notochord.services.usage.api import Use
from notochord.services.usage.component import COMPONENT
from notochord.services.usage.service import StoredUsage
from notochord.viewmodels.settings.statistics import Period, StatisticsModel, csv_of
from support.clocks import HandClock

KEY = bytes(range(32))


@dataclass
class Bench:
    model: StatisticsModel
    usage: StoredUsage
    clock: HandClock

    async def use(self, feature: str, model: str, read: int, written: int) -> None:
        await self.usage.record(Use(feature, "Cloud", model, read, written))

    async def days_pass(self, days: int) -> None:
        self.clock.advance(timedelta(days=days).total_seconds())


@pytest.fixture
async def bench(tmp_path: Path) -> AsyncIterator[Bench]:
    clock = HandClock()
    database = await Database.open(tmp_path / "main.db", KEY, (COMPONENT,))
    usage = StoredUsage(database=database, clock=clock, ids=IdMaker(clock))
    model = StatisticsModel(usage=usage, clock=clock, events=EventBus())
    yield Bench(model, usage, clock)
    await model.close()
    await database.close()


@pytest.mark.req("MODEL-100")
async def test_background_calls_are_counted_with_the_others(bench: Bench) -> None:
    await bench.use("chat", "large", 1_000, 100)
    await bench.use("title", "small", 50, 5)
    await bench.use("summary", "small", 500, 50)
    await bench.model.start()
    figures = bench.model.figures.value
    assert [(line.name, line.calls, line.read, line.written) for line in figures.features] == [
        ("chat", 1, 1_000, 100), ("summary", 1, 500, 50), ("title", 1, 50, 5),
    ]  # fmt: skip
    assert [(line.name, line.calls) for line in figures.models] == [("Cloud/large", 1), ("Cloud/small", 2)]
    assert (figures.total.calls, figures.total.read, figures.total.written) == (3, 1_550, 155)


async def test_each_day_of_the_period_has_a_line(bench: Bench) -> None:
    await bench.use("chat", "large", 10, 1)
    await bench.days_pass(3)
    await bench.use("chat", "large", 20, 2)
    await bench.model.choose_period(Period.WEEK)
    days = bench.model.figures.value.days
    assert [day.name for day in days] == [
        "2026-11-27", "2026-11-28", "2026-11-29", "2026-11-30", "2026-12-01", "2026-12-02", "2026-12-03",
    ]  # fmt: skip
    assert [day.read for day in days] == [0, 0, 0, 10, 0, 0, 20]


async def test_a_shorter_period_leaves_out_what_came_before(bench: Bench) -> None:
    await bench.use("chat", "old", 10, 1)
    await bench.days_pass(60)
    await bench.use("chat", "new", 20, 2)
    await bench.model.choose_period(Period.MONTH)
    assert [line.name for line in bench.model.figures.value.models] == ["Cloud/new"]
    await bench.model.choose_period(Period.ALL)
    assert len(bench.model.figures.value.models) == 2
    assert len(bench.model.figures.value.days) == 61


async def test_without_a_call_there_is_nothing_to_draw(bench: Bench) -> None:
    await bench.model.start()
    assert bench.model.figures.value.days == ()


async def test_the_export_holds_every_line_and_no_formula(bench: Bench, tmp_path: Path) -> None:
    await bench.use("chat", "=HYPERLINK(1)", 10, 1)
    await bench.use("chat", 'quote " and, comma', 20, 2)
    await bench.model.start()
    file = tmp_path / "use.csv"
    await bench.model.export(file)
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.reader(opened))
    assert rows[0] == ["day", "feature", "provider", "model", "calls", "input_tokens", "output_tokens"]
    assert [row[3] for row in rows[1:]] == ["'=HYPERLINK(1)", 'quote " and, comma']
    assert csv_of(()).count("\n") == 1
    with pytest.raises(NotochordError):
        await bench.model.export(tmp_path / "missing" / "use.csv")
