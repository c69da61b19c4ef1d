"""The tour says that it succeeded only when the model called the gem and the file is right."""

from decimal import Decimal

import pytest

from notochord.headless.tour.run import verdict
from notochord.headless.tour.transcript import Transcript

EXPECTED = {"2026-01": Decimal("1235.00")}
RIGHT = {"runs/x/output/summary.csv": "month,entries,total\n2026-01,2,1235.00\n"}


def called() -> Transcript:
    return Transcript(gem_calls=1)


def test_a_right_table_made_by_the_gem_is_a_success() -> None:
    assert verdict("", called(), RIGHT, EXPECTED) == ""


@pytest.mark.parametrize(
    ("transcript", "error", "produced"),
    [
        (Transcript(), "", RIGHT),
        (called(), "", {}),
        (called(), "", {"runs/x/output/summary.csv": "month,entries,total\n2026-01,2,1235.01\n"}),
        (called(), "", {"runs/x/output/summary.csv": "nonsense"}),
        (called(), "", {**RIGHT, "runs/y/output/summary.csv": "month,entries,total\n"}),
        (called(), "E_STEP_LIMIT", RIGHT),
    ],
    ids=["gem not called", "no table", "wrong total", "no table in it", "a second table is wrong", "answer broke off"],
)
def test_everything_else_is_a_failure(transcript: Transcript, error: str, produced: dict[str, str]) -> None:
    assert verdict(error, transcript, produced, EXPECTED) != ""
