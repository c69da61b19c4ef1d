"""Notices that a model repeats itself, as small ones do until nothing more fits."""

from collections.abc import Sequence

LONGEST_PERIOD = 64
ROUNDS = 4
FEWEST = 96


def repeats_itself(tokens: Sequence[int]) -> bool:
    """Tell whether the end of `tokens` repeats up to 64 tokens, at least four times and for 96 tokens."""
    for period in range(1, LONGEST_PERIOD + 1):
        span = max(ROUNDS * period, FEWEST)
        if len(tokens) < span:
            continue
        end = tokens[-span:]
        if end[period:] == end[:-period]:
            return True
    return False
