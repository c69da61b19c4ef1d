"""Times that repeat, as five fields: minute, hour, day of month, month, day of week; all of them have to match.

The reader is our own because the meaning is: day of month and day of week both have to match, 0 is Sunday and 7 is
nothing, and there are neither names nor short forms (SOP-031 to SOP-046).
"""

import re
from dataclasses import dataclass
from datetime import datetime

MAX_CHARACTERS = 256

_BLANKS = re.compile(r"[ \t]+")
_ITEM = re.compile(r"(?:\*|([0-9]{1,4})(?:-([0-9]{1,4}))?)(?:/([0-9]{1,4}))?", re.ASCII)
_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day of month", 1, 31), ("month", 1, 12), ("day of week", 0, 6))
_LONGEST = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


@dataclass(frozen=True, slots=True)
class Cron:
    """The values at which a time is due; local time, a minute at least apart."""

    minutes: frozenset[int]
    hours: frozenset[int]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    """0 is Sunday."""

    def is_due(self, moment: datetime) -> bool:
        """Tell whether the minute of a local time is one of these."""
        return (
            moment.minute in self.minutes
            and moment.hour in self.hours
            and moment.day in self.days
            and moment.month in self.months
            and moment.isoweekday() % 7 in self.weekdays
        )

    @property
    def comes_due(self) -> bool:
        """Whether there is such a day at all. A date that exists falls on each day of the week in some year, the 29th
        of February within forty years, so that the days of the week decide nothing."""
        return any(min(self.days) <= _LONGEST[month - 1] for month in self.months)


def parse(text: str) -> Cron:
    """Read the five fields. Raises ValueError saying what is not understood."""
    if len(text) > MAX_CHARACTERS:
        raise ValueError(f"it has more than {MAX_CHARACTERS} characters")
    fields = _BLANKS.split(text.strip(" \t"))
    if len(fields) != len(_FIELDS):
        raise ValueError(f"it has {len(fields)} fields, not {len(_FIELDS)}")
    minutes, hours, days, months, weekdays = (
        _values(field, *bounds) for field, bounds in zip(fields, _FIELDS, strict=True)
    )
    return Cron(minutes, hours, days, months, weekdays)


def _values(field: str, name: str, low: int, high: int) -> frozenset[int]:
    return frozenset().union(*(_item(item, name, low, high) for item in field.split(",")))


def _item(item: str, name: str, low: int, high: int) -> range:
    found = _ITEM.fullmatch(item)
    if found is None or (found[1] and found[3] and not found[2]):
        raise ValueError(f"{item!r} is nothing that the {name} can be")
    first, last = int(found[1] or low), int(found[2] or found[1] or high)
    step = int(found[3] or 1)
    if not low <= first <= last <= high:
        raise ValueError(f"{item!r} is not within the {name}, {low} to {high}")
    if not 1 <= step <= high:
        raise ValueError(f"the step of {item!r} is not within 1 to {high}")
    return range(first, last + 1, step)
