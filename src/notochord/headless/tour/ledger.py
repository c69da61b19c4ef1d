"""The tour's input: a CSV as messy as real ones, made fresh from a seed, and its monthly totals, computed apart."""

import csv
import io
import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

ROWS = 120
NAME = "sales.csv"
_DELIMITERS = (";", "\t", "|")
_CUSTOMERS = (
    "Café Zoë",
    "Müller & Söhne",
    '"Quotes" Ltd',
    "Line\nbreak GmbH",
    "半岛书店",
    "Semi; colon, comma | pipe\tand tab",
)


@dataclass(frozen=True, slots=True)
class Ledger:
    """A file's bytes, and how they are to be read."""

    content: bytes
    delimiter: str


def make_ledger(seed: int) -> Ledger:
    """Return a CSV with an odd delimiter, a BOM, decimal commas, quoted line breaks and ids that begin with zeros."""
    chance = random.Random(seed)
    delimiter = chance.choice(_DELIMITERS)
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\r\n")
    writer.writerow(["Order id", "Date", "Customer", "Amount"])
    for number in range(1, ROWS + 1):
        day = date(2026, 1, 1) + timedelta(days=chance.randrange(181))
        amount = Decimal(chance.randrange(100, 250_000)) / 100
        written = f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))
        writer.writerow([f"{number:05}", f"{day:%d.%m.%Y}", chance.choice(_CUSTOMERS), written])
    return Ledger(text.getvalue().encode("utf-8-sig"), delimiter)


def monthly_totals(ledger: Ledger) -> Mapping[str, Decimal]:
    """Return the total of each month (YYYY-MM), read from the bytes with another parser than the gem's."""
    totals: defaultdict[str, Decimal] = defaultdict(Decimal)
    text = io.StringIO(ledger.content.decode("utf-8-sig"), newline="")
    for row in csv.DictReader(text, delimiter=ledger.delimiter):
        _, month, year = row["Date"].split(".")
        totals[f"{year}-{month}"] += Decimal(row["Amount"].replace(".", "").replace(",", "."))
    return dict(sorted(totals.items()))


def totals_in(produced: str) -> Mapping[str, Decimal]:
    """Read `month,entries,total` as the gem writes it. Raises ValueError for anything else."""
    try:
        rows = [(row["month"], Decimal(row["total"])) for row in csv.DictReader(io.StringIO(produced))]
    except (KeyError, TypeError, ArithmeticError) as error:
        raise ValueError("this is not a table of months") from error
    return dict(sorted(rows))
