"""Reads what a guest passes to the host: every part is checked by its type, and nothing else may be there."""

from notochord.core.codes import Code
from notochord.core.errors import Fault, NotochordError
from notochord.core.strict_json import Json

MAX_TEXT = 65_536


class GuestArguments:
    """The arguments of one request. Every method raises NotochordError(INPUT_INVALID)."""

    def __init__(self, target: str, arguments: Json, names: frozenset[str]) -> None:
        if not isinstance(arguments, dict):
            raise refused(f"{target}: the arguments are not an object")
        if unknown := sorted(arguments.keys() - names):
            raise refused(f"{target}: unknown argument {unknown[0][:64]!r}")
        self._target = target
        self._arguments = arguments

    def text(self, name: str, *, limit: int = MAX_TEXT) -> str:
        value = self._arguments.get(name)
        if not isinstance(value, str):
            raise refused(f"{self._target}: {name} must be a string")
        if len(value) > limit:
            raise refused(f"{self._target}: {name} is over {limit} characters")
        return value

    def text_or_none(self, name: str, *, limit: int = MAX_TEXT) -> str | None:
        return None if self._arguments.get(name) is None else self.text(name, limit=limit)

    def whole_or_none(self, name: str) -> int | None:
        """Return an integer as JavaScript knows them: one beyond 2^53 is refused, and true is none."""
        value = self._arguments.get(name)
        if value is None:
            return None
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if type(value) is not int or abs(value) > 2**53:
            raise refused(f"{self._target}: {name} must be an integer")
        return value

    def flag(self, name: str) -> bool:
        """Return a truth value; one that is missing is false."""
        value = self._arguments.get(name)
        if value is not None and not isinstance(value, bool):
            raise refused(f"{self._target}: {name} must be true or false")
        return value is True

    def named(self) -> bool:
        """Tell whether anything is given, all of it texts."""
        for name in self._arguments:
            self.text(name)
        return bool(self._arguments)

    def listed(self, name: str) -> list[Json]:
        """Return a list; one that is missing is empty."""
        value = self._arguments.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            raise refused(f"{self._target}: {name} must be a list")
        return value

    def texts(self, name: str) -> tuple[tuple[str, str], ...]:
        """Return an object of texts as pairs; one that is missing is empty."""
        value = self._arguments.get(name)
        if value is None:
            return ()
        if not isinstance(value, dict):
            raise refused(f"{self._target}: {name} must be an object of strings")
        pairs = []
        for key, item in value.items():
            if not isinstance(item, str) or len(key) + len(item) > MAX_TEXT:
                raise refused(f"{self._target}: {name} must be an object of strings")
            pairs.append((key, item))
        return tuple(pairs)


def refused(detail: str) -> NotochordError:
    return NotochordError(Code.INPUT_INVALID, Fault.GUEST, detail)
