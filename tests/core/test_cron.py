"""The five fields of repeating times: what each means, and everything else is refused."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.core.cron import parse

MONDAY = datetime(2026, 11, 30)  # noqa: DTZ001 - local times have no zone


def due(text: str, start: datetime = MONDAY, hours: int = 24) -> list[str]:
    """Return the minutes at which a time is due."""
    cron = parse(text)
    moments = (start + timedelta(minutes=at) for at in range(hours * 60))
    return [f"{moment:%d %H:%M}" for moment in moments if cron.is_due(moment)]


@pytest.mark.req("SOP-032", "SOP-033", "SOP-034", "SOP-036")
def test_each_way_to_write_a_field_means_its_values() -> None:
    assert len(due("* * * * *")) == 24 * 60
    assert due("0 8 * * *") == ["30 08:00"]
    assert due("0 9-17 * * *") == [f"30 {hour:02}:00" for hour in range(9, 18)]
    assert due("*/15 7 * * *") == ["30 07:00", "30 07:15", "30 07:30", "30 07:45"]


@pytest.mark.req("SOP-035", "SOP-037", "SOP-042")
def test_lists_steps_in_ranges_and_days_of_the_week_mean_theirs() -> None:
    assert due("0 0 1,15 * *", hours=24 * 31) == ["01 00:00", "15 00:00"]
    assert due("10-30/10 6 * * *") == ["30 06:10", "30 06:20", "30 06:30"]
    assert due("0 6 * * 0,2-3", hours=24 * 7) == ["01 06:00", "02 06:00", "06 06:00"]
    assert due("0,30-50/10,*/45 0 * * *") == ["30 00:00", "30 00:30", "30 00:40", "30 00:45", "30 00:50"]


@pytest.mark.req("SOP-046")
def test_day_of_month_and_day_of_week_both_have_to_match() -> None:
    fridays = due("0 8 13 * 5", datetime(2026, 1, 1), hours=24 * 365)  # noqa: DTZ001
    assert fridays == ["13 08:00"] * 3
    cron = parse("0 8 13 * 5")
    assert cron.is_due(datetime(2026, 2, 13, 8))  # noqa: DTZ001
    assert not cron.is_due(datetime(2026, 1, 13, 8))  # noqa: DTZ001 - a Tuesday
    assert not cron.is_due(datetime(2026, 1, 9, 8))  # noqa: DTZ001 - a Friday


def test_blanks_and_leading_zeros_are_of_no_meaning() -> None:
    assert parse(" 00  08\t* * * ") == parse("0 8 * * *")


@pytest.mark.req("SOP-031", "SOP-043", "SOP-044", "SOP-045")
@pytest.mark.parametrize(
    "text",
    [
        *("", "* * * *", "* * * * * *", "0 8 * * 7", "0 8 * * MON", "0 8 * JAN *", "@daily", "0 8 * * 1L", "0 8 ? * *"),
        *("60 * * * *", "* 24 * * *", "* * 0 * *", "* * 32 * *", "* * * 0 *", "* * * 13 *", "-1 * * * *"),
        *("5/10 * * * *", "*/0 * * * *", "*/60 * * * *", "9-5 * * * *", "1-70 * * * *", "1,,2 * * * *", ",1 * * * *"),
        *("1-2-3 * * * *", "*/2/3 * * * *", "**  * * * *", "1.5 * * * *", "+1 * * * *", "٣ * * * *", "１ * * * *"),
        *("0 8 * * *\n", "0\n8 * * *", "0 8 * * \u00a05", "00000 * * * *", "0 8 * * *" + " " * 300),
    ],
)
def test_everything_else_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match=r"\w+"):
        parse(text)


@pytest.mark.req("SOP-049")
@pytest.mark.parametrize(
    ("text", "comes"),
    [
        *(("0 8 31 2 *", False), ("0 8 30 2 *", False), ("0 0 31 2,4,6,9,11 *", False), ("0 0 30-31 2 1", False)),
        *(("0 8 29 2 *", True), ("0 8 29 2 1", True), ("0 8 31 2,3 *", True), ("0 8 31 * 0", True)),
    ],
)
def test_a_day_that_no_year_has_never_comes_due(text: str, comes: bool) -> None:
    assert parse(text).comes_due is comes


def test_a_time_comes_due_just_when_one_of_the_days_of_400_years_matches() -> None:
    """After 400 years the calendar begins anew."""
    first = datetime(2000, 1, 1)  # noqa: DTZ001
    days = {(day.month, day.day, day.isoweekday() % 7) for day in (first + timedelta(at) for at in range(146_097))}
    for text in ("0 0 29 2 3", "0 0 30 2 3", "0 0 31 6 *", "0 0 31 6,7 1", "0 0 1 1 0", "0 0 30,31 2 *"):
        cron = parse(text)
        found = any(day in cron.days and month in cron.months and week in cron.weekdays for month, day, week in days)
        assert cron.comes_due is found


FIELD = st.text("0123456789*/-, \t", max_size=8)


@given(st.one_of(st.text(max_size=40), st.builds(" ".join, st.lists(FIELD, min_size=4, max_size=6))))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        cron = parse(text)
    except ValueError:
        return
    assert cron.minutes <= set(range(60))
    assert cron.hours <= set(range(24))
    assert cron.days <= set(range(1, 32))
    assert cron.months <= set(range(1, 13))
    assert cron.weekdays <= set(range(7))
    assert all((cron.minutes, cron.hours, cron.days, cron.months, cron.weekdays))
