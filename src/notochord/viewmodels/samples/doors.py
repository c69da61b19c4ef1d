"""A door that leads nowhere: for view-models that are only looked at."""

from typing import Any


class _Absent:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a sample was asked to {name}")


def absent(_kind: object) -> Any:
    """Return something that may be handed over as this door and fails when it is used."""
    return _Absent()
