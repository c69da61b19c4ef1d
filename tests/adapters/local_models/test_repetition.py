"""An answer that repeats itself is noticed; one that merely has lists and tables is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from notochord.adapters.local_models.repetition import FEWEST, LONGEST_PERIOD, ROUNDS, repeats_itself


@given(st.lists(st.integers(), max_size=40), st.lists(st.integers(), min_size=1, max_size=LONGEST_PERIOD))
def test_a_stretch_that_comes_again_and_again_is_a_repetition(before: list[int], stretch: list[int]) -> None:
    rounds = max(ROUNDS, -(-FEWEST // len(stretch)))
    assert repeats_itself([*before, *stretch * rounds])


@pytest.mark.parametrize("rows", [3, 30])
def test_rows_that_differ_are_no_repetition(rows: int) -> None:
    assert not repeats_itself([token for row in range(rows) for token in (1, 2, 1000 + row, 3, 4, 5, 6, 7)])


def test_a_short_line_of_one_sign_is_no_repetition() -> None:
    assert not repeats_itself([5] * (FEWEST - 1))
