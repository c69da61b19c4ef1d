"""Numbers and days as the window's language writes them."""

from datetime import date

from PySide6.QtCore import QLocale

from notochord.ui.kit.dates import day_text
from notochord.ui.kit.kit import Kit


def numbers(kit: Kit) -> QLocale:
    """Return the locale for numbers; a system without one gets the English way."""
    found = kit.locale
    return QLocale("en_US") if found.language() is QLocale.Language.C else found


def whole(kit: Kit, number: int) -> str:
    """Return a whole number with its separators."""
    return numbers(kit).toString(number)


def day_name(kit: Kit, day: str, newest: str) -> str:
    """Return a day of the statistics (YYYY-MM-DD), without the year if it is that of the newest."""
    return day_text(kit, date.fromisoformat(day), date.fromisoformat(newest))
