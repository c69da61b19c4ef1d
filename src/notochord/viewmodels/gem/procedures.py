"""An SOP as the page of its gem shows it: when it runs, in words where there are some for it, and what it calls."""

from dataclasses import dataclass

from notochord.core.cron import Cron, parse
from notochord.core.flat_text import flattened
from notochord.services.gems.api import GemProcedure
from notochord.viewmodels.gem.lengths import LINE, NAME, TEXT

NEW_MAIL = "email.onNewMessage"
_WORK = frozenset(range(1, 6))
_EVERY = parse("* * * * *")


@dataclass(frozen=True, slots=True)
class When:
    """When an SOP runs. `kind` names the sentence: "manual", "mail", "event", "minutes", "hourly", "full_hours",
    "daily", "workdays", "weekly", "monthly", or "cron" for a schedule that there are no words for.

    `number` are minutes, the minute of an hour or the day of a month; `weekday` is 0 on Sunday; `as_written` the five
    fields or the event.
    """

    kind: str
    time: str = ""
    number: int = 0
    weekday: int = 0
    as_written: str = ""


@dataclass(frozen=True, slots=True)
class Procedure:
    """`tools` and `agents` are the gem's own; `services` are the platform's, such as `wait.approval`."""

    name: str
    text: str
    when: When = When("manual")
    tools: tuple[str, ...] = ()
    agents: tuple[str, ...] = ()
    services: tuple[str, ...] = ()


def procedure_of(one: GemProcedure) -> Procedure:
    """Return what is shown of an SOP."""
    calls = [(kind, name) for kind, _, name in (flattened(target, LINE).partition(".") for target in one.calls)]
    return Procedure(
        name=flattened(one.name, NAME),
        text=flattened(one.description, TEXT),
        when=_when(one),
        tools=tuple(name for kind, name in calls if kind == "tool"),
        agents=tuple(name for kind, name in calls if kind == "agent"),
        services=tuple(f"{kind}.{name}" for kind, name in calls if kind not in {"tool", "agent"}),
    )


def _when(one: GemProcedure) -> When:
    written = flattened(one.when, LINE)
    if one.trigger == "event":
        return When("mail" if one.when == NEW_MAIL else "event", as_written=written)
    if one.trigger != "cron":
        return When("manual")
    try:
        return _scheduled(parse(one.when), written)
    except ValueError:
        return When("cron", as_written=written)


def _scheduled(cron: Cron, written: str) -> When:
    """Return the words for the usual schedules, which are those that most people have in mind."""
    any_day, any_weekday = cron.days == _EVERY.days, cron.weekdays == _EVERY.weekdays
    once = len(cron.minutes) == 1 and len(cron.hours) == 1
    time = f"{min(cron.hours):02}:{min(cron.minutes):02}"
    if cron.months != _EVERY.months or not (any_day or any_weekday):
        return When("cron", as_written=written)
    if any_day and any_weekday:
        daily = When("daily", time, as_written=written) if once else When("cron", as_written=written)
        return _within_the_hour(cron, written) if cron.hours == _EVERY.hours else daily
    if once and cron.weekdays == _WORK:
        return When("workdays", time, as_written=written)
    if once and len(cron.weekdays) == 1:
        return When("weekly", time, weekday=min(cron.weekdays), as_written=written)
    if once and any_weekday and len(cron.days) == 1:
        return When("monthly", time, min(cron.days), as_written=written)
    return When("cron", as_written=written)


def _within_the_hour(cron: Cron, written: str) -> When:
    if len(cron.minutes) == 1:
        minute = min(cron.minutes)
        return When("hourly" if minute else "full_hours", number=minute, as_written=written)
    step = 60 // len(cron.minutes)
    if cron.minutes == frozenset(range(0, 60, step)):
        return When("minutes", number=step, as_written=written)
    return When("cron", as_written=written)
