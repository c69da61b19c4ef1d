"""An SOP as it is shown: when it runs in words, and what it calls."""

from datetime import datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from notochord.core.cron import parse
from notochord.services.gems.api import GemProcedure
from notochord.viewmodels.gem.lengths import LINE, NAME, TEXT
from notochord.viewmodels.gem.procedures import When, procedure_of


def when(trigger: str, written: str) -> When:
    return procedure_of(GemProcedure("digest", "", trigger, written)).when


def said(expression: str) -> tuple[str, str, int, int]:
    found = when("cron", expression)
    assert found.as_written == expression
    return found.kind, found.time, found.number, found.weekday


@pytest.mark.req("GEMUI-045", "SOP-144")
@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("0 8 * * *", ("daily", "08:00", 0, 0)),
        ("05 00 * * *", ("daily", "00:05", 0, 0)),
        ("30 7 * * 1-5", ("workdays", "07:30", 0, 0)),
        ("30 7 * * 5,1-4", ("workdays", "07:30", 0, 0)),
        ("0 9 * * 0", ("weekly", "09:00", 0, 0)),
        ("0 9 * * 6", ("weekly", "09:00", 0, 6)),
        ("0 6 1 * *", ("monthly", "06:00", 1, 0)),
        ("0 6 31 * *", ("monthly", "06:00", 31, 0)),
        ("* * * * *", ("minutes", "", 1, 0)),
        ("*/15 * * * *", ("minutes", "", 15, 0)),
        ("0,30 * * * *", ("minutes", "", 30, 0)),
        ("0 * * * *", ("full_hours", "", 0, 0)),
        ("20 0-23 * * *", ("hourly", "", 20, 0)),
    ],
)
def test_the_usual_schedules_are_told_in_words(expression: str, words: tuple[str, str, int, int]) -> None:
    assert said(expression) == words


@pytest.mark.parametrize(
    "expression",
    [
        *("*/7 * * * *", "10,40 * * * *", "0 8,20 * * *", "0 9-17 * * *", "0 8 13 * 5", "0 8 1,15 * *", "0 8 * 1 *"),
        *("0 8 * * 1,3", "*/5 8 * * *", "0 8 1 1 *", "* * 1 * *", "* * * * 1", "0 * * * 1-5", "*/15 * 1 * *"),
    ],
)
def test_any_other_schedule_is_told_as_it_is_written(expression: str) -> None:
    assert said(expression) == ("cron", "", 0, 0)


FIELD = st.sampled_from(("*", "0", "1", "5", "0,30", "*/15", "1-5"))


@settings(max_examples=150)
@given(st.tuples(FIELD, FIELD, st.sampled_from(("*", "1", "31")), st.sampled_from(("*", "1", "1-12")), FIELD))
def test_what_is_told_in_words_is_true(fields: tuple[str, ...]) -> None:
    """The minutes at which a schedule is due in a month are those that the words mean."""
    try:
        cron = parse(expression := " ".join(fields))
    except ValueError:
        return
    kind, time, number, weekday = said(expression)
    first = datetime(2026, 1, 1)  # noqa: DTZ001 - local times have no zone
    for moment in (first + timedelta(minutes=7 * at) for at in range(31 * 24 * 60 // 7)):
        day = moment.isoweekday() % 7
        meant = {
            "daily": f"{moment:%H:%M}" == time,
            "workdays": f"{moment:%H:%M}" == time and day in range(1, 6),
            "weekly": f"{moment:%H:%M}" == time and day == weekday,
            "monthly": f"{moment:%H:%M}" == time and moment.day == number,
            "hourly": moment.minute == number,
            "full_hours": moment.minute == 0,
            "minutes": moment.minute % max(number, 1) == 0,
        }
        assert kind == "cron" or cron.is_due(moment) is meant[kind]


def test_calls_by_hand_and_events_are_told_as_such() -> None:
    assert when("manual", "") == When("manual")
    assert when("event", "email.onNewMessage") == When("mail", as_written="email.onNewMessage")
    assert when("event", "calendar.begins") == When("event", as_written="calendar.begins")
    assert when("cron", "no schedule") == When("cron", as_written="no schedule")


@pytest.mark.req("SOP-145", "SOP-146", "SOP-147")
def test_what_is_called_is_told_apart() -> None:
    calls = ("agent.helper", "storage.kv.get", "tool.add", "tool.list", "wait.approval")
    found = procedure_of(GemProcedure("digest", "Sums up.", calls=calls))
    assert (found.tools, found.agents) == (("add", "list"), ("helper",))
    assert found.services == ("storage.kv.get", "wait.approval")


def test_what_a_gem_writes_is_shown_in_one_line_and_not_too_long() -> None:
    wild = "a\u202eb\n" + "x" * 5_000
    found = procedure_of(GemProcedure(wild, wild, "event", wild, (f"tool.{wild}",)))
    assert (len(found.name) <= NAME, len(found.text) <= TEXT, len(found.when.as_written) <= LINE) == (True,) * 3
    assert not any(c in found.name + found.text + found.when.as_written + found.tools[0] for c in "\u202e\n")
