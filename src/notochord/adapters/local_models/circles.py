"""Notices that a model goes round in a circle, as small ones do until nothing more fits."""

from collections.abc import Sequence

LONGEST_CIRCLE = 64
ROUNDS = 4
FEWEST = 96


def goes_in_circles(tokens: Sequence[int]) -> bool:
    """Tell whether the end of `tokens` is one stretch of at most 64 tokens, at least four times and 96 tokens long."""
    for period in range(1, LONGEST_CIRCLE + 1):
        span = max(ROUNDS * period, FEWEST)
        if len(tokens) < span:
            continue
        end = tokens[-span:]
        if end[period:] == end[:-period]:
            return True
    return False
