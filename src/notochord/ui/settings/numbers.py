"""Numbers as the window's language writes them."""

from PySide6.QtCore import QDate, QLocale, Qt

from notochord.ui.kit.kit import Kit


def numbers(kit: Kit) -> QLocale:
    """Return the locale for numbers; a system without one gets the English way."""
    found = kit.locale
    return QLocale("en_US") if found.language() is QLocale.Language.C else found


def whole(kit: Kit, number: int) -> str:
    """Return a whole number with its separators."""
    return numbers(kit).toString(number)


def day_text(kit: Kit, day: str) -> str:
    """Return a day (YYYY-MM-DD) as the language writes it, short."""
    date = QDate.fromString(day, Qt.DateFormat.ISODate)
    return numbers(kit).toString(date, QLocale.FormatType.ShortFormat) if date.isValid() else day
