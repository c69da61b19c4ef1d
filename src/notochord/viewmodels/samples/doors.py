"""A door that leads nowhere: for view-models that are only looked at."""

from typing import Any, TypeVar, cast

Door = TypeVar("Door")


class _Absent:
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"a sample was asked to {name}")


def absent(kind: type[Door]) -> Door:
    """Return something that may be handed over as `kind` and fails when it is used."""
    return cast("Door", _Absent())
