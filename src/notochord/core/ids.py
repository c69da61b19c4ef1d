"""Unique ids that sort by the time they were made."""

import re

from notochord.core.clock import Clock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_RANDOM_BITS = 80
_LENGTH = 26
_PAIRS = [first + second for first in _ALPHABET for second in _ALPHABET]
_SHIFTS = range(10 * (_LENGTH // 2 - 1), -1, -10)
_PATTERN = re.compile(f"[{_ALPHABET}]{{{_LENGTH}}}")


class IdMaker:
    """Makes 26-character ids (48 bits of milliseconds, 80 bits of chance) that ascend within one process.

    They are unique, not secret: never use one as a capability.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0

    def new(self) -> str:
        chance = int.from_bytes(self._clock.random_bytes(_RANDOM_BITS // 8))
        value = (self._clock.milliseconds() << _RANDOM_BITS) | chance
        self._last = max(value, self._last + 1)
        return _encode(self._last)


def is_id(text: str) -> bool:
    """Tell whether `text` has the form of an id; such a text is safe as a file name."""
    return _PATTERN.fullmatch(text) is not None


def _encode(value: int) -> str:
    return "".join([_PAIRS[(value >> shift) & 1023] for shift in _SHIFTS])
