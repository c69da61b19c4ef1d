"""Sums of heights against a plain list."""

from hypothesis import given
from hypothesis import strategies as st

from notochord.ui.kit.transcript.heights import BLOCK, Heights

values = st.lists(st.integers(0, 500).map(float), max_size=40).map(lambda some: some * 9)
"""Some of them longer than a block, or two."""

steps = st.lists(st.tuples(st.sampled_from("asx"), st.integers(0, 400), st.integers(0, 900)), max_size=40)


@given(values, steps)
def test_heights_are_those_of_a_list(start: list[float], changes: list[tuple[str, int, int]]) -> None:
    heights, plain = Heights(start), list(start)
    for kind, at, value in changes:
        if kind == "a":
            heights.append(float(value))
            plain.append(float(value))
        elif kind == "s" and plain:
            heights.set(at % len(plain), float(value))
            plain[at % len(plain)] = float(value)
        elif kind == "x" and plain:
            heights.splice(at % len(plain), 1, [float(value), 3.0])
            plain[at % len(plain) : at % len(plain) + 1] = [float(value), 3.0]
    assert [heights[n] for n in range(len(heights))] == plain
    assert [heights.before(n) for n in range(len(plain) + 1)] == [sum(plain[:n]) for n in range(len(plain) + 1)]
    assert heights.total() == sum(plain)


@given(st.lists(st.integers(1, 500).map(float), min_size=1, max_size=40), st.integers(0, 100_000))
def test_the_part_at_a_place_is_found(some: list[float], place: int) -> None:
    plain = some * 9
    heights = Heights(plain)
    index, inside = heights.find(float(place))
    if place < sum(plain):
        assert sum(plain[:index]) <= place < sum(plain[: index + 1])
        assert inside == place - sum(plain[:index])
    else:
        assert index == len(plain) - 1


def test_a_block_that_is_exactly_full_ends_where_the_next_begins() -> None:
    heights = Heights([2.0] * (2 * BLOCK))
    assert heights.find(2.0 * BLOCK) == (BLOCK, 0.0)
    assert heights.find(2.0 * BLOCK - 1) == (BLOCK - 1, 1.0)
    assert heights.find(4.0 * BLOCK) == (2 * BLOCK - 1, 2.0)
    heights.append(5.0)
    assert heights.total() == heights.before(2 * BLOCK + 1) == 4.0 * BLOCK + 5.0
