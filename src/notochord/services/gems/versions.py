"""Compares versions by the precedence of Semantic Versioning 2.0."""

from functools import total_ordering


@total_ordering
class Version:
    """A version whose text the manifest's schema has accepted already; what follows `+` does not count."""

    def __init__(self, text: str) -> None:
        core, _, pre = text.partition("+")[0].partition("-")
        self._core = tuple(int(part) for part in core.split("."))
        self._pre = tuple(_rank(part) for part in pre.split(".")) if pre else ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key == other._key

    def __lt__(self, other: "Version") -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[tuple[int, ...], bool, tuple[tuple[bool, int, str], ...]]:
        return self._core, not self._pre, self._pre


def _rank(part: str) -> tuple[bool, int, str]:
    """Numbers come before words; numbers compare as numbers, words letter by letter."""
    return (False, int(part), "") if part.isdigit() else (True, 0, part)
