"""How names, times, sizes and places are written for people."""

from datetime import date, datetime

from PySide6.QtCore import QLocale, QTime

from notochord.core.clock import Clock
from notochord.ui.kit.dates import day_text
from notochord.ui.kit.kit import Kit
from notochord.viewmodels.chat.models import ModelOption, RunsAt

PLACES = {RunsAt.COMPUTER: "computer", RunsAt.NETWORK: "users", RunsAt.CLOUD: "cloud"}
"""The icon of each place where a model runs."""

BUILT_IN_ROLES = ("chat", "vision", "deep", "local")


def model_name(model: str) -> str:
    """Return the model's own name out of "PROVIDER/MODEL"."""
    return model.partition("/")[2] or model


def role_name(kit: Kit, role: str) -> str:
    """Return what a role is called: built-in ones have names in each language, others the one that they were given."""
    return kit.text(f"window.chat.role_{role}") if role in BUILT_IN_ROLES else role


def option_name(kit: Kit, option: ModelOption) -> str:
    """Return how something to choose is called in a menu."""
    if option.role:
        return kit.text("window.chat.role_option", role=role_name(kit, option.role), model=model_name(option.model))
    provider, _, model = option.value.partition("/")
    return f"{model}  ·  {provider}"


def place_name(kit: Kit, runs_at: RunsAt) -> str:
    """Return where a model runs, in two words."""
    return kit.text(f"window.chat.place_{runs_at.value}")


class Moments:
    """Writes when something was, shortly: the time today, the day and time else. Each is made once a day."""

    def __init__(self, kit: Kit, clock: Clock) -> None:
        self._kit = kit
        self._clock = clock
        self._days: dict[tuple[date, date], str] = {}
        self._times: dict[tuple[int, int], str] = {}

    def write(self, milliseconds: int) -> str:
        """Return the moment, in milliseconds since 1970, in the user's zone."""
        zone = self._clock.zone()
        moment = datetime.fromtimestamp(milliseconds / 1000, zone)
        minute, day, today = (moment.hour, moment.minute), moment.date(), self._clock.now().astimezone(zone).date()
        if minute not in self._times:
            self._times[minute] = self._kit.locale.toString(QTime(*minute), QLocale.FormatType.ShortFormat)
        if day == today:
            return self._times[minute]
        if (day, today) not in self._days:
            self._days[day, today] = day_text(self._kit, day, today)
        return self._kit.text("window.kit.moment", day=self._days[day, today], time=self._times[minute])


def duration(kit: Kit, milliseconds: int) -> str:
    """Return how long something took: tenths of a second below ten, seconds below a minute, then minutes."""
    seconds = milliseconds / 1000
    if seconds < 10:
        return kit.text("window.chat.seconds", seconds=kit.locale.toString(seconds, "f", 1))
    if seconds < 60:
        return kit.text("window.chat.seconds", seconds=kit.locale.toString(round(seconds)))
    minutes, rest = divmod(round(seconds), 60)
    return kit.text("window.chat.minutes", minutes=minutes, seconds=rest)


def file_size(kit: Kit, size: int) -> str:
    """Return a size in the units of the language; Qt has no singular."""
    if size == 1:
        return kit.text("window.chat.one_byte")
    return kit.locale.formattedDataSize(size, 1, QLocale.DataSizeFormat.DataSizeTraditionalFormat)


def tokens(kit: Kit, count: int) -> str:
    """Return a number of tokens, in thousands from ten thousand on."""
    return f"{kit.locale.toString(count // 1000)}k" if count >= 10_000 else kit.locale.toString(count)
