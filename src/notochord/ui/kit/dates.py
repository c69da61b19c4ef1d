"""Days and moments as people write them, in the window's language."""

from datetime import date

from PySide6.QtCore import QDate, QDateTime, QLocale

from notochord.ui.kit.kit import Kit


def day_text(kit: Kit, day: date, today: date) -> str:
    """Return the day in the window's language: day and month within this year, with the year else."""
    pattern = kit.text("window.kit.day" if day.year == today.year else "window.kit.day_of_year")
    return kit.locale.toString(QDate(day.year, day.month, day.day), pattern)


def dated(kit: Kit, day: QDate) -> str:
    """Return the day with its year, for what may lie far back."""
    return kit.locale.toString(day, kit.text("window.kit.day_of_year"))


def moment_dated(kit: Kit, moment: QDateTime) -> str:
    """Return the day with its year, and the time."""
    time = kit.locale.toString(moment.time(), QLocale.FormatType.ShortFormat)
    return kit.text("window.kit.moment", day=dated(kit, moment.date()), time=time)
