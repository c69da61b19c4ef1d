"""Days as people write them: without the year while it is this one."""

from datetime import date

from PySide6.QtCore import QDate

from notochord.ui.kit.kit import Kit


def day_text(kit: Kit, day: date, today: date) -> str:
    """Return the day in the window's language: day and month within this year, with the year else."""
    pattern = kit.text("window.kit.day" if day.year == today.year else "window.kit.day_of_year")
    return kit.locale.toString(QDate(day.year, day.month, day.day), pattern)
