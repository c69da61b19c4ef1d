"""Statistics of use: tokens by day, by model and by feature, for a period (MODEL-100, OPEN-087)."""

import asyncio
import csv
import io
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import IntEnum
from pathlib import Path

from notochord.core.clock import Clock
from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.events import EventBus
from notochord.core.observable import Observable
from notochord.services.usage.api import Usage, UseTotal
from notochord.viewmodels.settings.pane import SectionModel

COLUMNS = ("day", "feature", "provider", "model", "calls", "input_tokens", "output_tokens")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


class Period(IntEnum):
    """How many days back, today included; 0 for everything."""

    WEEK = 7
    MONTH = 30
    QUARTER = 90
    ALL = 0


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a table: what it counts, how many calls, tokens read and written."""

    name: str
    calls: int
    read: int
    written: int


@dataclass(frozen=True, slots=True)
class Figures:
    """What is shown of a period. `days` has a line for each day, also those without a call, oldest first."""

    total: Line = Line("", 0, 0, 0)
    days: tuple[Line, ...] = ()
    models: tuple[Line, ...] = ()
    features: tuple[Line, ...] = ()


class StatisticsModel(SectionModel):
    """Reads the record of model calls; it is read anew each time the section is shown."""

    def __init__(self, *, usage: Usage, clock: Clock, events: EventBus) -> None:
        super().__init__("statistics", events)
        self._usage = usage
        self._clock = clock
        self._totals: tuple[UseTotal, ...] = ()
        self.period: Observable[Period] = Observable(Period.MONTH)
        self.figures: Observable[Figures] = Observable(Figures())

    async def choose_period(self, period: Period) -> None:
        """Show another period."""
        self.period.set(period)
        await self.load()

    async def export(self, file: Path) -> None:
        """Write the period as CSV, a line for each day, feature and model. Raises DISK_IO."""
        await asyncio.to_thread(_write, file, csv_of(self._totals))

    async def _load(self) -> None:
        today = self._clock.now().astimezone(self._clock.zone()).date()
        days = self.period.value.value
        since = (today - timedelta(days=days - 1)).isoformat() if days else ""
        self._totals = await self._usage.totals(since_day=since)
        self.figures.set(figures_of(self._totals, since, today))


def figures_of(totals: tuple[UseTotal, ...], since: str, today: date) -> Figures:
    """Return the figures of a period from the totals; `since` empty means from the first day with a call."""
    by_day = {line.name: line for line in _grouped(totals, lambda total: total.day)}
    first = date.fromisoformat(since or min(by_day, default=today.isoformat()))
    names = [(first + timedelta(days=ahead)).isoformat() for ahead in range((today - first).days + 1)]
    later = [name for name in sorted(by_day) if name > today.isoformat()]
    return Figures(
        total=_sum("", totals),
        days=tuple(by_day.get(name, Line(name, 0, 0, 0)) for name in (*names, *later)) if totals else (),
        models=_largest_first(_grouped(totals, lambda total: f"{total.provider}/{total.model}")),
        features=_largest_first(_grouped(totals, lambda total: total.feature)),
    )


def csv_of(totals: tuple[UseTotal, ...]) -> str:
    """Return the totals as CSV; a name that a spreadsheet would take for a formula gets an apostrophe before it."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    for total in totals:
        names = (total.day, total.feature, total.provider, total.model)
        safe = (f"'{name}" if name.startswith(_FORMULA) else name for name in names)
        writer.writerow((*safe, total.calls, total.input_tokens, total.output_tokens))
    return text.getvalue()


def _grouped(totals: tuple[UseTotal, ...], name_of: Callable[[UseTotal], str]) -> tuple[Line, ...]:
    groups: dict[str, list[UseTotal]] = {}
    for total in totals:
        groups.setdefault(name_of(total), []).append(total)
    return tuple(_sum(name, tuple(found)) for name, found in groups.items())


def _sum(name: str, totals: tuple[UseTotal, ...]) -> Line:
    return Line(
        name,
        sum(total.calls for total in totals),
        sum(total.input_tokens for total in totals),
        sum(total.output_tokens for total in totals),
    )


def _largest_first(lines: tuple[Line, ...]) -> tuple[Line, ...]:
    return tuple(sorted(lines, key=lambda line: (-(line.read + line.written), line.name)))


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8-sig", newline="")
    except OSError as error:
        raise NotochordError(Code.DISK_IO, Fault.SYSTEM, str(error), path=str(file)) from error
