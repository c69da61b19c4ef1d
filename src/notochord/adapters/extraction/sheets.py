"""XLSX: a part for each sheet, with what its cells hold, as text; no date is made up."""

import datetime
import io
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

from openpyxl import load_workbook
from openpyxl.styles.numbers import is_date_format, is_timedelta_format
from openpyxl.utils.datetime import WINDOWS_EPOCH, from_excel

from notochord.adapters.extraction import packages
from notochord.adapters.extraction.failures import Unreadable, Why
from notochord.adapters.extraction.findings import Findings

MAX_ROWS = 300_000
"""Of one sheet, empty ones among them."""

FIRST_CERTAIN_DAY = 61
"""Spreadsheets do not agree on the days before March 1900: one of them never was."""

_UNCERTAIN = "a date before March 1900 means another day in each program; it is given as its number"


MAIN = "xl/workbook.xml"


def read_xlsx(content: bytes, found: Findings) -> None:
    with packages.opened(content) as package:
        named = _named(package)
    warnings.simplefilter("ignore")
    try:
        book: Any = load_workbook(io.BytesIO(content), read_only=True, data_only=True, keep_links=False)
    except Unreadable:
        raise
    except (MemoryError, RecursionError):
        raise
    except Exception as error:  # the library lets through whatever a damaged file leads to
        raise Unreadable(
            Why.DAMAGED, f"the workbook cannot be opened: {type(error).__name__}: {error}"[:300]
        ) from error
    if lost := [name for name in named if name not in book.sheetnames]:
        found.warn(f"sheets that the workbook names are not in the file: {', '.join(lost[:20])}"[:300])
    found.title(getattr(book.properties, "title", None))
    found.property("author", getattr(book.properties, "creator", None))
    book._date_formats.clear()  # so that numbers stay numbers until `_shown` knows what they mean
    for sheet in book.worksheets:
        if not hasattr(sheet, "reset_dimensions"):  # a sheet that is one chart
            continue
        sheet.reset_dimensions()  # what a file says of its size is often wrong
        found.table(sheet.title, _rows(sheet, found))


def _named(package: zipfile.ZipFile) -> list[str]:
    """Return the names of the sheets that the workbook has by its own account; none where that is elsewhere."""
    if MAIN not in package.namelist():
        return []
    root = packages.parsed(packages.read(package, MAIN))
    return [entry.get("name", "") for entry in root.iter("{*}sheet")]


def _rows(sheet: Any, found: Findings) -> Iterator[list[str]]:
    windows = sheet.parent.epoch == WINDOWS_EPOCH
    try:
        for number, row in enumerate(sheet.iter_rows()):
            if number == MAX_ROWS:
                found.truncated = True
                return
            yield [_shown(cell, sheet.parent.epoch, windows, found) for cell in row]
    except (Unreadable, MemoryError, RecursionError):
        raise
    except Exception as error:  # the library lets through whatever a damaged sheet leads to
        raise Unreadable(Why.DAMAGED, f"a sheet cannot be read: {type(error).__name__}: {error}"[:300]) from error


def _shown(cell: Any, epoch: datetime.datetime, windows: bool, found: Findings) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, str(cell.number_format or ""), epoch, windows, found)
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return _iso(value)
    return str(value)


def _number(value: float, format: str, epoch: datetime.datetime, windows: bool, found: Findings) -> str:
    plain = repr(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else repr(value)
    if not is_date_format(format):
        return plain
    if is_timedelta_format(format):
        return _duration(value)
    if windows and 1 <= value < FIRST_CERTAIN_DAY:
        found.warn(_UNCERTAIN)
        return plain
    try:
        return _iso(from_excel(value, epoch))
    except (OverflowError, ValueError):
        return plain


def _iso(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        whole_day = value.time() == datetime.time()
        return value.date().isoformat() if whole_day else value.isoformat(sep=" ", timespec="seconds")
    if isinstance(value, datetime.time):
        return value.isoformat(timespec="seconds")
    return str(value.isoformat())


def _duration(days: float) -> str:
    seconds = round(abs(days) * 86_400)
    sign = "-" if days < 0 and seconds else ""
    return f"{sign}{seconds // 3_600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
