"""The tour's input is as messy as promised, and its totals are right by a way of their own."""

import csv
import io
from decimal import Decimal

import pytest

from notochord.headless.tour.ledger import ROWS, Ledger, make_ledger, monthly_totals, totals_in


@pytest.mark.parametrize("seed", range(20))
def test_the_file_is_messy_in_every_promised_way(seed: int) -> None:
    ledger = make_ledger(seed)
    text = ledger.content.decode("utf-8")
    assert text.startswith("\ufeff")
    assert ledger.delimiter != ","
    rows = list(csv.DictReader(io.StringIO(text[1:], newline=""), delimiter=ledger.delimiter))
    assert len(rows) == ROWS
    assert all(row["Order id"].startswith("0") for row in rows)
    assert all("," in row["Amount"] for row in rows)
    assert any("\n" in row["Customer"] for row in rows)


def test_two_seeds_make_two_files() -> None:
    assert make_ledger(1) != make_ledger(2)
    assert make_ledger(1) == make_ledger(1)


def test_totals_are_read_with_points_for_thousands_and_a_decimal_comma() -> None:
    content = "\ufeffOrder id;Date;Customer;Amount\r\n00001;31.01.2026;A;1.234,50\r\n00002;01.01.2026;B;0,50\r\n"
    assert monthly_totals(Ledger(content.encode(), ";")) == {"2026-01": Decimal("1235.00")}


def test_a_table_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="not a table"):
        totals_in("month,sum\n2026-01,1\n")
    with pytest.raises(ValueError, match="not a table"):
        totals_in("month,entries,total\n2026-01,1,many\n")
